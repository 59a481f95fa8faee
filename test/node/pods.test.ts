// Programs in Pods of a real node, deployed by the commands that the documentation names.
import t from 'tap'
import { cnpg } from './cases/cnpg.js'
import { created } from './cases/created.js'
import { eviction } from './cases/eviction.js'
import { bucket, memcached, memcachedHelm } from './cases/examples.js'
import { modules } from './cases/modules.js'
import { operator } from './cases/operator.js'
import { releases } from './cases/releases.js'
import { inLines } from './in-lines.js'
import { missingNode, startNode } from './real-node.js'

// Programs are described while other Pods start.
process.env.VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT ??= '120'
t.setTimeout(900_000)
t.comment('timeout=900000')

void t.test('programs in Pods', { skip: missingNode(), jobs: 3 }, async (t) => {
  const node = await startNode(t)
  await node.load('localhost/node:24-slim')
  // The longest first. Those of one line share kinds, so they take turns.
  const lines = [[modules, releases], [operator], [cnpg], [memcachedHelm, memcached], [created, bucket]]
  await inLines(t, node, lines)
  // Alone: the node takes no other Pods meanwhile.
  await inLines(t, node, [[eviction]])
})
