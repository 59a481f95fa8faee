import { badRequest } from '../../request/status.js'
import { whenConverted } from '../../resources/converter.js'
import type { ServedResource } from '../../resources/served-resource.js'
import type { ResourceRequest } from '../../server/context.js'
import { sentReviewVersion } from '../../validation/review-versions.js'
import type { AdmissionAttributes } from '../admission-attributes.js'
import { internalError } from '../internal-error.js'
import { matchedResource } from '../matching/matched-resource.js'
import type { Webhook, WebhookType } from '../matching/webhook.js'
import { admissionRequest } from '../review/admission-request.js'
import { type AdmissionResponse, denialError, readResponse } from './admission-response.js'
import { CallFailure } from './call-failure.js'
import { conditionsHold } from './match-conditions.js'
import { postReview } from './post-review.js'
import { addressOf } from './webhook-address.js'

/** The response of a webhook that allows a request. */
export interface AllowedResponse {
  readonly response: AdmissionResponse
  /** The resource that the webhook's rules match: the webhook gets the objects in its version. */
  readonly matched: ServedResource
}

/**
 * Calls a webhook for a request. Returns undefined if its rules or conditions do not match, or if the call fails and
 * the failure policy is `Ignore`. Throws if the webhook denies the request, if the call fails otherwise, or if the
 * client has gone.
 */
export async function callWebhook(
  webhook: Webhook,
  type: WebhookType,
  admission: AdmissionAttributes,
): Promise<AllowedResponse | undefined> {
  const { request } = admission
  const matched = matchedResource(webhook, admission)
  if (matched === undefined) return undefined
  const reviewRequest = await whenConverted(() => admissionRequest(admission, matched))
  if (!conditionsHold(webhook, reviewRequest, admission)) return undefined
  checkDryRun(webhook, admission)
  try {
    const version = reviewVersionOf(webhook)
    const review = await sendReview(webhook, { request, version, reviewRequest })
    const response = readResponse(webhook, { uid: reviewRequest.uid, version, type, review })
    request.warnings.push(...response.warnings)
    if (!response.allowed) throw denialError(webhook, response.status)
    return { response, matched }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    if (webhook.failurePolicy === 'Ignore' && request.signal?.aborted !== true) return undefined
    throw internalError(error.message)
  }
}

function checkDryRun({ name, sideEffects }: Webhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return
  throw badRequest(`admission webhook "${name}" does not support dry run`)
}

function reviewVersionOf({ name, admissionReviewVersions }: Webhook): string {
  const version = sentReviewVersion(admissionReviewVersions)
  if (version !== undefined) return version
  const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)'
  throw new CallFailure(name, `could not create admission objects: ${why}`)
}

interface SentReview {
  readonly request: ResourceRequest
  readonly version: string
  readonly reviewRequest: object
}

/** Sends an AdmissionReview and returns the review of the response. Throws {@link CallFailure}. */
async function sendReview(
  webhook: Webhook,
  { request: { server, signal }, version, reviewRequest }: SentReview,
): Promise<unknown> {
  const review = {
    kind: 'AdmissionReview',
    apiVersion: `admission.k8s.io/${version}`,
    request: reviewRequest,
  }
  try {
    return await postReview({
      ...addressOf(webhook.clientConfig, server),
      timeoutSeconds: webhook.timeoutSeconds,
      signals: signal === undefined ? [server.closing] : [server.closing, signal],
      review,
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CallFailure(webhook.name, `failed to call webhook: ${why}`)
  }
}
