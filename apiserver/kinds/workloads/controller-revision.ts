import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { isJsonObject } from '../../../sdk/engine/kube/json-object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'

/** https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/controller-revision-v1/ */
export const controllerRevisionRules: KindRules = {
  validate({ revision, data }, old) {
    const errors = checkNotNegative('revision', typeof revision === 'number' ? revision : undefined)
    if (old === undefined) return [...errors, ...dataErrors(data)]
    const isKept = jsonEqual(data ?? null, old.data ?? null)
    return isKept ? errors : [...errors, invalidValue('data', data ?? null, 'field is immutable')]
  },
}

function dataErrors(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [required('data', 'data is mandatory')]
  return isJsonObject(data) ? [] : [required('data', 'data must be a valid JSON object')]
}
