import { PluginError } from '../../engine/kube/error.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import {
  type AdmissionRequest,
  readAdmissionReview,
  writeAdmissionReview,
} from '../../engine/webhook/review/admission-review.js'
import { ReviewError } from '../../engine/webhook/review/review-error.js'
import { admissionLimits, conversionLimits } from '../../engine/webhook/server/body-limits.js'
import type { ReviewHandler, ServedReview } from '../../engine/webhook/server/webhook-server.js'
import { KindConverter, needsConversion } from '../kind/conversion/kind-converter.js'
import { type Admission, isDefinedKind } from './admission.js'
import type { AdmissionCaches } from './admission-caches.js'
import { ConversionFailures } from './convert/conversion-failures.js'
import { answerConversion } from './convert/conversion-review.js'
import { answerDefault, answerValidate } from './review/admit.js'
import { webhookPath } from './webhook-configurations.js'

/** Whether this replica knows that the API server converts objects by a webhook. */
export class KnownConversions {
  #hasConversions = false

  /** Notes that the definitions have their conversions. */
  noteConversions(): void {
    this.#hasConversions = true
  }

  /**
   * Throws for an object of another version if no conversion is known: the API server has only renamed the version, and
   * fields would be lost. Waiting would not help, because the API server renames an object before its review.
   */
  check(resource: Resource, { requestVersion }: AdmissionRequest): void {
    if (this.#hasConversions || requestVersion === resource.version) return
    if (!isDefinedKind(resource) || !needsConversion(resource)) return
    const kind = formatResource(resource)
    throw new ReviewError(503, `${kind} of the version ${requestVersion} cannot be converted yet: try again`)
  }
}

interface HandlerParts {
  logger: Logger
  clock: Clock
  caches: AdmissionCaches
  conversions: KnownConversions
}

/** The handler of each path. Throws `PluginError` `INVALID_WEBHOOK` if two kinds have the same. */
export function reviewHandlers(
  kinds: readonly Admission[],
  parts: HandlerParts,
): ReadonlyMap<string, ServedReview> {
  const handlers = kinds.flatMap((kind) => handlersOf(kind, parts))
  const paths = handlers.map(([path]) => path)
  const repeated = paths.find((path, index) => paths.indexOf(path) !== index)
  if (repeated === undefined) return new Map(handlers)
  const kind = repeated.split('/').at(-1)
  throw new PluginError('INVALID_WEBHOOK', `webhooks.kinds has two entries for ${kind}: leave one out`)
}

type Handler = [path: string, handler: ServedReview]

function handlersOf(webhook: Admission, { caches, conversions, ...program }: HandlerParts): Handler[] {
  const { resource } = webhook
  const admit = (admission: typeof answerDefault | typeof answerValidate): ServedReview => {
    const answer: ReviewHandler = async (review) => {
      const request = readAdmissionReview(review)
      conversions.check(resource, request)
      const answered = await caches.whenFilled(() => admission(webhook, request, caches))
      return writeAdmissionReview(request.uid, answered)
    }
    return { limits: admissionLimits, answer }
  }
  return [
    ...(webhook.default ? [[webhookPath('default', resource), admit(answerDefault)] as Handler] : []),
    ...(webhook.validate ? [[webhookPath('validate', resource), admit(answerValidate)] as Handler] : []),
    ...conversionOf(resource, program),
  ]
}

function conversionOf(resource: Resource, program: Pick<HandlerParts, 'logger' | 'clock'>): Handler[] {
  if (!isDefinedKind(resource) || !needsConversion(resource)) return []
  const failures = new ConversionFailures(formatResource(resource), program)
  const converter = new KindConverter(resource, (versions, error) => failures.report(versions, error))
  const answer: ReviewHandler = (review) => answerConversion(converter, review)
  return [[webhookPath('convert', resource), { limits: conversionLimits, answer }]]
}
