import { getEventListeners } from 'node:events'
import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { deployments } from '../../sdk/engine/kube/builtin.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { until } from '../../test/until.js'
import { runWorkloads } from './run-workloads.js'

const key = { namespace: 'default', name: 'web' }
const labels = { app: 'web' }
const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'web' }] } }

void t.test('workloads become ready with one listener on the signal for all kinds', async (t) => {
  const transport = inProcessTransport(await createApiServer({ name: 'main' }))
  const client = createClient({ transport })
  const ending = new AbortController()
  runWorkloads({ client, transport, signal: ending.signal, onProblem: (message) => t.fail(message) })
  t.equal(getEventListeners(ending.signal, 'abort').length, 1)
  const spec = { replicas: 2, selector: { matchLabels: labels }, template }
  await client.create(deployments, { metadata: key, spec })
  await until(async () => (await client.get(deployments, key)).status?.readyReplicas === 2)
  ending.abort()
  t.equal(getEventListeners(ending.signal, 'abort').length, 0)
})
