import { X509Certificate } from 'node:crypto'

/** The alerts of a TLS client that does not accept the certificate of a server, in the codes of Node. */
const refusals = /_ALERT_(BAD_CERTIFICATE|UNKNOWN_CA|CERTIFICATE_UNKNOWN|CERTIFICATE_EXPIRED)$/

/** The certificate that a server of webhooks serves. */
export class ServedCertificate {
  readonly #certificate: X509Certificate
  #isRefused = false

  /** `pem` is the certificate, and may be followed by those of its issuers. */
  constructor(pem: string) {
    this.#certificate = new X509Certificate(pem)
  }

  /** Its names: `DNS:a.b.svc, IP Address:10.0.0.1`. */
  get names(): string {
    return this.#certificate.subjectAltName ?? 'none'
  }

  /** Why API servers refuse it at this time, and what to do; undefined if it has not expired. */
  expiredProblem(now: Date): string | undefined {
    const end = new Date(this.#certificate.validTo)
    if (end > now) return undefined
    return `the certificate of the webhooks has expired on ${end.toISOString()}: API servers refuse it; renew tls.crt and tls.key`
  }

  /**
   * The message about a client that refuses the certificate, by the error of its handshake. Undefined for other errors,
   * such as that of a probe, and for further clients: anyone can end a handshake.
   */
  refusalBy(error: Error & { readonly code?: unknown }): string | undefined {
    if (this.#isRefused || !refusals.test(String(error.code))) return undefined
    this.#isRefused = true
    const issuer = this.#certificate.issuer.replaceAll('\n', ', ')
    return `a client refuses the certificate of the webhooks: put its authority (${issuer}) into each caBundle, or issue one for the name that API servers call (this one has ${this.names})`
  }
}
