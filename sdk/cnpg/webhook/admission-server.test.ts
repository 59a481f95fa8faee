import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { issueCertificate } from '../../engine/certificate/serving-certificate.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { systemClock } from '../../engine/time/clock.js'
import { CallRunner } from '../calls/call-runner.js'
import { AdmissionServer } from './admission-server.js'

void t.test('an address that cannot be listened on is named with its flag', async (t) => {
  const names = { dnsNames: ['hello'], addresses: [] }
  const { certificate, key } = issueCertificate(names, { now: new Date(), lifeMs: 3_600_000 })
  const folder = t.testdir({ 'tls.crt': certificate, 'tls.key': key })
  const tls = {
    certificate: join(folder, 'tls.crt'),
    key: join(folder, 'tls.key'),
    clientAuthority: join(folder, 'tls.crt'),
  }
  const program = { logger: silentLogger, clock: systemClock }
  const runner = new CallRunner({ plugin: 'hello', metrics: noMetrics, ...program })
  const listen = async (address: string) => {
    const method = { path: '', call: async () => Buffer.of(), read: { request: String, answer: String } }
    const methods = { default: method, validate: method }
    await new AdmissionServer({ methods, address, tls, runner, ...program }).listen(AbortSignal.abort())
  }
  const other = createServer().listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  await t.rejects(listen(`127.0.0.1:${(other.address() as AddressInfo).port}`), {
    code: 'CANNOT_LISTEN',
    message: /another program listens there .*; choose another --webhook-address \(WEBHOOK_ADDRESS\)$/,
  })
  await t.rejects(listen('9443'), {
    code: 'INVALID_ADDRESS',
    message: /^--webhook-address must be host:port, got "9443"/,
  })
})
