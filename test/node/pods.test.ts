// Programs in Pods of a real node, and plugins of a real vcluster there, deployed by the commands of the documentation.
import t from 'tap'
import { devspace } from '../vcluster/cases/devspace.js'
import { inSyncer } from '../vcluster/cases/in-syncer.js'
import { claimedSidecar, sidecar } from '../vcluster/cases/sidecar.js'
import { isWholeRun } from '../whole-run.js'
import { cnpg } from './cases/cnpg.js'
import { created } from './cases/created.js'
import { evictions } from './cases/evictions.js'
import { bucket, memcached, memcachedHelm } from './cases/examples.js'
import { modules } from './cases/modules.js'
import { installedOperator, operator } from './cases/operator.js'
import { releases } from './cases/releases.js'
import { inLines, wantedLines } from './in-lines.js'
import { firstEvicted } from './memory-pressure.js'
import { missingNode, startNode } from './real-node.js'

// Programs start while other cases build images and start Pods.
process.env.UNTIL_SECONDS ??= '300'
t.setTimeout(2_700_000)
t.comment('timeout=2700000')

/** All cases, the longest first. Those of one line share kinds, so they take turns. */
const all = [
  [sidecar],
  [operator],
  [modules, releases],
  [inSyncer],
  [devspace],
  [cnpg],
  [memcachedHelm, memcached],
  [created, bucket],
]
/** The cases of each change: a plugin, an operator and Modules are deployed and do their work. */
const first = [[claimedSidecar], [modules, installedOperator]]

void t.test('programs in Pods', { skip: missingNode(), jobs: 2 }, async (t) => {
  const node = await startNode(t)
  await node.load('localhost/node:24-slim')
  await node.apply(firstEvicted)
  const lines = wantedLines(isWholeRun ? all : first)
  await inLines(t, node, lines)
  if (!isWholeRun) return
  // Alone: the node takes no other Pods meanwhile.
  await t.test('evicted for the memory of the node', { jobs: 2 }, (t) => evictions(t, node, lines.flat()))
})
