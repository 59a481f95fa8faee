import { type OpenObject, recordOf } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { duplicate, type FieldError } from '../validation/field-error.js'
import { validateLabels } from '../validation/metadata.js'
import { checkLabelName } from '../validation/names.js'
import { repeatedIndexes } from '../validation/repeated.js'
import { checkRequiredName } from '../validation/values.js'
import { immutableErrors } from './classes.js'
import { tolerationErrors } from './pod-spec/pod-spec-errors.js'
import { resourceErrors } from './pod-spec/resource-errors.js'
import type { Toleration } from './pod-spec/spec.js'

/** https://kubernetes.io/docs/concepts/containers/runtime-class/ */
export const runtimeClassRules: KindRules = {
  metadata: {
    checksFinalizers: false,
  },
  validate: runtimeErrors,
  update: {
    allowsCreate: true,
    needsVersion: true,
    validatesChangesLast: true,
    validate: (object, old) => immutableErrors(object, old, ['handler']),
  },
}

/** `ValidateRuntimeClass` of Kubernetes v1.36.3. */
function runtimeErrors({ handler, overhead, scheduling }: OpenObject): FieldError[] {
  const { podFixed } = recordOf(overhead)
  const { nodeSelector, tolerations } = recordOf(scheduling)
  const path = 'scheduling'
  return [
    ...checkRequiredName('handler', String(handler ?? ''), checkLabelName),
    ...resourceErrors({ limits: recordOf(podFixed) as Record<string, string> }, 'overhead'),
    ...validateLabels(recordOf(nodeSelector) as Record<string, string>, `${path}.nodeSelector`),
    ...(Array.isArray(tolerations) ? schedulingErrors(tolerations, `${path}.tolerations`) : []),
  ]
}

function schedulingErrors(tolerations: readonly Toleration[], path: string): FieldError[] {
  const keys = tolerations.map(({ key, operator, value, effect }) =>
    JSON.stringify([key, operator, value, effect]),
  )
  const repeated = repeatedIndexes(keys)
  return [
    ...tolerationErrors(tolerations, path),
    ...tolerations.flatMap((each, index) =>
      repeated.has(index) ? [duplicate(`${path}[${index}]`, tolerationInGo(each))] : [],
    ),
  ]
}

/** A toleration as Go prints it without JSON names. */
function tolerationInGo({
  key = '',
  operator = '',
  value = '',
  effect = '',
  tolerationSeconds,
}: Toleration): object {
  const TolerationSeconds = tolerationSeconds ?? null
  return { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds }
}
