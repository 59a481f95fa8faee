import { isIP } from 'node:net'

/** The error of a TLS client about a certificate. */
export interface CertificateError extends NodeJS.ErrnoException {
  /** The name that was called. */
  readonly host?: string
  readonly cert?: { readonly subjectaltname?: string }
}

const failed = 'tls: failed to verify certificate: x509:'

/** Go's message for each code of Node. */
const texts: Readonly<Record<string, (error: CertificateError) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: () => 'certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: () => 'certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () => 'certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () => 'certificate signed by unknown authority',
  CERT_HAS_EXPIRED: () => 'certificate has expired or is not yet valid',
  CERT_NOT_YET_VALID: () => 'certificate has expired or is not yet valid',
  ERR_TLS_CERT_ALTNAME_INVALID: otherName,
}

/** Go's message about a certificate; undefined for any other error. See `x509.HostnameError`. */
export function certificateText(error: CertificateError): string | undefined {
  const text = texts[error.code ?? '']?.(error)
  return text === undefined ? undefined : `${failed} ${text}`
}

function otherName({ host = '', cert = {} }: CertificateError): string {
  const isAddress = isIP(host) !== 0
  const names = namesOf(cert.subjectaltname ?? '', isAddress ? 'IP Address:' : 'DNS:')
  if (names.length > 0) return `certificate is valid for ${names.join(', ')}, not ${host}`
  if (!isAddress) return `certificate is not valid for any names, but wanted to match ${host}`
  return `cannot validate certificate for ${host} because it doesn't contain any IP SANs`
}

/** The names of one type, in Node's text of all: `DNS:a.b.svc, IP Address:10.0.0.1`. */
const namesOf = (text: string, type: string) =>
  text.split(', ').flatMap((name) => (name.startsWith(type) ? [name.slice(type.length)] : []))
