// The certificate authorities that the servers of programs and charts may have.
import { X509Certificate } from 'node:crypto'
import * as tls from 'node:tls'

/**
 * Checks authorities of an option. Throws a `TypeError` for a text that is not PEM, because OpenSSL then trusts no
 * server without a word.
 */
export function checkAuthorities(pem: string | undefined, option: string): void {
  if (pem === undefined) return
  try {
    new X509Certificate(pem)
  } catch (cause) {
    throw new TypeError(`${option}.ca must be certificates in PEM, such as those of a file ca.crt`, { cause })
  }
}

/** The authorities of Node with additional ones; undefined without additional ones. */
export const authoritiesWith = (pem: string | undefined): string[] | undefined =>
  pem === undefined ? undefined : [...authoritiesOfNode(), pem]

/** The authorities of Node, `NODE_EXTRA_CA_CERTS` and the system, if this version of Node can list them. */
function authoritiesOfNode(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (type: 'default') => string[] }
  return getCACertificates?.('default') ?? tls.rootCertificates
}
