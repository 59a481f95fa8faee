import pick from 'lodash/pick.js'
import t from 'tap'
import * as z from 'zod'
import { configMaps, deployments, namespaces } from '../../sdk/engine/kube/builtin.js'
import { type Backup, backup, backups, key, memcached } from '../../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../../sdk/operator/controller/definition.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { defineKind } from '../../sdk/operator/kind/define/define-kind.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { dailyPart as part } from '../../test/daily-part.js'
import { type OperatorScenario, operatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'
import { perturb } from './perturb.js'
import { ScenarioFailure } from './scenario-failure.js'
import { zoneScenario } from './zone-scenario.fixture.js'

/** A Backup is created, resized, loses its Deployment, and is deleted and created again. */
const scenario = (options: Partial<ControllerOptions<Backup>> = {}) =>
  operatorScenario({
    register: (operator) => operator.register(controller(backups, { ...memcached, ...options })),
    definitions: [crdOf(backups)],
    steps: {
      'a backup is created': ({ client }) => client.create(backups, backup(2)),
      'its Deployment is deleted': ({ client }) => client.delete(deployments, key),
      'it is deleted': ({ client }) => client.delete(backups, key),
      'it is created again': ({ client }) => client.create(backups, backup(1)),
    },
    simulate: ({ setAllReady }) => setAllReady(),
  })

void t.test('an exploration without faults that exist is refused', async (t) => {
  const unknown = ['crash' as 'crashes']
  await t.rejects(exhaust(scenario(), { faults: unknown }), {
    message: /an operator has no fault crash; it has crashes, .*upgrades, .*deletions$/,
  })
  await t.rejects(exhaust(scenario(), { faults: [] }), {
    message: /no faults are given; an operator has crashes,/,
  })
})

/** The problems of the first run that fails. */
async function problemsOf(exploration: Promise<unknown>): Promise<string> {
  try {
    await exploration
  } catch (error) {
    if (error instanceof ScenarioFailure) return error.runs[0]?.problems.join('\n') ?? ''
    throw error
  }
  throw new Error('the scenario passed, but it must fail')
}

void t.test('a correct operator survives a crash and a leader change at every write', async (t) => {
  const crashes = await exhaust(scenario(), { faults: ['crashes'] })
  t.equal(crashes.runs, 3 * crashes.writes.length + 8)
  t.same(crashes.missed, [])
  const changes = await exhaust(scenario(), { faults: ['leader-changes'] })
  t.equal(changes.runs, 2 * changes.writes.length)
  t.same(changes.missed, [])
})

void t.test('a correct operator bears old, lost and repeated events of each kind', async (t) => {
  const { schedules } = await exhaust(scenario(), { faults: ['late-events'] })
  t.ok(schedules.includes('late:main/deployments:1'))
  const lost = await exhaust(scenario(), { faults: ['lost-events'] })
  t.ok(lost.schedules.includes('cut:1'))
})

void t.test('a correct operator bears refusals, users, and several faults at once', async (t) => {
  const { schedules } = await exhaust(scenario(), { faults: ['refusals'] })
  t.ok(schedules.some((schedule) => schedule.endsWith(':422')))
  await exhaust(scenario(), { faults: ['recreation'], part })
  const { changes: edited } = await exhaust(scenario(), { faults: ['edits'] })
  t.ok(edited.includes('main deployments default/daily /spec/replicas'))
  const { steps, ...rest } = scenario()
  const removed: OperatorScenario['steps'] = {
    ...steps,
    'it is deleted again': ({ client }) => client.delete(backups, key),
  }
  const none = await exhaust({ ...rest, steps: removed }, { faults: ['edits'] })
  t.same([none.changes, none.missed], [[], []])
  t.equal((await exhaust(scenario(), { faults: ['deletions'] })).changes.length, 7)
  await perturb(scenario(), { runs: 10 })
})

void t.test(
  'a correct operator bears definitions that go and come back, and objects from a backup',
  async (t) => {
    const { changes: restored } = await exhaust(scenario(), { faults: ['reinstallation'] })
    t.strictSame(restored, [
      'after a backup is created: backups daily',
      'after its Deployment is deleted: backups daily',
      'after it is created again: backups daily',
    ])
    t.equal(
      (await exhaust(bucketScenario({ finds: true }), { faults: ['reinstallation'] })).changes.length,
      1,
    )
  },
)

void t.test(
  'an operator that remembers by name what it has done fails when definitions come back',
  async (t) => {
    const handled = new Set<string>()
    const { steps, ...forgetful } = scenario({
      reconcile: async (ctx, object) => {
        if (handled.has(object.metadata.name ?? '')) return
        handled.add(object.metadata.name ?? '')
        ctx.status.nodes = ['first']
      },
    })
    const exploration = exhaust(
      {
        ...forgetful,
        before: async () => handled.clear(),
        steps: pick(steps, 'a backup is created'),
      },
      { faults: ['reinstallation'] },
    )
    t.match(await problemsOf(exploration), /after a backup is created: main backups default\/daily differs/)
  },
)

/** A Backup that is created and then changed, and an operator that writes this into its status. */
function noting(nodes: (options: { now: string; settings: string; old: readonly string[] }) => string[]) {
  const {
    steps,
    simulate: _,
    ...rest
  } = scenario({
    owns: [],
    reconcile: async (ctx, { spec: { settings = '' } }) => {
      const now = ctx.clock.date().toISOString()
      ctx.status.nodes = nodes({ now, settings, old: ctx.status.nodes ?? [] })
    },
  })
  const change = (settings: string) => ({ type: 'merge', body: { spec: { settings } } }) as const
  return {
    ...rest,
    steps: {
      ...pick(steps, 'a backup is created'),
      'its time comes': ({ client }) => client.patch(backups, key, change('2031-01-01T00:00:00Z')),
      'its time is put off': ({ client }) => client.patch(backups, key, change('2032-01-01T00:00:00Z')),
    },
  } satisfies ReturnType<typeof scenario>
}

void t.test('the time at which an operator did something is not compared between runs', async (t) => {
  const started = noting(({ now, old: [first = `started at ${now}`] }) => [first])
  const { runs, missed } = await exhaust(started, { faults: ['leader-changes'] })
  t.ok(runs > 0)
  t.same(missed, [])
  await exhaust(started, { faults: ['crashes'] })
})

void t.test('a time of a user is compared', async (t) => {
  let reads = 0
  // Only the first process follows the user.
  const stale = noting(({ settings, old: [first = ''] }) => [reads++ < 8 ? settings : first])
  t.match(await problemsOf(exhaust(stale, { faults: ['crashes'] })), /203[12]-01-01/)
})

void t.test('an operator that creates without a fixed name fails at a crash', async (t) => {
  const unnamed = scenario({
    owns: [],
    reconcile: async (ctx, { metadata: { namespace, annotations } }) => {
      if (annotations?.made !== undefined) return
      const metadata = { namespace: namespace ?? '', generateName: 'daily-' }
      await ctx.client.create(configMaps, { metadata: metadata as never })
      const body = { metadata: { annotations: { made: 'true' } } }
      await ctx.client.patch(backups, key, { type: 'merge', body })
    },
  })
  const { simulate: _, ...rest } = unnamed
  const steps = { created: unnamed.steps['a backup is created'] as never }
  t.match(
    await problemsOf(exhaust({ ...rest, steps }, { faults: ['crashes'] })),
    /configmaps default\/daily-.* (is missing|should not)/,
  )
})

void t.test('an operator that writes at rest, or over foreign objects, fails', async (t) => {
  const restless = scenario({
    everyMs: 3_600_000,
    reconcile: async (ctx) => {
      ctx.status.nodes = [ctx.clock.date().toISOString()]
    },
  })
  const steps = { created: restless.steps['a backup is created'] as never }
  const { simulate: _, ...quiet } = restless
  t.match(
    await problemsOf(exhaust({ ...quiet, steps }, { faults: ['crashes'] })),
    /patch main backups default\/daily\/status: no object had changed before this write/,
  )
  const rude = scenario({
    owns: [],
    reconcile: async (ctx) => {
      const body = { data: { text: 'mine now' } }
      await ctx.client.patch(configMaps, { namespace: 'default', name: 'foreign' }, { type: 'merge', body })
    },
  })
  const before: NonNullable<typeof rude.before> = ({ client }) =>
    client.create(configMaps, { metadata: { namespace: 'default', name: 'foreign' } })
  t.match(
    await problemsOf(exhaust({ ...rude, before, steps }, { faults: ['crashes'] })),
    /patch main configmaps default\/foreign: the existing object has neither a reference/,
  )
})

const buckets = defineKind({
  group: 'cloud.my.domain',
  version: 'v1',
  kind: 'Bucket',
  spec: z.object({ region: z.string() }),
  status: z.object({ url: z.string().optional() }),
  effects: ['bucket'],
  conditions: ['Ready'],
})

/** A cloud that is new for each run. `finds` is whether it can tell what it has. */
function bucketScenario({ finds }: { finds: boolean }) {
  let made = new Map<string, { id: string }>()
  const bucketKey = { namespace: 'default', name: 'photos' }
  return operatorScenario({
    register: (operator) =>
      operator.register(
        controller(buckets, {
          effects: {
            bucket: {
              find: async (_ctx, token) => (finds ? made.get(token) : undefined),
              create: async (_ctx, token) => {
                const thing = { id: `b-${made.size + 1}` }
                made.set(finds ? token : thing.id, thing)
                return thing
              },
              remove: async (_ctx, id) => {
                for (const [token, thing] of made) if (thing.id === id) made.delete(token)
              },
            },
          },
          reconcile: async (ctx) => {
            ctx.status.url = (await ctx.effect('bucket')).id
            ctx.condition('Ready', true, 'BucketReady')
          },
        }),
      ),
    definitions: [crdOf(buckets)],
    before: async () => {
      made = new Map()
    },
    steps: {
      'a bucket is created': ({ client }) =>
        client.create(buckets, { metadata: bucketKey, spec: { region: 'north' } }),
      'it is deleted': ({ client }) => client.delete(buckets, bucketKey),
    },
    writesPerChange: 6,
  })
}

void t.test('an effect is made once and removed, at every crash and every leader change', async (t) => {
  const { writes } = await exhaust(bucketScenario({ finds: true }), { faults: ['crashes'], part })
  t.ok(writes.includes('create outside bucket default/photos'))
  t.ok(writes.includes('delete outside bucket default/photos'))
  const changes = await exhaust(bucketScenario({ finds: true }), { faults: ['leader-changes'], part })
  t.same(changes.missed, [])
})

void t.test('an object with a finalizer is recreated only before it has that', async (t) => {
  const { schedules, writes, missed } = await exhaust(bucketScenario({ finds: true }), {
    faults: ['recreation'],
  })
  t.same(missed, [])
  t.ok(writes.length > 1)
  t.same(schedules, ['recreate:1'], 'the first write adds the finalizer')
})

void t.test(
  'an effect with keys is made once for each and removed, at every crash and every leader change',
  async (t) => {
    const { writes } = await exhaust(zoneScenario(), { faults: ['crashes'], part })
    t.equal(writes.filter((write) => write.startsWith('create outside record')).length, 3)
    t.equal(writes.filter((write) => write.startsWith('delete outside record')).length, 3)
    const changes = await exhaust(zoneScenario(), { faults: ['leader-changes'], part })
    t.same(changes.missed, [])
  },
)

void t.test('an effect that cannot be found is made twice', async (t) => {
  const problems = await problemsOf(exhaust(bucketScenario({ finds: false }), { faults: ['crashes'] }))
  t.match(problems, /effect bucket of default\/photos was made twice|outside bucket of default\/photos/)
})

void t.test('a late start is compared in kinds, too, that only a run with the operator writes', async (t) => {
  const owning: Partial<ControllerOptions<Backup>> = {
    owns: [namespaces],
    reconcile: async (ctx, { metadata }) =>
      void (await ctx.apply(namespaces, { metadata: { name: `of-${metadata.name}` } })),
  }
  const { steps } = scenario()
  const short = {
    ...scenario(owning),
    steps: pick(steps, 'a backup is created', 'it is deleted'),
    writesPerChange: 4,
  }
  const { lateStartChecked } = await exhaust(short, { faults: ['crashes'] })
  t.ok(lateStartChecked)
})
