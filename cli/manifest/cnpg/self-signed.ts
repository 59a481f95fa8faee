import { randomUUID, X509Certificate } from 'node:crypto'
import { withoutExpired } from '../../../sdk/engine/certificate/serving-certificate.js'
import type { Secret } from '../../../sdk/engine/kube/builtin.js'
import {
  CertificateAuthority,
  commonName,
  type KeyPair,
  type LeafOptions,
} from '../../../sdk/engine/kube/certificate/certificate-authority.js'
import { selfSignedLabel } from '../../program/self-signed-label.js'
import { secretNames } from './certificates.js'

/** The Secrets of the certificates of a plugin and of the operator. */
export interface SelfSignedSecrets {
  readonly server: Secret
  readonly client: Secret
}

/** Options of {@link selfSignedSecrets}. */
export interface SelfSignedOptions {
  service: string
  namespace: string
  now: Date
  /** The Secrets to renew; default none. */
  previous?: SelfSignedSecrets | undefined
  /**
   * The life of the certificate of the plugin, in milliseconds; default a year. That of the operator lives twice as
   * long.
   */
  lifeMs?: number
}

const yearMs = 365 * 86_400_000

/** A certificate with its key, and the authority that issued it. */
interface IssuedCertificate extends KeyPair {
  readonly authority: string
}

/**
 * Certificates that need no cert-manager. The keys of their authorities are not kept. With `previous` they replace
 * others without a moment in which one side rejects the other, although the plugin reads a changed Secret later than
 * the operator:
 *
 * - The operator trusts `tls.crt` of the server's Secret, which has the authority of the old certificate as well.
 * - The plugin trusts `ca.crt` of the client's Secret, which has the authority of the operator's next certificate since
 *   the renewal before. That certificate and its key wait as `next.crt` and `next.key`.
 */
export function selfSignedSecrets({
  service,
  namespace,
  now,
  previous,
  lifeMs = yearMs,
}: SelfSignedOptions): SelfSignedSecrets {
  const names = secretNames(service)
  const dnsNames = [service, `${service}.${namespace}.svc`]
  const serverLeaf = { subject: [[commonName, service]], usage: 'server', dnsNames } as const
  const clientLeaf = { subject: [[commonName, `${service}-client`]], usage: 'client' } as const
  const server = issue(serverLeaf, now, lifeMs)
  const next = issue(clientLeaf, now, 2 * lifeMs)
  const current = nextOf(previous?.client, now) ?? issue(clientLeaf, now, 2 * lifeMs)
  const metadataOf = (name: string) => ({ namespace, name })
  return {
    server: secretOf(
      metadataOf(names.server),
      serverTexts(server, withoutExpired(authoritiesOf(previous?.server), now)),
    ),
    client: secretOf(
      metadataOf(names.client),
      clientTexts({ current, next }, withoutExpired(authoritiesOf(previous?.client), now)),
    ),
  }
}

/** The members of the server's Secret; `trusted` are the authorities of earlier certificates. */
function serverTexts({ certificate, key, authority }: IssuedCertificate, trusted: readonly string[]) {
  const authorities = [authority, ...trusted]
  return {
    'tls.crt': [certificate, ...authorities].join(''),
    'tls.key': key,
    'ca.crt': authorities.join(''),
  }
}

/** The members of the client's Secret; `trusted` are the authorities of earlier certificates. */
function clientTexts(
  { current, next }: { current: IssuedCertificate; next: IssuedCertificate },
  trusted: readonly string[],
) {
  const authorities = new Set([current.authority, next.authority, ...trusted])
  return {
    'tls.crt': current.certificate,
    'tls.key': current.key,
    'ca.crt': [...authorities].join(''),
    'next.crt': next.certificate + next.authority,
    'next.key': next.key,
  }
}

/** The authorities in `ca.crt` of a Secret, PEM. */
export const authoritiesOf = (secret: Secret | undefined) => certificatesIn(textOf(secret, 'ca.crt'))

function issue(leaf: LeafOptions, now: Date, lifeMs: number): IssuedCertificate {
  const [[, holder] = ['', '']] = leaf.subject
  // Clocks may differ by an hour.
  const validity = {
    notBefore: new Date(now.getTime() - 3_600_000),
    notAfter: new Date(now.getTime() + lifeMs),
  }
  const authority = new CertificateAuthority(`${holder} ${randomUUID()}`, validity)
  return { ...authority.issue(leaf), authority: authority.certificate }
}

/**
 * The certificate of the operator that was prepared for this renewal; undefined if there is none, or it has expired.
 */
function nextOf(secret: Secret | undefined, now: Date): IssuedCertificate | undefined {
  const [certificate, authority] = certificatesIn(textOf(secret, 'next.crt'))
  const key = textOf(secret, 'next.key')
  if (!certificate || !authority || !key) return undefined
  return Date.parse(new X509Certificate(certificate).validTo) > now.getTime()
    ? { certificate, key, authority }
    : undefined
}

const certificatesIn = (text: string): string[] =>
  text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? []

const textOf = (secret: Secret | undefined, key: string) =>
  Buffer.from(secret?.data?.[key] ?? '', 'base64').toString('utf8')

function secretOf(key: { namespace: string; name: string }, texts: Readonly<Record<string, string>>): Secret {
  const data = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]),
  )
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...key, labels: selfSignedLabel },
    type: 'kubernetes.io/tls',
    data,
  }
}
