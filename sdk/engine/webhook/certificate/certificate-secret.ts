import { X509Certificate } from 'node:crypto'
import type { ServingCertificate } from '../../certificate/serving-certificate.js'
import type { Secret } from '../../kube/builtin.js'
import type { Key } from '../../kube/key.js'

/** A Secret with a certificate, its key and the authorities, of the same type as cert-manager's Secrets. */
export function certificateSecret(
  { namespace, name }: Key,
  { certificate, key, authorities }: ServingCertificate,
): Secret {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name },
    type: 'kubernetes.io/tls',
    data: { 'tls.crt': encode(certificate), 'tls.key': encode(key), 'ca.crt': encode(authorities.join('')) },
  }
}

/** The certificate of a Secret; undefined if one of its parts is missing or not readable. */
export function certificateOf(secret: Secret | undefined): ServingCertificate | undefined {
  const [certificate, key, bundle] = ['tls.crt', 'tls.key', 'ca.crt'].map((name) =>
    Buffer.from(secret?.data?.[name] ?? '', 'base64').toString('utf8'),
  )
  const authorities = bundle?.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? []
  const isWhole = certificate && key && authorities.length > 0 && authorities.every(isCertificate)
  return isWhole ? { certificate, key, authorities } : undefined
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).ca
  } catch {
    return false
  }
}
