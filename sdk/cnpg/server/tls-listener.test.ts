import { once } from 'node:events'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { issueCertificate } from '../../engine/certificate/serving-certificate.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { systemClock } from '../../engine/time/clock.js'
import { TlsListener, type TlsListenerOptions } from './tls-listener.js'

const { certificate, key, authorities } = issueCertificate(
  { dnsNames: [], addresses: ['127.0.0.1'] },
  { now: new Date(), lifeMs: 86_400_000 },
)
const set = { certificate, key, clientAuthority: authorities.join(''), warnings: [] }
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
    onConnection: (connection) => void connection.resume(),
  })
  t.teardown(() => listener.close())
  return { port: await listener.listen('127.0.0.1', 0), warnings }
}

void t.test('a connection without a handshake is closed after the time for it', async (t) => {
  const { port, warnings } = await listen(t, { handshakeTimeoutMs: 20 })
  const silent = connectPlain(port, '127.0.0.1')
  silent.on('error', () => {})
  silent.resume()
  await once(silent, 'close')
  t.strictSame(warnings, [], 'a probe may do this')
})

void t.test('connections over the limit are closed, and the log says so once', async (t) => {
  const { port, warnings } = await listen(t, { maxConnections: 1 })
  const first = connectPlain(port, '127.0.0.1')
  await once(first, 'connect')
  for (let tries = 0; tries < 2; tries++) {
    const further = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await t.rejects(once(further, 'secureConnect'), { code: 'ECONNRESET' })
  }
  t.match(warnings, [/^a connection was closed: there are 1 already\./])
  t.equal(warnings.length, 1)
  first.destroy()
})
