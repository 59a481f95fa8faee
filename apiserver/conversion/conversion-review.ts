import { randomUUID } from 'node:crypto'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { ClientConfig } from '../admission/matching/webhook.js'
import { postReview } from '../admission/webhooks/post-review.js'
import { addressOf } from '../admission/webhooks/webhook-address.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import { failure } from '../request/status.js'
import type { ServerParts } from '../server/context.js'

/** The webhook of a definition. */
export interface ConversionWebhook {
  readonly clientConfig: ClientConfig
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
  const about = `conversion webhook for ${object.apiVersion}, Kind=${object.kind}`
  const fail = (why: string) => failure(500, `${about} ${why}`)
  const request = { uid, desiredAPIVersion, objects: [object] }
  const answer = await post(webhook, request).catch((error: unknown) => {
    throw fail(`failed: ${error instanceof Error ? error.message : String(error)}`)
  })
  const { failed, objects } = readAnswer(answer, uid)
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

function post({ clientConfig, server }: ConversionWebhook, request: object): Promise<unknown> {
  const review = { kind: 'ConversionReview', apiVersion: 'apiextensions.k8s.io/v1', request, response: null }
  return postReview({
    ...addressOf(clientConfig, server),
    timeoutSeconds,
    closing: server.closing,
    review,
  })
}

interface ConversionAnswer {
  readonly failed?: string
  readonly objects: readonly unknown[]
}

function readAnswer(review: unknown, uid: string): ConversionAnswer {
  const failed = (why: string): ConversionAnswer => ({ failed: why, objects: [] })
  const { kind = '', apiVersion = '', response } = recordOf(review)
  if (kind !== 'ConversionReview' || apiVersion !== 'apiextensions.k8s.io/v1') {
    const actualKind = `${apiVersion}, Kind=${kind}`
    return failed(
      `expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got ${actualKind}`,
    )
  }
  if (response === null || response === undefined) return failed('no response provided')
  const { uid: answeredUid = '', convertedObjects, result } = recordOf(response)
  if (answeredUid !== uid)
    return failed(`expected response.uid=${stringifyJson(uid)}, got ${stringifyJson(answeredUid)}`)
  const { status = '', message } = recordOf(result)
  if (status !== 'Success') {
    return failed(message ? String(message) : `response.result.status was '${status}', not 'Success'`)
  }
  return { objects: Array.isArray(convertedObjects) ? convertedObjects : [] }
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
