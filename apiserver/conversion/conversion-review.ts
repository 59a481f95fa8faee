import { randomUUID } from 'node:crypto'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { JsonObject } from '../../sdk/engine/kube/json-object.js'
import type { ClientConfig } from '../admission/matching/webhook.js'
import { postReview } from '../admission/webhooks/post-review.js'
import { addressOf } from '../admission/webhooks/webhook-address.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import { failure } from '../request/status.js'
import type { ServerParts } from '../server/context.js'
import { sentReviewVersion } from '../validation/review-versions.js'

/** The webhook of a definition. */
export interface ConversionWebhook {
  readonly clientConfig: ClientConfig
  /** The versions of reviews that the webhook accepts, as the definition lists them. */
  readonly reviewVersions: unknown
  readonly server: Pick<ServerParts, 'resolveService' | 'closing'>
}

/** An object to convert, with its kind and version. */
export interface Conversion {
  readonly object: OpenObject
  readonly desiredAPIVersion: string
}

const timeoutSeconds = 30

/**
 * Asks a conversion webhook for one object in another version. Of the metadata, only labels and annotations may change.
 * Throws a 500 with the texts of `pkg/apiserver/conversion/webhook_converter.go` of k8s.io/apiextensions-apiserver
 * v0.36.3.
 */
export async function callConversionWebhook(
  webhook: ConversionWebhook,
  { object, desiredAPIVersion }: Conversion,
): Promise<OpenObject> {
  const uid = randomUUID()
  const version = sentReviewVersion(webhook.reviewVersions)
  if (version === undefined) throw failure(500, 'no supported conversion review versions')
  const about = `conversion webhook for ${object.apiVersion}, Kind=${object.kind}`
  const fail = (why: string) => failure(500, `${about} ${why}`)
  const request = { uid, desiredAPIVersion, objects: [object] }
  const answer = await post(webhook, version, request).catch((error: unknown) => {
    throw fail(`failed: ${error instanceof Error ? error.message : String(error)}`)
  })
  const { failed, objects } = readAnswer(answer, { uid, version })
  if (failed !== undefined) throw fail(`failed: ${failed}`)
  if (objects.length !== 1) throw fail(`returned ${objects.length} objects, expected 1`)
  const converted = recordOf(objects[0])
  if (converted.apiVersion !== desiredAPIVersion) {
    const versions = `expected ${desiredAPIVersion}, received ${converted.apiVersion ?? ''}`
    throw fail(`returned invalid object at index 0: invalid groupVersion (${versions})`)
  }
  if (converted.kind !== object.kind) {
    const kinds = `expected ${object.kind}, received ${converted.kind ?? ''}`
    throw fail(`returned invalid object at index 0: invalid kind (${kinds})`)
  }
  const problem = identityProblem(object, converted)
  if (problem !== undefined) throw fail(`returned invalid object: ${problem}`)
  return { ...converted, metadata: restoreMetadata(object, converted) }
}

function post(
  { clientConfig, server }: ConversionWebhook,
  version: string,
  request: object,
): Promise<unknown> {
  const apiVersion = `apiextensions.k8s.io/${version}`
  const review = { kind: 'ConversionReview', apiVersion, request, response: null }
  return postReview({
    ...addressOf(clientConfig, server),
    timeoutSeconds,
    signals: [server.closing],
    review,
  })
}

interface ConversionAnswer {
  readonly failed?: string
  readonly objects: readonly unknown[]
}

/** The request that an answer belongs to. */
interface SentRequest {
  readonly uid: string
  readonly version: string
}

function readAnswer(review: unknown, { uid, version }: SentRequest): ConversionAnswer {
  const failed = (why: string): ConversionAnswer => ({ failed: why, objects: [] })
  const { response } = recordOf(review)
  const problem = kindProblem(recordOf(review), version)
  if (problem !== undefined) return failed(problem)
  if (response === null || response === undefined) return failed('no response provided')
  const { uid: answeredUid = '', convertedObjects, result } = recordOf(response)
  // A v1beta1 response needs no UID.
  if (version === 'v1' && answeredUid !== uid)
    return failed(`expected response.uid=${stringifyJson(uid)}, got ${stringifyJson(answeredUid)}`)
  const { status = '', message } = recordOf(result)
  if (status !== 'Success') {
    return failed(message ? String(message) : `response.result.status was '${status}', not 'Success'`)
  }
  return { objects: Array.isArray(convertedObjects) ? convertedObjects : [] }
}

/** A v1beta1 response needs no kind and no version, but must not have the other version. */
function kindProblem({ kind = '', apiVersion = '' }: JsonObject, version: string): string | undefined {
  const other = version === 'v1' ? 'v1beta1' : 'v1'
  if (apiVersion === `apiextensions.k8s.io/${other}`)
    return `converting (${other}.ConversionReview) to (${version}.ConversionReview): unknown conversion`
  const isOfV1 = kind === 'ConversionReview' && apiVersion === 'apiextensions.k8s.io/v1'
  if (version !== 'v1' || isOfV1) return undefined
  const actualKind = `${String(apiVersion)}, Kind=${String(kind)}`
  return `expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got ${actualKind}`
}

const identity = [
  ['name', 'name'],
  ['namespace', 'namespace'],
  ['uid', 'UID'],
] as const

function identityProblem(object: OpenObject, converted: object): string | undefined {
  for (const [field, title] of identity) {
    const before = object.metadata[field] ?? ''
    const after = fieldAt(converted, 'metadata', field) ?? ''
    if (before !== after) return `must have the same ${title}: ${before} != ${after}`
  }
  return undefined
}

function restoreMetadata({ metadata }: OpenObject, converted: object): OpenObject['metadata'] {
  const { labels: _labels, annotations: _annotations, ...otherMetadata } = metadata
  const labels = fieldAt(converted, 'metadata', 'labels') as typeof metadata.labels
  const annotations = fieldAt(converted, 'metadata', 'annotations') as typeof metadata.annotations
  return { ...otherMetadata, ...(labels && { labels }), ...(annotations && { annotations }) }
}
