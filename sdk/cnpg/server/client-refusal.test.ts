import t from 'tap'
import { refusalText } from './client-refusal.js'

const files = { certificate: '/server/tls.crt', key: '/server/tls.key', clientAuthority: '/client/ca.crt' }
const failed = (code: string, authorizationError?: string) =>
  refusalText({ error: Object.assign(new Error('x'), { code }), authorizationError }, files)

void t.test('each refusal says what to do, and probes are not refusals', (t) => {
  t.match(
    failed('ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE'),
    /no certificate\. The operator presents its own only if the issuer of it is in \/client\/ca\.crt: add the issuer$/,
  )
  t.match(failed('ERR_SSL_UNSUPPORTED_PROTOCOL'), /does not speak TLS 1\.3/)
  t.match(failed('ECONNRESET', 'CERT_HAS_EXPIRED'), /has expired\. Renew the Secret/)
  t.match(failed('ECONNRESET', 'CERT_NOT_YET_VALID'), /not valid yet\. Compare the clocks/)
  t.match(
    failed('ECONNRESET', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    /no authority in \/client\/ca\.crt has issued its certificate \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)\. Add the issuer/,
  )
  t.match(
    failed('ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE'),
    /tls\.crt of the Secret in cnpg\.io\/pluginServerSecret must be \/server\/tls\.crt/,
  )
  t.equal(failed('ECONNRESET'), undefined)
  t.equal(failed('ERR_SSL_HTTP_REQUEST'), undefined)
  t.end()
})
