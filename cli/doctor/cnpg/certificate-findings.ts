import { createPrivateKey, X509Certificate } from 'node:crypto'
import { renewalTime } from '../../../sdk/engine/certificate/serving-certificate.js'
import type { Secret } from '../../../sdk/engine/kube/builtin.js'
import { selfSignedLabel } from '../../program/self-signed-label.js'
import { type Finding, finding } from '../finding.js'

/** Checks the server's certificate: the operator trusts `tls.crt` only, and expects one name in it. */
export function serverFindings(secret: Secret, serverName: string, now: Date): Finding[] {
  const check = 'server certificate'
  const { name } = secret.metadata
  const leaf = certificateOf(secret)
  if (!leaf)
    return [
      finding(
        check,
        'failed',
        `Secret ${name} has no certificate in tls.crt; the operator reads that key only`,
      ),
    ]
  const wrong = validityFinding(check, secret, leaf, now)
  if (wrong) return [wrong]
  const names = leaf.subjectAltName ?? ''
  if (!leaf.checkHost(serverName, { subject: 'never' }))
    return [
      finding(
        check,
        'failed',
        `the certificate in Secret ${name} is for ${names || 'no name'}, but the operator expects ${serverName}; issue it with the DNS name ${serverName}`,
      ),
    ]
  const late = renewalFinding(check, secret, leaf, now)
  return [late ?? finding(check, 'ok', `Secret ${name}, for ${serverName}, until ${leaf.validTo}`)]
}

/** Checks the certificate that the operator presents. */
export function clientFindings(secret: Secret, now: Date): Finding[] {
  const check = 'client certificate'
  const { name } = secret.metadata
  const leaf = certificateOf(secret)
  const key = textOf(secret, 'tls.key')
  if (!leaf || !key)
    return [
      finding(
        check,
        'failed',
        `Secret ${name} needs a certificate in tls.crt and its key in tls.key: the operator presents them`,
      ),
    ]
  const wrong = validityFinding(check, secret, leaf, now)
  if (wrong) return [wrong]
  if (!fits(leaf, key))
    return [
      finding(check, 'failed', `tls.key of Secret ${name} is not the key of its tls.crt; issue both again`),
    ]
  const late = renewalFinding(check, secret, leaf, now)
  return [late ?? finding(check, 'ok', `Secret ${name}, until ${leaf.validTo}`)]
}

/** Whether a plugin that is given `tls.crt` of the client's Secret alone never sees a certificate of the operator. */
export function needsAuthority(secret: Secret): boolean {
  const all = certificatesOf(textOf(secret, 'tls.crt'))
  return all.length > 0 && !all.some((certificate) => certificate.ca || certificate.checkIssued(certificate))
}

function validityFinding(
  check: string,
  { metadata: { name } }: Secret,
  leaf: X509Certificate,
  now: Date,
): Finding | undefined {
  if (Date.parse(leaf.validTo) <= now.getTime())
    return finding(check, 'failed', `the certificate in Secret ${name} expired at ${leaf.validTo}; renew it`)
  if (Date.parse(leaf.validFrom) > now.getTime())
    return finding(
      check,
      'failed',
      `the certificate in Secret ${name} is not valid before ${leaf.validFrom}; compare the clocks`,
    )
  return undefined
}

/** No program renews certificates that `manifest --self-signed` made. */
function renewalFinding(
  check: string,
  { metadata: { name, labels } }: Secret,
  leaf: X509Certificate,
  now: Date,
): Finding | undefined {
  const isOurs = Object.entries(selfSignedLabel).every(([key, value]) => labels?.[key] === value)
  if (!isOurs || now.getTime() < renewalTime(leaf.toString())) return undefined
  const message = `the certificate in Secret ${name} expires at ${leaf.validTo}, and nothing renews it; run vcluster-plugin manifest with --renew`
  return finding(check, 'warning', message)
}

function fits(leaf: X509Certificate, key: string): boolean {
  try {
    return leaf.checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

const certificateOf = (secret: Secret) => certificatesOf(textOf(secret, 'tls.crt'))[0]

function certificatesOf(text: string): X509Certificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch {
    return []
  }
}

const textOf = ({ data }: Secret, key: string) => Buffer.from(data?.[key] ?? '', 'base64').toString('utf8')
