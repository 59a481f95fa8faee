import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { namespaces } from '../../sdk/engine/kube/builtin.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { explainCall } from './explain-call.js'

/** Lists namespaces of a server, as a command does. */
async function list(t: Test, server: string) {
  const kubeconfig = { source: 'kubeconfig /a', server, user: { token: 'secret-token' } }
  const transport = createTransport({ kubeconfig, cluster: 'host', userAgent: 'test' })
  t.teardown(() => transport.close())
  return explainCall(kubeconfig, () => createClient({ transport }).listAll(namespaces))
}

/** The address of a server that refuses each request. */
async function refusing(t: Test, code: number, message: string): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(code, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ kind: 'Status', status: 'Failure', code, message }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

void t.test('a cluster that does not answer or refuses the credentials is named', async (t) => {
  await t.rejects(list(t, 'http://127.0.0.1:1'), {
    code: 'CLUSTER_UNREACHABLE',
    message:
      /^the cluster of kubeconfig \/a \(http:\/\/127\.0\.0\.1:1\) does not answer: connection refused \(ECONNREFUSED\); check [^:]*$/,
  })
  const expired = await refusing(t, 401, 'Unauthorized')
  await t.rejects(list(t, expired), {
    code: 'CLUSTER_UNREACHABLE',
    message: `the cluster of kubeconfig /a (${expired}) refuses the credentials (401): they are wrong or have expired; renew them`,
  })
})

void t.test('a forbidden call has the words of the API server', async (t) => {
  const server = await refusing(
    t,
    403,
    'namespaces is forbidden: User "me" cannot list resource "namespaces"',
  )
  await t.rejects(list(t, server), {
    code: 'MISSING_PERMISSIONS',
    message: /forbids the call: namespaces is forbidden: User "me" cannot list.*; use other credentials/,
  })
  const other = await refusing(t, 409, 'the object has been modified')
  await t.rejects(list(t, other), { name: 'ApiError', message: 'the object has been modified' })
})
