import type { TlsFiles } from './server-options.js'

/** A handshake that failed. */
export interface FailedHandshake {
  readonly error: Error
  /** Why the client's certificate is not trusted, if the client presented one. */
  readonly authorizationError: Error | string | null | undefined
}

/**
 * The message why a client was refused, and what to do. Undefined for errors that are not about certificates, for
 * example of a probe that opens a connection and closes it.
 */
export function refusalText(
  { error, authorizationError }: FailedHandshake,
  { certificate, clientAuthority }: TlsFiles,
): string | undefined {
  const problem = authorizationError
    ? certificateProblem(codeOf(authorizationError), clientAuthority)
    : undefined
  if (problem !== undefined) return `a client was refused: ${problem}`
  const code = codeOf(error)
  if (code === 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE')
    return `a client was refused: it presented no certificate. The operator presents its own only if the issuer of it is in ${clientAuthority}: add the issuer`
  if (code === 'ERR_SSL_UNSUPPORTED_PROTOCOL')
    return 'a client was refused: it does not speak TLS 1.3; the operator does, so another program has called'
  if (/_ALERT_(BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED)$/.test(code))
    return `a client rejects the certificate of the plugin: tls.crt of the Secret in cnpg.io/pluginServerSecret must be ${certificate}, with the DNS name of the Service`
  return undefined
}

/** Why the certificate of a client is not trusted, and what to do. */
function certificateProblem(code: string, file: string): string {
  if (code === 'CERT_HAS_EXPIRED')
    return 'its certificate has expired. Renew the Secret in cnpg.io/pluginClientSecret'
  if (code === 'CERT_NOT_YET_VALID')
    return 'its certificate is not valid yet. Compare the clocks of the nodes'
  return `no authority in ${file} has issued its certificate (${code}). Add the issuer of tls.crt of the Secret in cnpg.io/pluginClientSecret`
}

const codeOf = (error: Error | string) =>
  typeof error === 'string' ? error : String((error as NodeJS.ErrnoException).code ?? error.message)
