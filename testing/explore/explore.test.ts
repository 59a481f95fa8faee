import { pbkdf2 } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import type { RegisterContext } from '../../sdk/vcluster/context/register-context.js'
import { applyManifests } from '../../sdk/vcluster/syncer/apply-manifests.js'
import { ensureCRD } from '../../sdk/vcluster/syncer/ensure-crd.js'
import type { Syncer } from '../../sdk/vcluster/syncer/syncer.js'
import { crashPhases } from '../faults/injected-fault.js'
import type { Scenario } from '../scenario/scenario.js'
import { mirrorOfConfigMaps } from './config-map-mirror.fixture.js'
import { exhaust } from './exhaust.js'
import { perturb } from './perturb.js'
import { replay } from './replay.js'
import { ScenarioFailure } from './scenario-failure.js'

const key = { namespace: 'default', name: 'greeting' }
const hostKey = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }

const steps: Scenario['steps'] = {
  'a ConfigMap is created': ({ virtual }) =>
    virtual.create(configMaps, { metadata: key, data: { text: 'hello' } }),
  'its text changes': ({ virtual }) =>
    virtual.patch(configMaps, key, { type: 'merge', body: { data: { text: 'bye' } } }),
  'it is deleted': ({ virtual }) => virtual.delete(configMaps, key),
}

const scenario = (change: (syncer: Syncer) => void = () => {}): Scenario => ({
  register: (plugin, ctx) => {
    const syncer = mirrorOfConfigMaps(ctx)
    change(syncer)
    plugin.register(syncer)
  },
  steps,
})

/** The failure with which an exploration rejects. */
async function failureOf(exploration: Promise<unknown>): Promise<ScenarioFailure> {
  try {
    await exploration
  } catch (error) {
    if (error instanceof ScenarioFailure) return error
    throw error
  }
  throw new Error('the scenario passed, but it must fail')
}

/** Deletes copies by name, without a UID precondition. */
const deletesByName = scenario((syncer) => {
  syncer.syncUp = async (ctx, host) => {
    await ctx.host.client.delete(configMaps, { namespace: hostKey.namespace, name: host.metadata.name ?? '' })
  }
})

void t.test(
  'the parts of an exploration are the whole one, and each has all phases of a crash',
  async (t) => {
    const whole = await exhaust(scenario(), { faults: ['crashes', 'refusals'] })
    const parts = []
    for (const index of [1, 2, 3])
      parts.push(await exhaust(scenario(), { faults: ['crashes', 'refusals'], part: { index, of: 3 } }))
    t.strictSame(parts.flatMap(({ schedules }) => schedules).sort(), [...whole.schedules].sort())
    for (const { runs, schedules, writes } of parts) {
      t.equal(runs, schedules.length)
      t.same(writes, whole.writes)
      for (const phase of crashPhases)
        t.ok(
          schedules.some((schedule) => schedule.endsWith(`:${phase}`)),
          phase,
        )
    }
    for (const part of [
      { index: 0, of: 3 },
      { index: 4, of: 3 },
      { index: 1, of: 1.5 },
    ])
      await t.rejects(exhaust(scenario(), { faults: ['crashes'], part }), {
        message: /^exhaust: part must be for example \{ index: 1, of: 3 \}/,
      })
  },
)

void t.test('a correct mirror passes, and the report lists what was tried', async (t) => {
  const crashes = await exhaust(scenario(), { faults: ['crashes'] })
  t.same(
    crashes.writes.filter((write) => write.includes('greeting')),
    ['create', 'update', 'delete'].map(
      (verb) => `${verb} host configmaps ${hostKey.namespace}/${hostKey.name}`,
    ),
  )
  t.equal(crashes.runs, 3 * crashes.writes.length + 2 * Object.keys(steps).length)
  t.same(crashes.missed, [])
  t.equal(crashes.lateStartChecked, true)
  t.equal((await exhaust(scenario(), { faults: ['late-events'] })).runs, 6)
  t.equal((await exhaust(scenario(), { faults: ['lost-events'] })).runs, 12)
  t.equal((await perturb(scenario(), { runs: 10 })).runs, 10)
})

void t.test(
  'an unsafe write fails the run without faults, and the message describes the write',
  async (t) => {
    await t.rejects(exhaust(deletesByName, { faults: ['crashes'] }), {
      name: 'ScenarioFailure',
      message:
        /without any fault:\n {2}delete host configmaps vcluster-vc\/greeting-x-default-x-vc: the delete has no precondition/,
    })
  },
)

void t.test('several kinds of faults share a report, and a plugin has none of an operator', async (t) => {
  const { runs, schedules, missed } = await exhaust(scenario(), { faults: ['crashes', 'late-events'] })
  t.ok(schedules.includes('crash:1:before') && schedules.includes('late:host:1'))
  t.equal(runs, schedules.length)
  t.same(missed, [])
  const faults = ['edits' as 'crashes']
  await t.rejects(exhaust(scenario(), { faults }), {
    message: /a plugin has no fault edits; it has crashes,/,
  })
  await t.rejects(exhaust(scenario(), { faults: [] }), {
    message: /no faults are given; a plugin has crashes,/,
  })
})

