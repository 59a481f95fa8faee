import pick from 'lodash/pick.js'
import t from 'tap'
import { configMaps, deployments } from '../../sdk/engine/kube/builtin.js'
import { type Backup, backup, backups, key, memcached } from '../../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../../sdk/operator/controller/definition.js'
import { controller } from '../../sdk/operator/engine/controller.js'
import { crdOf } from '../../sdk/operator/kind/definition/crd-of.js'
import { type OperatorScenario, operatorScenario } from '../scenario/operator-scenario.js'
import { exhaust } from './exhaust.js'
import { replay } from './replay.js'
import { ScenarioFailure } from './scenario-failure.js'

type Options = ControllerOptions<Backup>

const grow = { type: 'merge', body: { spec: { size: 3 } } } as const

/** A Backup is created, and grows. */
const scenario = (first: Options, next?: Options): OperatorScenario =>
  operatorScenario({
    register: (operator) => operator.register(controller(backups, first)),
    ...(next && { nextRelease: (operator) => operator.register(controller(backups, next)) }),
    definitions: [crdOf(backups)],
    steps: {
      'a backup is created': ({ client }) => client.create(backups, backup(2)),
      'it grows': ({ client }) => client.patch(backups, key, grow),
    },
    simulate: ({ setAllReady }) => setAllReady(),
    writesPerChange: 6,
    maxFailures: 1,
  })

async function failureOf(exploration: Promise<unknown>): Promise<ScenarioFailure> {
  try {
    await exploration
  } catch (error) {
    if (error instanceof ScenarioFailure) return error
    throw error
  }
  throw new Error('the scenario passed, but it must fail')
}

/** A release that also keeps the settings in a ConfigMap, whose name is that of the release. */
const withSettings = (release: string): Options => ({
  owns: [deployments, configMaps],
  async reconcile(ctx, object) {
    await memcached.reconcile(ctx, object)
    const data = { size: String(object.spec.size) }
    await ctx.apply(configMaps, { metadata: { name: `daily-${release}` }, data })
  },
})

void t.test('a change that is taken back and made again during a run ends as without that', async (t) => {
  const { writes, schedules, missed } = await exhaust(scenario(memcached), { faults: ['flips'] })
  t.same(missed, [])
  const flipped = [...new Set(schedules.map((schedule) => Number(schedule.split(':')[1])))]
  t.equal(writes.length, 6)
  t.same(flipped, [4, 5, 6], 'every write after the change, but none of the creation')
  t.same(
    schedules,
    flipped.flatMap((n) => [`flip:${n}:soon`, `flip:${n}:later`]),
  )
})

void t.test('an operator that only ever grows fails when a change is taken back', async (t) => {
  const growing: Options = {
    owns: [deployments],
    async reconcile(ctx, object) {
      const live = ctx.store(deployments).get(key)
      const size = Math.max(object.spec.size, live?.spec?.replicas ?? 0)
      await memcached.reconcile(ctx, { ...object, spec: { size } })
    },
  }
  const failure = await failureOf(exhaust(scenario(growing), { faults: ['flips'] }))
  t.match(failure.message, /after the change was taken back, the state is not that before it: .*replicas":3/)
})

void t.test('releases with other objects replace each other at every write', async (t) => {
  const { runs, writes } = await exhaust(scenario(withSettings('first'), withSettings('next')), {
    faults: ['upgrades'],
  })
  t.equal(runs, 3 * 4 * writes.length)
})

void t.test('a kind that the first release does not declare is left by a downgrade', async (t) => {
  const { steps, ...rest } = scenario(memcached, withSettings('next'))
  const releases = { ...rest, steps: pick(steps, 'a backup is created') }
  const failure = await failureOf(exhaust(releases, { faults: ['upgrades'] }))
  t.match(failure.message, /main configmaps default\/daily-next should not exist/)
  const [schedule = ''] = /replay\(scenario, '([^']+)'/.exec(failure.message)?.slice(1) ?? []
  t.match(schedule, /^upgrade:\d+:\w+,(downgrade|rollback):/)
  await t.rejects(replay(releases, schedule), /daily-next should not exist/)
})

void t.test('objects of a kind that a release does not declare go with it, at every write', async (t) => {
  const settings: Options = {
    owns: [configMaps],
    ownedKindsHint: true,
    reconcile: async (ctx) => void (await ctx.apply(configMaps, { metadata: { name: 'daily' } })),
  }
  const { steps, ...rest } = scenario(settings, { ownedKindsHint: true, reconcile: () => {} })
  const { runs, writes } = await exhaust(
    { ...rest, steps: pick(steps, 'a backup is created') },
    { faults: ['upgrades'] },
  )
  t.equal(runs, 3 * 4 * writes.length)
  t.match(writes[0], /backups default\/daily/, 'the annotation is written first')
})

void t.test('a scenario without a next release is a mistake', (t) =>
  t.rejects(exhaust(scenario(memcached), { faults: ['upgrades'] }), { message: /has no nextRelease/ }),
)
