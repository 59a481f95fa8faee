import { setImmediate } from 'node:timers/promises'
import { isJsonObject, type JsonObject, memberOf } from '../../../engine/kube/json-object.js'
import { ReviewError } from '../../../engine/webhook/review/review-error.js'
import { ConversionError, type KindConverter } from '../../kind/conversion/kind-converter.js'

const apiVersion = 'apiextensions.k8s.io/v1'
/** After so many milliseconds of a conversion other work has a turn, such as the renewal of the Lease. */
const turnMs = 20

/**
 * Answers a ConversionReview of `apiextensions.k8s.io/v1`: the objects in the wanted version, in the same order.
 * Rejects with {@link ReviewError} if the body is something else.
 *
 * See https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning/
 */
export async function answerConversion(converter: KindConverter, review: unknown): Promise<JsonObject> {
  const request = memberOf(review, 'request')
  const [uid, wanted, objects] = ['uid', 'desiredAPIVersion', 'objects'].map((name) =>
    memberOf(request, name),
  )
  const isReview =
    memberOf(review, 'kind') === 'ConversionReview' && memberOf(review, 'apiVersion') === apiVersion
  if (!isReview || typeof uid !== 'string' || typeof wanted !== 'string' || !Array.isArray(objects))
    throw new ReviewError(400, `the body must be a ConversionReview of ${apiVersion} with a request`)
  const response = { uid, ...(await convertAll(converter, objects, wanted)) }
  return { apiVersion, kind: 'ConversionReview', response }
}

async function convertAll(
  converter: KindConverter,
  objects: readonly unknown[],
  wanted: string,
): Promise<JsonObject> {
  const convertedObjects: JsonObject[] = []
  let sinceMs = performance.now()
  try {
    for (const object of objects) {
      convertedObjects.push(converter.convert(object, wanted))
      if (performance.now() - sinceMs < turnMs) continue
      await setImmediate()
      sinceMs = performance.now()
    }
    return { convertedObjects, result: { status: 'Success' } }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { result: { status: 'Failed', message: error.message } }
  }
}

/** Whether an answer says that the conversion failed. */
export function isFailure(answer: JsonObject): boolean {
  const { response } = answer
  return isJsonObject(response) && memberOf(response.result, 'status') !== 'Success'
}
