import { recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import type { FieldError } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'
import { workloadWarnings } from '../pod-warnings/workload-warnings.js'
import { podErrors } from './deployment.js'
import { immutableErrors } from './immutable.js'
import { countErrors, type StatusChecks } from './status-errors.js'
import { invalidSelectorErrors, ownSelectorErrors, type WorkloadSpec } from './template-errors.js'

interface ReplicaSetSpec extends WorkloadSpec {
  readonly replicas?: number
  readonly minReadySeconds?: number
}

const status: StatusChecks = {
  counts: [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
    'terminatingReplicas',
  ],
  parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ready: 'readyReplicas',
}

const warnings = workloadWarnings()

/** https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/ */
export const replicaSetRules: KindRules = {
  create: warnings.create,
  update: warnings.update,
  metadata: {
    repeatedOnUpdate: 'change',
    generation: true,
  },
  validate(object, old, subresource) {
    if (subresource === 'status') return countErrors(object, status)
    const spec: ReplicaSetSpec = recordOf(object.spec)
    const errors = replicaSetErrors(spec)
    return old === undefined
      ? errors
      : [...errors, ...immutableErrors(spec, recordOf(old.spec), ['selector'])]
  },
}

/** `ValidateReplicaSetSpec` of Kubernetes v1.36.3, whose messages name deployments, too. */
function replicaSetErrors(spec: ReplicaSetSpec): FieldError[] {
  return [
    ...checkNotNegative('spec.replicas', spec.replicas),
    ...checkNotNegative('spec.minReadySeconds', spec.minReadySeconds),
    ...ownSelectorErrors(spec.selector, 'deployment'),
    ...(invalidSelectorErrors(spec, 'invalid label selector') ?? podErrors(spec)),
  ]
}
