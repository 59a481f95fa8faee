import { createPrivateKey, X509Certificate } from 'node:crypto'
import { CertificateAuthority, commonName, type KeyPair } from '../kube/certificate/certificate-authority.js'

/** A certificate of the webhook server, and the authorities that its clients trust. */
export interface ServingCertificate extends KeyPair {
  /** Certificates of authorities, PEM. The authority that issued this certificate comes first. */
  readonly authorities: readonly string[]
}

/** The DNS names and IP addresses of a webhook server. */
export interface ServerNames {
  readonly dnsNames: readonly string[]
  readonly addresses: readonly string[]
}

/** Makes an authority, issues a certificate, and forgets the key of the authority. */
export function issueCertificate(
  names: ServerNames,
  { now, lifeMs }: { now: Date; lifeMs: number },
): ServingCertificate {
  // Clocks of API servers may be late.
  const early = Math.min(3_600_000, lifeMs / 3)
  const authority = new CertificateAuthority(`webhooks ${now.toISOString()}`, {
    notBefore: new Date(now.getTime() - early),
    notAfter: new Date(now.getTime() + lifeMs),
  })
  const [name = 'webhooks'] = [...names.dnsNames, ...names.addresses]
  const leaf = authority.issue({ subject: [[commonName, name.slice(0, 64)]], usage: 'server', ...names })
  return { ...leaf, authorities: [authority.certificate] }
}

/** The time at which a certificate must be renewed, in milliseconds since 1970: after two thirds of its life. */
export function renewalTime(certificate: string): number {
  const { validFrom, validTo } = new X509Certificate(certificate)
  const [from, to] = [Date.parse(validFrom), Date.parse(validTo)]
  return to - (to - from) / 3
}

/** Whether a certificate can be served: it is valid now and for these names, and the key belongs to it. */
export function isUsable({ certificate, key }: KeyPair, names: ServerNames, now: Date): boolean {
  try {
    const parsed = new X509Certificate(certificate)
    const isFor =
      names.dnsNames.every((name) => parsed.checkHost(name) !== undefined) &&
      names.addresses.every((address) => parsed.checkIP(address) !== undefined)
    return (
      isFor && Date.parse(parsed.validTo) > now.getTime() && parsed.checkPrivateKey(createPrivateKey(key))
    )
  } catch {
    // Text that is neither a certificate nor a key.
    return false
  }
}

/** The authorities that have not expired. */
export function withoutExpired(authorities: readonly string[], now: Date): string[] {
  return authorities.filter((one) => Date.parse(new X509Certificate(one).validTo) > now.getTime())
}
