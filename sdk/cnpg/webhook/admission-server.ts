import { listenAddress } from '../../engine/health/listen-address.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import { readAdmissionReview, writeAdmissionReview } from '../../engine/webhook/review/admission-review.js'
import { checkKind } from '../../engine/webhook/review/check-kind.js'
import { ReviewError } from '../../engine/webhook/review/review-error.js'
import { admissionLimits } from '../../engine/webhook/server/body-limits.js'
import {
  type ReviewHandler,
  type ServedReview,
  WebhookServer,
} from '../../engine/webhook/server/webhook-server.js'
import type { CallRunner } from '../calls/call-runner.js'
import type { ServedMethod } from '../calls/service.js'
import { clusters } from '../cluster/cluster.js'
import { type CertificateSet, readCertificates } from '../server/certificate-set.js'
import { followCertificates } from '../server/follow-certificates.js'
import type { TlsFiles } from '../server/server-options.js'
import { type AdmissionMethods, decodeAdmissionAnswer, encodeAdmission } from './admission-methods.js'

/** Options of {@link AdmissionServer}. */
export interface AdmissionServerOptions {
  methods: AdmissionMethods
  /** `host:port`. */
  address: string
  tls: TlsFiles
  runner: CallRunner
  logger: Logger
  clock: Clock
}

/** The kind of the reviewed objects, in any version. */
const reviewedKind = { group: clusters.group, kind: clusters.kind }

/** The paths of the webhooks. */
export const admissionPaths = { default: '/default', validate: '/validate' } as const

/**
 * Serves `default` and `validate` as admission webhooks, because no operator since 1.24 calls them by gRPC. The
 * webhooks use the certificate of the gRPC server, but require none of the client: the API server presents none.
 */
export class AdmissionServer {
  readonly #options: AdmissionServerOptions
  readonly #server: WebhookServer

  constructor(options: AdmissionServerOptions) {
    this.#options = options
    const handlers = new Map([
      [admissionPaths.default, this.#handler(options.methods.default)],
      [admissionPaths.validate, this.#handler(options.methods.validate)],
    ])
    const { logger, clock } = options
    this.#server = new WebhookServer({
      ...listenAddress('--webhook-address', options.address),
      cure: 'choose another --webhook-address (WEBHOOK_ADDRESS)',
      handlers,
      logger,
      clock,
      drainMs: 0,
    })
  }

  get port(): number {
    return this.#server.port
  }

  /**
   * Opens the port, and follows changes of the certificate files until the signal aborts. Throws `PluginError`
   * `CANNOT_LISTEN` or `INVALID_CERTIFICATE`.
   */
  async listen(signal: AbortSignal): Promise<void> {
    const { tls, logger, clock } = this.#options
    const served = await readCertificates(tls, clock.date())
    this.#use(served)
    await this.#server.listen()
    void followCertificates({ files: tls, served, use: (set) => this.#use(set), logger, clock, signal })
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  /** Serves a certificate from now on. */
  #use({ certificate, key }: CertificateSet): void {
    this.#server.use({ certificate, key })
  }

  /** Answers an AdmissionReview by running one of the methods. */
  #handler(method: ServedMethod): ServedReview {
    const answer: ReviewHandler = async (review) => {
      const request = readAdmissionReview(review)
      checkKind(request, reviewedKind)
      const encoded = await this.#options.runner.run(method, encodeAdmission(request))
      if (!Buffer.isBuffer(encoded)) throw new ReviewError(500, encoded.details)
      return writeAdmissionReview(request.uid, decodeAdmissionAnswer(encoded))
    }
    return { limits: admissionLimits, answer }
  }
}
