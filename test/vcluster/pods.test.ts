// Plugins of a real vcluster, in Pods of a real node.
import t from 'tap'
import { inLines } from '../node/in-lines.js'
import { startNode } from '../node/real-node.js'
import { devspace } from './cases/devspace.js'
import { inSyncer } from './cases/in-syncer.js'
import { sidecar } from './cases/sidecar.js'
import { workspaces } from './cases/workspaces.js'
import { commandsOf, isNoRelease, runDocumented } from './documented.js'
import { chartImages, missingVCluster } from './real-vcluster.js'

// Programs are described while other Pods start.
process.env.VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT ??= '120'
t.setTimeout(900_000)
t.comment('timeout=900000')

void t.test('plugins of a vcluster in Pods', { skip: missingVCluster(), jobs: 3 }, async (t) => {
  const node = await startNode(t)
  await node.load('localhost/node:24-slim', ...chartImages)
  for (const command of commandsOf('sidecar').filter(isNoRelease)) await runDocumented(node, command)
  await node.kubectl('apply', '-f', 'examples/crd-sync/host-samples.yaml')
  // The longest first.
  await inLines(t, node, [[sidecar], [inSyncer, devspace], [workspaces]])
})
