// Programs in Pods of a real node, deployed by the commands that the documentation names.
import t from 'tap'
import { missingNode, startNode } from './real-node.js'
import { bucket, cnpgPlugins, memcached, memcachedHelm } from './scenes/examples.js'
import { modules } from './scenes/modules.js'
import { operator } from './scenes/operator.js'

t.setTimeout(900_000)
t.comment('timeout=900000')

void t.test('programs in Pods', { skip: missingNode(), jobs: 3 }, async (t) => {
  const node = await startNode(t)
  await node.load('localhost/node:24-slim')
  // The longest first.
  for (const { title, skip = false, run } of [
    operator,
    modules,
    memcachedHelm,
    memcached,
    cnpgPlugins,
    bucket,
  ])
    void t.test(title, { skip }, (t) => run(t, node))
})
