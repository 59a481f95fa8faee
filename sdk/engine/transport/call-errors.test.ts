import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { FailedAttempt } from './attempt.js'
import { CallErrors } from './call-errors.js'
import { CallScope } from './call-scope.js'

const timeoutError = () => new Error('no answer')

/** The message about a call whose connection failed with a code of Node. */
function messageOf(code: string): string {
  const failed = new FailedAttempt(Object.assign(new Error('it failed'), { code }), { sent: false })
  const scope = new CallScope({ clock: new VirtualClock(), timeoutMs: 1000, timeoutError })
  return String(new CallErrors('h:6443').explain({ method: 'GET', path: '/version' }, scope, failed))
}

void t.test('each problem of a certificate has a cure of its own', (t) => {
  for (const code of ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])
    t.match(messageOf(code), /; renew the certificate of the server, or compare the clocks$/)
  for (const alert of [
    'SSLV3_ALERT_BAD_CERTIFICATE',
    'TLSV1_ALERT_UNKNOWN_CA',
    'TLSV13_ALERT_CERTIFICATE_REQUIRED',
  ])
    t.match(
      messageOf(`ERR_SSL_${alert}`),
      /; the server rejects the client certificate: renew client-certificate/,
    )
  t.match(messageOf('SELF_SIGNED_CERT_IN_CHAIN'), /; check certificate-authority and tls-server-name/)
  t.notMatch(messageOf('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), /client certificate/)
  t.end()
})
