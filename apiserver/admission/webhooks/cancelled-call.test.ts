// Tests that the call of a webhook ends when the client of the request has gone.
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { createApiServer } from '../../api-server.js'
import { createAuthority } from '../../listeners/certificates.js'

const authority = createAuthority('webhooks')
const headers = { 'content-type': 'application/json' }

/** A webhook that never answers. Resolves when it is called, and when the call has ended. */
function silentWebhook() {
  const { certificate: cert, key } = authority.server('127.0.0.1')
  const server = createServer({ cert, key })
  const called = once(server, 'request')
  const ended = called.then(
    ([incoming]: IncomingMessage[]) => new Promise((resolve) => incoming?.once('close', resolve)),
  )
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const listening = new Promise<string>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
  return { listening, called, ended, close }
}

for (const failurePolicy of ['Fail', 'Ignore']) {
  void t.test(`a call with the failure policy ${failurePolicy} ends with its client`, async (t) => {
    const webhook = silentWebhook()
    t.teardown(webhook.close)
    const address = await webhook.listening
    const server = await createApiServer({ resolveService: () => address })
    t.teardown(() => server.close())
    const clientConfig = {
      service: { namespace: 'default', name: 'kubernetes' },
      caBundle: Buffer.from(authority.certificate).toString('base64'),
    }
    const rules = [
      { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
    ]
    const base = { sideEffects: 'None', admissionReviewVersions: ['v1'], timeoutSeconds: 30, failurePolicy }
    const webhooks = [{ name: 'a.example.com', rules, clientConfig, ...base }]
    await server.handle({
      method: 'POST',
      path: '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations',
      headers,
      body: JSON.stringify({ metadata: { name: 'w' }, webhooks }),
    })
    const client = new AbortController()
    const path = '/api/v1/namespaces/default/configmaps'
    const body = JSON.stringify({ metadata: { name: 'a' } })
    const answer = server.handle({ method: 'POST', path, headers, body, signal: client.signal })
    await webhook.called
    client.abort()
    await webhook.ended
    const { status, body: bytes } = await answer
    t.equal(status, 500)
    t.match(Buffer.from(bytes as Uint8Array).toString(), /context canceled/)
    t.equal((await server.handle({ method: 'GET', path: `${path}/a` })).status, 404)
  })
}
