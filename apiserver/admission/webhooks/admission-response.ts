import type { Status } from '../../../sdk/engine/kube/error.js'
import { ApiError } from '../../../sdk/engine/kube/error.js'
import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import { recordOf } from '../../base/object.js'
import type { Webhook, WebhookType } from '../matching/webhook.js'
import { CallFailure } from './call-failure.js'
import { responseTypeProblem } from './response-types.js'

/** The `response` of an AdmissionReview. */
export interface AdmissionResponse {
  readonly allowed: boolean
  readonly warnings: readonly string[]
  readonly status: Partial<Status> | undefined
  /** Base64 of a JSON patch; `''` without one. */
  readonly patch: string
}

/**
 * Reads the review that a webhook sends back. Throws a {@link CallFailure} if it is not valid;
 * `VerifyAdmissionResponse` of k8s.io/apiserver v0.36.3.
 */
export function readResponse(webhook: Webhook, received: ReceivedReview): AdmissionResponse {
  const fail = (why: string) => new CallFailure(webhook.name, `received invalid webhook response: ${why}`)
  const { response } = recordOf(received.review)
  const mismatch = responseTypeProblem(response, received.version)
  if (mismatch !== undefined) throw new CallFailure(webhook.name, `failed to call webhook: ${mismatch}`)
  checkVersion(webhook, received)
  if (!isJsonObject(response)) throw fail('webhook response was absent')
  const problem = received.version === 'v1' ? problemOfV1(received, response) : undefined
  if (problem !== undefined) throw fail(problem)
  return received.version === 'v1' ? answerOfV1(webhook, response) : answerOfBeta(received, response)
}

/** Throws a {@link CallFailure} for a review in the other version, which Go does not convert. */
function checkVersion({ name }: Webhook, { version, review }: ReceivedReview): void {
  const { apiVersion } = recordOf(review)
  const other = version === 'v1' ? 'v1beta1' : 'v1'
  if (apiVersion !== `admission.k8s.io/${other}`) return
  const why = `converting (${other}.AdmissionReview) to (${version}.AdmissionReview): unknown conversion`
  throw new CallFailure(name, `failed to call webhook: ${why}`)
}

function problemOfV1({ uid, type, review }: ReceivedReview, response: Members): string | undefined {
  if (response.uid !== uid) return `expected response.uid="${uid}", got "${String(response.uid ?? '')}"`
  const { apiVersion = '', kind = '' } = recordOf(review)
  const reviewKind = 'admission.k8s.io/v1, Kind=AdmissionReview'
  const actualKind = `${String(apiVersion)}, Kind=${String(kind)}`
  if (actualKind !== reviewKind) return `expected webhook response of ${reviewKind}, got ${actualKind}`
  return patchProblem(type, patchOf(response), response.patchType)
}

function answerOfV1(webhook: Webhook, response: Members): AdmissionResponse {
  const patch = patchOf(response)
  if (patch !== '' && response.patchType !== 'JSONPatch') {
    throw new CallFailure(webhook.name, `unsupported patch type ${JSON.stringify(response.patchType)}`)
  }
  return answerOf(response, patch)
}

/** A v1beta1 response needs no kind, no UID and no type of its patch; the patch of a validating webhook is ignored. */
function answerOfBeta({ type }: ReceivedReview, response: Members): AdmissionResponse {
  return answerOf(response, type === 'Mutating' ? patchOf(response) : '')
}

function answerOf(response: Members, patch: string): AdmissionResponse {
  // Go reads null as an empty text, and does not send an empty warning.
  const warnings = Array.isArray(response.warnings) ? response.warnings.filter(Boolean).map(String) : []
  const status = isJsonObject(response.status) ? (response.status as Partial<Status>) : undefined
  return { allowed: response.allowed === true, warnings, status, patch }
}

type Members = Readonly<Record<string, unknown>>

const patchOf = ({ patch }: Members) => String(patch ?? '')

interface ReceivedReview {
  /** The UID of the request. */
  readonly uid: string
  /** The version of the request. */
  readonly version: string
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
  // A response of HTTP cannot have a code above 999.
  const code = answer.code === undefined || answer.code < 400 ? 400 : answer.code > 999 ? 500 : answer.code
  const status = !answer.status || answer.status === 'Success' ? 'Failure' : answer.status
  const message = why ? `${denied}: ${why}` : `${denied} without explanation`
  return new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, ...answer, status, message, code })
}
