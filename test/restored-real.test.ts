// The example between two real control planes that are restored from backups, as their operators do it.
import t, { type Test } from 'tap'
import type { Side } from '../sdk/context/register-context.js'
import { configMaps } from '../sdk/kube/builtin.js'
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
} from './restored-scene.js'

const merge = (body: object) => ({ type: 'merge', body }) as const

interface Scene {
  readonly clusters: Record<Side, RestorableCluster>
  plugin: RunningPlugin
}

/** Changes of each sort in the virtual cluster; where they come after a backup, a restore undoes them. */
async function change({ client }: RestorableCluster, round: string): Promise<void> {
  const original = (name: string) => ({ namespace: 'default', name })
  await client.patch(configMaps, original('changes'), merge({ data: { round } }))
  await client.delete(configMaps, original('goes'))
  await client.create(configMaps, { metadata: original(`comes-${round}`), data: { round } })
}

/**
 * Both clusters as a round begins: an object that will be changed, one that will go, and a few that stay. Every watch is open
 * and was told of a change since its API server was started, so that what the last round left to do is not done in this one.
 */
async function settle({ clusters, plugin }: Scene): Promise<void> {
  const { virtual } = clusters
  const there = new Set((await virtual.client.listAll(configMaps)).items.map(({ metadata }) => metadata.name))
  for (const name of ['changes', 'goes', 'stays', 'stays-too'].filter((name) => !there.has(name)))
    await virtual.client.create(configMaps, { metadata: { namespace: 'default', name }, data: { name } })
  await untilWatching(clusters, plugin)
  plugin.warnings()
}

/** One warning that names the cluster, and every watch of it has listed again. */
async function told(t: Test, { plugin }: Scene, side: Side, restartsBefore: number): Promise<void> {
  const warnings = plugin.warnings()
  t.equal(warnings.length, 1, warnings.join('; '))
  t.match(warnings[0], `the ${side} cluster was restored from a backup`)
  t.equal((await plugin.restarts(side)) - restartsBefore, side === 'host' ? 2 : 1, 'its watches list again')
}

const skip = missingAssets()

void t.test('real clusters that are restored are followed back', { skip, timeout: 400_000 }, async (t) => {
  const [virtual, host] = await Promise.all([restorableCluster(t), restorableCluster(t)])
  const clusters = { virtual, host }
  await makeTarget(host)
  const scene: Scene = { clusters, plugin: await startPlugin(clusters) }
  t.teardown(() => scene.plugin.stop())

  for (const side of ['virtual', 'host'] as const) {
    const cluster = clusters[side]

    await t.test(`the ${side} cluster goes back a little`, async (t) => {
      await settle(scene)
      const backup = await cluster.real.backUp()
      await change(virtual, `${side}-little`)
      await untilRight(clusters)
      const before = await scene.plugin.restarts(side)
      await cluster.real.restore(backup)
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await told(t, scene, side, before)
    })

    await t.test(`the ${side} cluster goes back, and is ahead again before anybody asks`, async (t) => {
      await settle(scene)
      const backup = await cluster.real.backUp()
      await change(virtual, `${side}-busy`)
      await untilRight(clusters)
      const before = await scene.plugin.restarts(side)
      const revision = await revisionOf(cluster)
      const letIn = await cluster.cutOff()
      await cluster.real.restore(backup)
      await grow(cluster, revision + 100)
      t.not((await wrongCopies(clusters)).length, 0, 'something is to be put right')
      await letIn()
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await told(t, scene, side, before)
    })

    await t.test(`the ${side} cluster is replaced by an empty one, and that comes further`, async (t) => {
      await settle(scene)
      const before = await scene.plugin.restarts(side)
      const revision = await revisionOf(cluster)
      const letIn = await cluster.cutOff()
      await cluster.real.restore()
      if (side === 'host') await makeTarget(cluster)
      await grow(cluster, revision + 100)
      t.not((await wrongCopies(clusters)).length, 0, 'something is to be put right')
      await letIn()
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await told(t, scene, side, before)
    })

    await t.test(`the ${side} cluster goes back far`, async (t) => {
      await settle(scene)
      const backup = await cluster.real.backUp()
      await change(virtual, `${side}-far`)
      await untilRight(clusters)
      await grow(cluster, (await revisionOf(cluster)) + 300)
      const before = await scene.plugin.restarts(side)
      await cluster.real.restore(backup)
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await told(t, scene, side, before)
    })

    await t.test(`the ${side} cluster is only started again`, async (t) => {
      await settle(scene)
      const before = await scene.plugin.restarts(side)
      const revision = await revisionOf(cluster)
      const letIn = await cluster.cutOff()
      await cluster.real.restart()
      await change(virtual, `${side}-again`)
      await grow(cluster, revision + 100)
      await letIn()
      t.comment(`right after ${await untilRight(clusters)} ms`)
      await untilWatching(clusters, scene.plugin)
      t.same([scene.plugin.warnings(), await scene.plugin.restarts(side)], [[], before])
    })

    await t.test(`a connection to the ${side} cluster that is cut is resumed without a list`, async (t) => {
      await settle(scene)
      const lists = await scene.plugin.lists(side)
      const letIn = await cluster.cutOff()
      const round = `${side}-cut`
      await virtual.client.create(configMaps, {
        metadata: { namespace: 'default', name: round },
        data: { round },
      })
      await letIn()
      await untilWatching(clusters, scene.plugin)
      t.equal(await scene.plugin.lists(side), lists)
      t.same(scene.plugin.warnings(), [])
    })
  }

  await t.test('both clusters are restored while the plugin is away', async (t) => {
    await settle(scene)
    const backups = { virtual: await virtual.real.backUp(), host: await host.real.backUp() }
    await change(virtual, 'away')
    await untilRight(clusters)
    await scene.plugin.stop()
    await Promise.all([virtual.real.restore(backups.virtual), host.real.restore(backups.host)])
    await virtual.client.delete(configMaps, { namespace: 'default', name: 'stays' })
    scene.plugin = await startPlugin(clusters)
    t.comment(`right after ${await untilRight(clusters)} ms`)
    t.same(scene.plugin.warnings(), [], 'nothing of before is kept that could be compared')
  })
})
