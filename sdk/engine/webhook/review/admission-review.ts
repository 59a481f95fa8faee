/**
 * The AdmissionReview of `admission.k8s.io/v1`: the request of the API server to an admission webhook, and the answer.
 *
 * See
 * https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/#webhook-request-and-response
 */

import type { Status } from '../../kube/error.js'
import { stringifyJson } from '../../kube/json.js'
import { isJsonObject, type JsonObject, memberOf } from '../../kube/json-object.js'
import type { JsonPatchOperation } from '../../kube/json-patch/operation.js'
import { checkValues } from './object-values.js'
import { ReviewError } from './review-error.js'

/** The request of an AdmissionReview. */
export interface AdmissionRequest {
  readonly uid: string
  readonly operation: string
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string }
  /** The version that the client sent, which the API server converted to that of `kind`. */
  readonly requestVersion: string
  /** Empty if the API server generates the name. */
  readonly name: string
  readonly namespace: string
  /** The object as it will be stored; absent for DELETE. */
  readonly object?: JsonObject
  /** The stored object; absent for CREATE. */
  readonly oldObject?: JsonObject
  readonly dryRun: boolean
  readonly userInfo: {
    readonly username: string
    readonly uid?: string
    readonly groups: readonly string[]
  }
}

/** The answer of an admission webhook. */
export interface AdmissionAnswer {
  readonly allowed: boolean
  /** Why the request is denied. */
  readonly status?: Status
  readonly warnings?: readonly string[]
  readonly patch?: readonly JsonPatchOperation[]
}

const apiVersion = 'admission.k8s.io/v1'
const maxWarningLength = 256

/**
 * Reads the request of an AdmissionReview. Throws {@link ReviewError} if the body is not an AdmissionReview, or its
 * object has too many values.
 */
export function readAdmissionReview(review: unknown): AdmissionRequest {
  const request = memberOf(review, 'request')
  const isReview =
    memberOf(review, 'kind') === 'AdmissionReview' && memberOf(review, 'apiVersion') === apiVersion
  const uid = memberOf(request, 'uid')
  if (!isReview || typeof uid !== 'string' || uid === '')
    throw new ReviewError(400, `the body must be an AdmissionReview of ${apiVersion} with a request`)
  const kind = kindOf(memberOf(request, 'kind'))
  const [object, oldObject] = [objectOf(request, 'object'), objectOf(request, 'oldObject')]
  if (object) checkValues(object)
  return {
    uid,
    operation: textOf(request, 'operation'),
    kind,
    requestVersion: kindOf(memberOf(request, 'requestKind')).version || kind.version,
    name: textOf(request, 'name'),
    namespace: textOf(request, 'namespace'),
    ...(object && { object }),
    ...(oldObject && { oldObject }),
    dryRun: memberOf(request, 'dryRun') === true,
    userInfo: userOf(memberOf(request, 'userInfo')),
  }
}

/** The AdmissionReview with an answer. Warnings are cut to 256 characters: the API server may drop longer warnings. */
export function writeAdmissionReview(uid: string, { patch, warnings = [], ...answer }: AdmissionAnswer) {
  return {
    apiVersion,
    kind: 'AdmissionReview',
    response: {
      uid,
      ...answer,
      ...(warnings.length > 0 && { warnings: warnings.map(cut) }),
      ...(patch &&
        patch.length > 0 && {
          patchType: 'JSONPatch',
          patch: Buffer.from(stringifyJson(patch)).toString('base64'),
        }),
    },
  }
}

function cut(warning: string): string {
  const characters = [...warning]
  return characters.length <= maxWarningLength
    ? warning
    : `${characters.slice(0, maxWarningLength - 1).join('')}…`
}

function objectOf(request: unknown, name: string): JsonObject | undefined {
  const object = memberOf(request, name)
  return isJsonObject(object) ? object : undefined
}

function textOf(node: unknown, name: string): string {
  const text = memberOf(node, name)
  return typeof text === 'string' ? text : ''
}

function kindOf(kind: unknown): AdmissionRequest['kind'] {
  return { group: textOf(kind, 'group'), version: textOf(kind, 'version'), kind: textOf(kind, 'kind') }
}

function userOf(user: unknown): AdmissionRequest['userInfo'] {
  const groups = memberOf(user, 'groups')
  const uid = textOf(user, 'uid')
  return {
    username: textOf(user, 'username'),
    ...(uid && { uid }),
    groups: Array.isArray(groups) ? groups.map(String) : [],
  }
}
