import { createPrivateKey, X509Certificate } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { checkClientKey } from './client-key.js'
import type { TlsIdentity } from './credential.js'

/**
 * Makes the secure context of TLS connections from PEM. Throws an error that names the part of the kubeconfig that
 * cannot be used, with OpenSSL's code, or why the client key is refused. The error quotes nothing, because a key may be
 * where a certificate is expected.
 */
export function secureContextOf(tls: TlsIdentity, source: string): SecureContext {
  try {
    check(tls)
    if (tls.key !== undefined) checkClientKey(tls.key, source)
    return createSecureContext({ ...tls, cert: withoutAuthority(tls.cert) })
  } catch (error) {
    const { code = 'no code' } = Object(error) as { code?: string }
    const part = unusablePart(tls)
    if (part === undefined) throw error
    const message = `${part} of ${source} is not usable as PEM (${code}); check the file or the base64 text`
    throw Object.assign(new Error(message), { code })
  }
}

/**
 * A client certificate that OpenSSL sends as it is. To a single one it adds the authority from `ca`, and a
 * kube-apiserver then verifies the certificate's signature twice at each request. To a chain it adds nothing, so the
 * certificate is sent twice; servers ignore the second one.
 */
function withoutAuthority(cert: string | undefined): string | undefined {
  return cert?.split('-----BEGIN CERTIFICATE-----').length === 2 ? `${cert}\n${cert}` : cert
}

const parts = [
  ['certificate-authority', ({ ca }) => ca === undefined || new X509Certificate(ca)],
  ['client-certificate', ({ cert }) => cert === undefined || new X509Certificate(cert)],
  ['client-key', ({ key }) => key === undefined || createPrivateKey(key)],
] as const satisfies readonly (readonly [string, (tls: TlsIdentity) => unknown])[]

/** Rejects invalid certificate authorities: OpenSSL accepts them and then trusts no server. */
function check(tls: TlsIdentity): void {
  for (const [, parse] of parts) parse(tls)
}

/**
 * The part that cannot be parsed; undefined if all parts can be parsed, for example if the key belongs to another
 * certificate.
 */
function unusablePart(tls: TlsIdentity): string | undefined {
  const unusable = parts.find(([, parse]) => {
    try {
      return parse(tls) === undefined
    } catch {
      // Only the part matters here; the caller knows the error.
      return true
    }
  })
  return unusable?.[0]
}
