import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { createAuthority, type Pair } from './local-server.fixture.js'
import { secureContextOf } from './secure-context.js'

const authority = await createAuthority()
const server = await authority.issue('server')
const client = await authority.issue('me')

/** The subjects of the certificates that a client sends; OpenSSL leaves out those that come again. */
async function sentBy(t: Test, { cert, key }: Pair): Promise<string[]> {
  const listener = createServer({ ...server, requestCert: true, rejectUnauthorized: false })
  t.teardown(() => listener.close())
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const secureContext = secureContextOf({ ca: authority.ca, cert, key }, 'a kubeconfig')
  const socket = connect({ host: '127.0.0.1', port, secureContext })
  const [accepted] = (await once(listener, 'secureConnection')) as [TLSSocket]
  const leaf = accepted.getPeerCertificate(true)
  socket.destroy()
  const issuer = leaf.issuerCertificate as typeof leaf.issuerCertificate | undefined
  return [leaf, issuer].flatMap((one) => (one === undefined ? [] : [String(one.subject.CN)]))
}

void t.test('a client certificate is sent without its authority, which servers have', async (t) => {
  t.same(await sentBy(t, client), ['me'])
})

void t.test('a chain in the client certificate is sent as it is', async (t) => {
  t.same(await sentBy(t, { ...client, cert: `${client.cert}\n${authority.ca}` }), ['me', 'test-ca'])
})
