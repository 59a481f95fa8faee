import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { issueCertificate } from '../../engine/certificate/serving-certificate.js'
import { CertificateAuthority, commonName } from '../../engine/kube/certificate/certificate-authority.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { systemClock } from '../../engine/time/clock.js'
import { TlsListener, type TlsListenerOptions } from './tls-listener.js'

const { certificate, key } = issueCertificate(
  { dnsNames: [], addresses: ['127.0.0.1'] },
  { now: new Date(), lifeMs: 86_400_000 },
)
const now = Date.now()
const clients = new CertificateAuthority('clients', {
  notBefore: new Date(now - 60_000),
  notAfter: new Date(now + 86_400_000),
})
const client = clients.issue({ subject: [[commonName, 'operator']], usage: 'client' })
const set = { certificate, key, clientAuthority: clients.certificate, warnings: [] }
const anyServer = { rejectUnauthorized: false, ALPNProtocols: ['h2'], minVersion: 'TLSv1.3' } as const
const files = { certificate: '/server/tls.crt', key: '/server/tls.key', clientAuthority: '/client/ca.crt' }

async function listen(t: Test, limits: Partial<TlsListenerOptions>) {
  const warnings: string[] = []
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => void warnings.push(message) }
  const listener = new TlsListener({
    set,
    files,
    logger,
    clock: systemClock,
    ...limits,
    onConnection: (connection) => void connection.pipe(connection),
  })
  t.teardown(() => listener.close())
  const { port } = await listener.listen({ host: '127.0.0.1', port: 0 })
  return { port, warnings }
}

void t.test('a connection without a handshake is closed after the time for it', async (t) => {
  const { port, warnings } = await listen(t, { handshakeTimeoutMs: 20 })
  const silent = connectPlain(port, '127.0.0.1')
  silent.on('error', () => {})
  silent.resume()
  await once(silent, 'close')
  t.strictSame(warnings, [], 'a probe may do this')
})

void t.test('connections without a handshake do not keep out a trusted client', async (t) => {
  const { port, warnings } = await listen(t, { maxConnections: 2 })
  const silent = () => {
    const socket = connectPlain(port, '127.0.0.1')
    t.teardown(() => socket.destroy())
    socket.on('error', () => {})
    return once(socket.resume(), 'connect')
  }
  await silent()
  await silent()
  const trusted = connect({
    port,
    host: '127.0.0.1',
    cert: client.certificate,
    key: client.key,
    ...anyServer,
  })
  t.teardown(() => trusted.destroy())
  await once(trusted, 'secureConnect')
  // Its handshake is over, so that others are closed in its place.
  for (let further = 0; further < 3; further++) await silent()
  trusted.write('x')
  const [answer] = await Promise.race([once(trusted, 'close'), once(trusted, 'data')])
  t.equal(String(answer), 'x')
  t.match(warnings, [/^a connection without a handshake was closed: there were more than 2\./])
  t.equal(warnings.length, 1)
})