void t.test('a bug that only a crash shows is reported with a schedule that repeats it', async (t) => {
  // Keeps the names of its copies in memory and deletes no others.
  const forgetful = (): Scenario => ({
    register: (plugin, ctx) => {
      const syncer = mirrorOfConfigMaps(ctx)
      const made = new Set<string>()
      const { syncDown, syncUp } = syncer
      syncer.syncDown = (syncCtx, virtual) => {
        made.add(virtual.metadata.name ?? '')
        return syncDown.call(syncer, syncCtx, virtual)
      }
      syncer.syncUp = async (syncCtx, host) => {
        if (made.has(syncCtx.key.name)) await syncUp?.call(syncer, syncCtx, host)
      }
      plugin.register(syncer)
    },
    steps,
  })
  const failure = await failureOf(exhaust(forgetful(), { faults: ['crashes'] }))
  const schedule = /replay\(scenario, '(.*)'\)/.exec(failure.message)?.[1] ?? ''
  t.match(schedule, /^crash:\d+:/)
  t.match(failure.message, /host configmaps vcluster-vc\/greeting-x-default-x-vc should not exist/)
  const [first = ''] = failure.message.split('\nit also fails')
  t.equal((await failureOf(replay(forgetful(), schedule))).message, first)
  await t.resolves(replay(scenario(), schedule))
})

void t.test('random faults are reduced to the fewest that still fail', async (t) => {
  // Treats every failed create as success.
  const careless = scenario((syncer) => {
    const { syncDown } = syncer
    syncer.syncDown = async (ctx, virtual) => {
      try {
        await syncDown.call(syncer, ctx, virtual)
      } catch {
        return
      }
    }
  })
  const failure = await failureOf(perturb(careless, { seed: 3, runs: 100 }))
  t.match(failure.runs, [{ faults: [{ type: 'refuse' }] }])
  t.equal(failure.runs[0]?.faults.length, 1)
  t.match(failure.message, /found with seed 3 as /)
})

void t.test('a scenario that never settles, or whose runs differ, fails with the reason', async (t) => {
  const restless = scenario((syncer) => {
    syncer.sync = async () => ({ requeueAfterMs: 500 })
  })
  await t.rejects(exhaust(restless, { faults: ['crashes'] }), {
    message: /did not settle within 10 minutes of virtual time/,
  })
  const random = {
    ...scenario(),
    steps: { 'one is created': steps['a ConfigMap is created'] ?? (async () => {}) },
  }
  let n = 0
  const before: Scenario['before'] = ({ virtual }) =>
    virtual.create(configMaps, { metadata: { namespace: 'default', name: `random-${n++}` } })
  await t.rejects(exhaust({ ...random, before }, { faults: ['crashes'] }), {
    message: /a second run ends in another state/,
  })
})

void t.test('a plugin that waits for a promise that never settles is reported to hang', async (t) => {
  const hanging = { ...scenario(), register: () => new Promise<void>(() => {}) }
  await t.rejects(exhaust(hanging, { faults: ['crashes'] }), { message: /the plugin hangs: it is not idle/ })
})

void t.test('a failure without faults includes the log of the plugin', async (t) => {
  const broken = scenario((syncer) => {
    syncer.syncDown = async () => {
      throw new Error('no data')
    }
  })
  const edit = { type: 'merge', body: { data: { text: 'edited' } } } as const
  const edited: Scenario['steps'] = {
    'its copy is edited': ({ host }) => host.patch(configMaps, hostKey, edit),
  }
  await t.rejects(exhaust({ ...broken, steps: { ...steps, ...edited } }, { faults: ['crashes'] }), {
    message:
      /^step 4, "its copy is edited": [\s\S]*not found\nthe plugin logged:\n {2}error reconciling failed, .*"no data"/,
  })
})

void t.test('virtual time waits for a file that the plugin reads', async (t) => {
  const crd = JSON.stringify({
    metadata: { name: 'cars.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'cars', kind: 'Car' },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  })
  const dir = t.testdir({
    'cars.yaml': crd,
    'one.yaml': 'kind: Namespace\napiVersion: v1\nmetadata: {name: one}',
  })
  const init = async (ctx: RegisterContext) => {
    await ensureCRD(ctx, { file: `${dir}/cars.yaml` })
    for (let i = 0; i < 20; i++) await readFile(`${dir}/one.yaml`)
    await applyManifests(ctx, pathToFileURL(`${dir}/one.yaml`))
  }
  const { register } = scenario()
  const reading: Scenario = {
    register: (plugin, ctx) => {
      plugin.register({ name: 'files', init })
      return register(plugin, ctx)
    },
    steps,
  }
  await t.resolves(replay(reading, 'crash:1:before'))
})

void t.test('virtual time waits for a module that the plugin imports', async (t) => {
  const dir = t.testdir({ 'module.mjs': 'export const one = 1' })
  let imports = 0
  const { register } = scenario()
  const importing: Scenario = {
    register: async (plugin, ctx) => {
      for (let i = 0; i < 3; i++) await import(`${pathToFileURL(`${dir}/module.mjs`)}?${imports++}`)
      return register(plugin, ctx)
    },
    steps,
  }
  await t.resolves(replay(importing, 'crash:1:before'))
})

void t.test('a plugin that waits for work in another thread does not hang', async (t) => {
  const { register } = scenario()
  const deriving: Scenario = {
    register: async (plugin, ctx) => {
      await promisify(pbkdf2)('password', 'salt', 500_000, 32, 'sha256')
      return register(plugin, ctx)
    },
    steps,
  }
  await t.resolves(replay(deriving, 'crash:1:before'))
})
