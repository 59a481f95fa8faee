// Tests the example between two real control planes that are restored from backups as operators do.
import t, { type Test } from 'tap'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import type { Side } from '../sdk/vcluster/context/register-context.js'
import { missingAssets } from './real/real-cluster.js'
import {
  grow,
  makeTarget,
  type RestorableCluster,
  type RunningPlugin,
  restorableCluster,
  revisionOf,
  startPlugin,
  untilRight,
  untilWatching,
  wrongCopies,
} from './restorable-clusters.js'

const merge = (body: object) => ({ type: 'merge', body }) as const

interface RestoreEnvironment {
  readonly clusters: Record<Side, RestorableCluster>
  plugin: RunningPlugin
}

/** Makes one change of each kind in the virtual cluster. A restore of an earlier backup undoes them. */
async function change({ client }: RestorableCluster, round: string): Promise<void> {
  const original = (name: string) => ({ namespace: 'default', name })
  await client.patch(configMaps, original('changes'), merge({ data: { round } }))
  await client.delete(configMaps, original('goes'))
  await client.create(configMaps, { metadata: original(`comes-${round}`), data: { round } })
}

/**
 * Brings both clusters to the state at the start of a round: one object that will be changed, one that will
 * be deleted, and a few that stay. Every watch is open and has delivered an event since its API server
 * started, so that no work of the last round is left.
 */
async function settle({ clusters, plugin }: RestoreEnvironment): Promise<void> {
  const { virtual } = clusters
  const there = new Set((await virtual.client.listAll(configMaps)).items.map(({ metadata }) => metadata.name))
  for (const name of ['changes', 'goes', 'stays', 'stays-too'].filter((name) => !there.has(name)))
    await virtual.client.create(configMaps, { metadata: { namespace: 'default', name }, data: { name } })
  await untilWatching(clusters, plugin)
  plugin.warnings()
}

/** Checks for exactly one warning that names the cluster, and that each of its watches has listed again. */
async function told(
  t: Test,
  { plugin }: RestoreEnvironment,
  side: Side,
  restartsBefore: number,
): Promise<void> {
  const warnings = plugin.warnings()
  t.equal(warnings.length, 1, warnings.join('; '))
  t.match(warnings[0], `the ${side} cluster was restored from a backup`)
  t.equal((await plugin.restarts(side)) - restartsBefore, side === 'host' ? 2 : 1, 'its watches list again')
}

const skip = missingAssets()

void t.test('the copies follow real clusters that are restored', { skip, timeout: 600_000 }, async (t) => {
  const [virtual, host] = await Promise.all([restorableCluster(t), restorableCluster(t)])
  const clusters = { virtual, host }
  await makeTarget(host)
  const environment: RestoreEnvironment = { clusters, plugin: await startPlugin(clusters) }
  t.teardown(() => environment.plugin.stop())

  for (const side of ['virtual', 'host'] as const) {
    const cluster = clusters[side]

    await t.test(`the ${side} cluster is restored to a recent backup`, async (t) => {
      await settle(environment)
      const backup = await cluster.real.backUp()
      await change(virtual, `${side}-little`)
      await untilRight(clusters)
      const before = await environment.plugin.restarts(side)
      await cluster.real.restore(backup)
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await told(t, environment, side, before)
    })

    await t.test(
      `the ${side} cluster is restored, and has newer revisions before the plugin connects`,
      async (t) => {
        await settle(environment)
        const backup = await cluster.real.backUp()
        await change(virtual, `${side}-busy`)
        await untilRight(clusters)
        const before = await environment.plugin.restarts(side)
        const revision = await revisionOf(cluster)
        const letIn = await cluster.cutOff()
        await cluster.real.restore(backup)
        await grow(cluster, revision + 100)
        t.not((await wrongCopies(clusters)).length, 0, 'some copies are wrong')
        await letIn()
        t.comment(`right after ${await untilRight(clusters)} ms`)
        await told(t, environment, side, before)
      },
    )

    await t.test(
      `the ${side} cluster is replaced by an empty one whose revisions become newer`,
      async (t) => {
        await settle(environment)
        const before = await environment.plugin.restarts(side)
        const revision = await revisionOf(cluster)
        const letIn = await cluster.cutOff()
        await cluster.real.restore()
        if (side === 'host') await makeTarget(cluster)
        await grow(cluster, revision + 100)
        t.not((await wrongCopies(clusters)).length, 0, 'some copies are wrong')
        await letIn()
        t.comment(`right after ${await untilRight(clusters)} ms`)
        await told(t, environment, side, before)
      },
    )

    await t.test(`the ${side} cluster is restored to an old backup`, async (t) => {
      await settle(environment)
      const backup = await cluster.real.backUp()
      await change(virtual, `${side}-far`)
      await untilRight(clusters)
      await grow(cluster, (await revisionOf(cluster)) + 300)
      const before = await environment.plugin.restarts(side)
      await cluster.real.restore(backup)
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await told(t, environment, side, before)
    })

    await t.test(`the ${side} cluster is restarted without a restore`, async (t) => {
      await settle(environment)
      const before = await environment.plugin.restarts(side)
      const revision = await revisionOf(cluster)
      const letIn = await cluster.cutOff()
      await cluster.real.restart()
      await change(virtual, `${side}-again`)
      await grow(cluster, revision + 100)
      await letIn()
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await untilWatching(clusters, environment.plugin)
      t.same([environment.plugin.warnings(), await environment.plugin.restarts(side)], [[], before])
    })

    await t.test(`a broken connection to the ${side} cluster is resumed without a list`, async (t) => {
      await settle(environment)
      const lists = await environment.plugin.lists(side)
      const letIn = await cluster.cutOff()
      const round = `${side}-cut`
      await virtual.client.create(configMaps, {
        metadata: { namespace: 'default', name: round },
        data: { round },
      })
      await letIn()
      await untilWatching(clusters, environment.plugin)
      t.equal(await environment.plugin.lists(side), lists)
      t.same(environment.plugin.warnings(), [])
    })
  }

  await t.test('both clusters are restored while the plugin is down', async (t) => {
    await settle(environment)
    const backups = { virtual: await virtual.real.backUp(), host: await host.real.backUp() }
    await change(virtual, 'away')
    await untilRight(clusters)
    await environment.plugin.stop()
    await Promise.all([virtual.real.restore(backups.virtual), host.real.restore(backups.host)])
    await virtual.client.delete(configMaps, { namespace: 'default', name: 'stays' })
    environment.plugin = await startPlugin(clusters)
    t.comment(`right after ${await untilRight(clusters)} ms`)
    t.same(environment.plugin.warnings(), [], 'the plugin has no earlier state to compare with')
  })
})
