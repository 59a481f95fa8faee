// Plugins of a real vcluster, in Pods of a real node.
import t from 'tap'
import { startNode } from '../node/real-node.js'
import { inSyncer } from './cases/in-syncer.js'
import { sidecar } from './cases/sidecar.js'
import { chartImages, missingVCluster } from './real-vcluster.js'

t.setTimeout(900_000)
t.comment('timeout=900000')

void t.test('plugins of a vcluster in Pods', { skip: missingVCluster(), jobs: 2 }, async (t) => {
  const node = await startNode(t)
  await node.load('localhost/node:24-slim', ...chartImages)
  for (const { title, skip = false, run } of [sidecar, inSyncer])
    void t.test(title, { skip }, (t) => run(t, node))
})
