/**
 * Answers the requests of admission webhooks by `default` and `validate` of a kind. It knows neither HTTP nor clusters,
 * and is pure except for what `validate` reads from caches.
 */
import { cloneJson, freezeJson } from '../../../engine/kube/json.js'
import type { JsonObject } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { AdmissionAnswer, AdmissionRequest } from '../../../engine/webhook/review/admission-review.js'
import { checkKind } from '../../../engine/webhook/review/check-kind.js'
import { denyAnswer } from '../../../engine/webhook/review/deny-answer.js'
import { ReviewError } from '../../../engine/webhook/review/review-error.js'
import { parseAs } from '../../controller/own-kind.js'
import type {
  AdmissionStore,
  DefaultContext,
  FieldProblem,
  ValidateContext,
} from '../../kind/define/admission.js'
import { type Admission, isDefinedKind } from '../admission.js'
import { checkDefaulted, checkProblems } from './check-answer.js'
import { objectPatch } from './object-patch.js'

/** The caches that `validate` may read. */
export interface AdmissionEnvironment {
  /** The cache of a kind. Throws if it is not filled. */
  store<T extends KubeObject>(resource: Resource<T>): AdmissionStore<T>
}

/**
 * Calls `default`, and returns its changes as a JSON Patch. Throws {@link ReviewError} if it changes the status or the
 * identity of the object.
 */
export function answerDefault(webhook: Admission, request: AdmissionRequest): AdmissionAnswer {
  checkKind(request, webhook.resource)
  const { operation, object: raw } = request
  const isOther = operation !== 'CREATE' && operation !== 'UPDATE'
  if (isOther || !raw || !webhook.default) return { allowed: true }
  const object = readObject(webhook, raw)
  // The API server rejects an object that does not fit its schema, with a better message.
  if (!object.fits && operation === 'CREATE') return { allowed: true }
  const warnings: string[] = []
  const ctx: DefaultContext = { operation, ...callerOf(request), warn: (text) => warnings.push(text) }
  const filled: unknown = webhook.default(ctx, object.value)
  return { allowed: true, warnings, patch: patchOf(webhook, raw, filled) }
}

/** Calls `validate`, and denies the request if it returns problems: 422 Invalid with one cause for each problem. */
export function answerValidate(
  webhook: Admission,
  request: AdmissionRequest,
  environment: AdmissionEnvironment,
): AdmissionAnswer {
  checkKind(request, webhook.resource)
  const { operation, object, oldObject } = request
  if (!isValidated(operation) || !webhook.validate) return { allowed: true }
  const raw = operation === 'DELETE' ? oldObject : object
  if (!raw) throw new ReviewError(400, `the request of the ${operation} has no object`)
  const [current, old] = [readObject(webhook, raw), oldObject && readObject(webhook, oldObject)]
  // An update may keep values that a newer schema forbids; a new object may not have them.
  if (!current.fits && (operation === 'CREATE' || (operation === 'UPDATE' && old?.fits)))
    return denyAnswer(request, current.problems)
  const warnings: string[] = []
  const ctx: ValidateContext = {
    operation,
    ...callerOf(request),
    warn: (text) => warnings.push(text),
    store: (resource) => environment.store(resource),
  }
  const previous = operation === 'UPDATE' && old ? [freezeJson(old.value)] : []
  const problems = webhook.validate(ctx, freezeJson(current.value), ...previous)
  checkProblems(webhook.resource, problems)
  return problems.length > 0 ? { ...denyAnswer(request, problems), warnings } : { allowed: true, warnings }
}

function isValidated(operation: string): operation is ValidateContext['operation'] {
  return operation === 'CREATE' || operation === 'UPDATE' || operation === 'DELETE'
}

function callerOf({ userInfo, dryRun }: AdmissionRequest): Pick<DefaultContext, 'user' | 'dryRun'> {
  const { username: name, uid, groups } = userInfo
  return { user: { name, ...(uid !== undefined && { uid }), groups }, dryRun }
}

/** A copy of an object, with the defaults of its schema where it fits. */
type ReadObject =
  | { readonly fits: true; readonly value: KubeObject }
  | { readonly fits: false; readonly value: KubeObject; readonly problems: readonly FieldProblem[] }

function readObject({ resource }: Admission, raw: JsonObject): ReadObject {
  const copy = cloneJson(raw) as unknown as KubeObject
  const parsed = parseAs(resource, copy)
  if (!parsed.ok) return { fits: false, value: copy, problems: parsed.problems }
  const { status } = raw
  // The parsed object lacks a status that does not fit; this must not look like a removal.
  return { fits: true, value: cloneJson({ ...parsed.object, ...(status !== undefined && { status }) }) }
}

function patchOf({ resource }: Admission, raw: JsonObject, filled: unknown) {
  checkDefaulted(resource, raw, filled)
  const schema = isDefinedKind(resource)
    ? resource.schemas.find(({ name }) => name === resource.version)
    : undefined
  return objectPatch(raw, filled, schema?.schema)
}
