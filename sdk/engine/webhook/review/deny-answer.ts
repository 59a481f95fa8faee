import { valueAt } from '../../kube/json-object.js'
import type { AdmissionAnswer, AdmissionRequest } from './admission-review.js'

/** A field of an object that a webhook refuses. */
export interface RefusedField {
  /** The path, such as `spec.size`. */
  readonly path: string
  readonly message: string
}

/** Denies a request as an API server does: 422 Invalid, with one cause for each refused field. */
export function denyAnswer(request: AdmissionRequest, refused: readonly RefusedField[]): AdmissionAnswer {
  const { group, kind } = request.kind
  const name = nameOf(request)
  const texts = refused.map(({ path, message }) => `${path}: ${message}`)
  const all = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const causes = refused.map(({ path, message }) => ({ reason: 'FieldValueInvalid', message, field: path }))
  return {
    allowed: false,
    status: {
      status: 'Failure',
      code: 422,
      reason: 'Invalid',
      message: `${kind}.${group} ${JSON.stringify(name)} is invalid: ${all}`,
      details: { name, group, kind, causes },
    },
  }
}

/** The name of the object, or the prefix of the name that the API server will generate. */
function nameOf({ name, object }: AdmissionRequest): string {
  return name || String(valueAt(object, ['metadata', 'generateName']) ?? '')
}
