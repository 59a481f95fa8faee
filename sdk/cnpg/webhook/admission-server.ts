import type { Logger } from '../../observe/logger.js'
import type { Clock } from '../../time/clock.js'
import { readAdmissionReview, writeAdmissionReview } from '../../webhook/review/admission-review.js'
import { WebhookServer } from '../../webhook/server/webhook-server.js'
import type { CallRunner } from '../calls/call-runner.js'
import { type CertificateSet, readCertificates } from '../server/certificate-set.js'
import { followCertificates } from '../server/follow-certificates.js'
import type { TlsFiles } from '../server/server-options.js'
import type { RegisteredHooks } from '../services/registered-hooks.js'
import { addressParts } from './address-parts.js'
import { answerDefault, answerValidate, reviewErrorOf } from './admission.js'

/** Options of {@link AdmissionServer}. */
export interface AdmissionServerOptions<P> {
  hooks: RegisteredHooks<P>
  /** `host:port`. */
  address: string
  tls: TlsFiles
  runner: CallRunner
  logger: Logger
  clock: Clock
}

/** The paths of the webhooks. */
export const admissionPaths = { default: '/default', validate: '/validate' } as const

/**
 * Serves `default` and `validate` as admission webhooks, because no operator since 1.24 calls them by gRPC. The certificate is
 * that of the gRPC server; the API server presents none.
 */
export class AdmissionServer<P> {
  readonly #options: AdmissionServerOptions<P>
  readonly #server: WebhookServer

  constructor(options: AdmissionServerOptions<P>) {
    this.#options = options
    const handlers = new Map([
      [admissionPaths.default, this.#handler(answerDefault)],
      [admissionPaths.validate, this.#handler(answerValidate)],
    ])
    const { logger, clock } = options
    this.#server = new WebhookServer({
      ...addressParts(options.address),
      handlers,
      logger,
      clock,
      drainMs: 0,
    })
  }

  get port(): number {
    return this.#server.port
  }

  /** Throws `PluginError` `CANNOT_LISTEN` or `INVALID_CERTIFICATE`. Certificates are followed until the signal aborts. */
  async listen(signal: AbortSignal): Promise<void> {
    const { tls, logger, clock } = this.#options
    this.#use(await readCertificates(tls, clock.date()))
    await this.#server.listen()
    void followCertificates({ files: tls, use: (set) => this.#use(set), logger, clock, signal })
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  #use({ certificate, key }: CertificateSet): void {
    this.#server.use({ certificate, key })
  }

  #handler(answer: typeof answerDefault<P>) {
    return async (review: unknown) => {
      const request = readAdmissionReview(review)
      this.#options.runner.checkOpen()
      const call = { logger: this.#options.logger, signal: AbortSignal.timeout(longestMs) }
      const answered = await answer(this.#options.hooks, request, call).catch((error: unknown) => {
        throw reviewErrorOf(error)
      })
      return writeAdmissionReview(request.uid, answered)
    }
  }
}

/** The longest that an API server waits for a webhook, in milliseconds. */
const longestMs = 30_000
