import type { Status } from '../../../sdk/engine/kube/error.js'
import { ApiError } from '../../../sdk/engine/kube/error.js'
import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { recordOf } from '../../base/object.js'
import type { Webhook, WebhookType } from '../matching/webhook.js'
import { CallFailure } from './call-failure.js'

/** The `response` of an AdmissionReview. */
export interface AdmissionResponse {
  readonly allowed: boolean
  readonly warnings: readonly string[]
  readonly status: Partial<Status> | undefined
  /** Base64 of a JSON patch; `''` without one. */
  readonly patch: string
}

const reviewKind = 'admission.k8s.io/v1, Kind=AdmissionReview'

/**
 * Reads the review that a webhook sends back. Throws a {@link CallFailure} if it is not valid;
 * `VerifyAdmissionResponse` of k8s.io/apiserver v0.36.3.
 */
export function readResponse(webhook: Webhook, { uid, type, review }: ReceivedReview): AdmissionResponse {
  const fail = (why: string) => new CallFailure(webhook.name, `received invalid webhook response: ${why}`)
  const { apiVersion = '', kind = '', response } = recordOf(review)
  if (!isJsonObject(response)) throw fail('webhook response was absent')
  if (response.uid !== uid) throw fail(`expected response.uid="${uid}", got "${String(response.uid ?? '')}"`)
  const actualKind = `${String(apiVersion)}, Kind=${String(kind)}`
  if (actualKind !== reviewKind) throw fail(`expected webhook response of ${reviewKind}, got ${actualKind}`)
  const patch = String(response.patch ?? '')
  const problem = patchProblem(type, patch, response.patchType)
  if (problem !== undefined) throw fail(problem)
  if (patch !== '' && response.patchType !== 'JSONPatch') {
    throw new CallFailure(webhook.name, `unsupported patch type ${JSON.stringify(response.patchType)}`)
  }
  const warnings = Array.isArray(response.warnings) ? response.warnings.map(String) : []
  const status = isJsonObject(response.status) ? (response.status as Partial<Status>) : undefined
  return { allowed: response.allowed === true, warnings, status, patch }
}

interface ReceivedReview {
  /** The UID of the request. */
  readonly uid: string
  readonly type: WebhookType
  readonly review: unknown
}

function patchProblem(type: WebhookType, patch: string, patchType: unknown): string | undefined {
  const isTyped = patchType !== undefined && patchType !== null
  if (type === 'Validating') {
    if (patch !== '') return 'validating webhook may not return response.patch'
    return isTyped ? 'validating webhook may not return response.patchType' : undefined
  }
  if (patch !== '' && !isTyped) return 'webhook returned response.patch but not response.patchType'
  return patch === '' && isTyped ? 'webhook returned response.patchType but not response.patch' : undefined
}

/** The error of a request that a webhook denies; `ToStatusErr` of k8s.io/apiserver v0.36.3. */
export function denialError(webhook: Webhook, answer: Partial<Status> = {}): ApiError {
  const denied = `admission webhook "${webhook.name}" denied the request`
  const why = answer.message || answer.reason
  const code = answer.code === undefined || answer.code < 400 ? 400 : answer.code
  const status = answer.status === undefined || answer.status === 'Success' ? 'Failure' : answer.status
  const message = why ? `${denied}: ${why}` : `${denied} without explanation`
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, ...answer, status, message, code })
}
