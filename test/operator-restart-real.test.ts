// A restart of an operator with objects of many shapes, on a real API server.
import t from 'tap'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import { type Backup, backup, backups, key } from '../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../sdk/operator/controller/definition.js'
import { appliedShapes } from './real/applied-shapes.js'
import { openBackups } from './real/open-backups.js'
import { missingAssets } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')

const options: ControllerOptions<Backup> = {
  owns: [...new Set(Object.values(appliedShapes).map(([resource]) => resource))],
  async reconcile(ctx, { metadata }) {
    if (metadata.name !== key.name) return
    for (const [name, [resource, object]] of Object.entries(appliedShapes)) {
      const intent = object as KubeObject
      await ctx.apply(resource, { ...intent, metadata: { ...intent.metadata, name } })
    }
  },
}

void t.test(
  'a restart writes nothing, in whatever form the objects are applied',
  { skip, timeout: 600_000 },
  async (t) => {
    const { client, start } = await openBackups(t)
    const first = await start(options)
    await client.create(backups, backup(1))
    await until(async () => (await client.get(backups, key)).status?.observedGeneration === 1)
    await first.quiet()
    await first.stop()
    t.same(first.warnings, [])
    const second = await start(options)
    await second.quiet()
    t.same(second.writes, [])
    await second.stop()
  },
)
