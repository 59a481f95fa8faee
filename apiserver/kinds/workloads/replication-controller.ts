import { countAt, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkNotNegative } from '../../validation/values.js'
import { workloadWarnings } from '../pod-warnings/workload-warnings.js'
import { sortLabels } from '../selector-errors.js'
import { countErrors, type StatusChecks } from './status-errors.js'
import { type PodTemplate, restartAndDeadlineErrors, templateErrors } from './template-errors.js'

interface ControllerSpec {
  readonly replicas?: number
  readonly minReadySeconds?: number
  readonly selector?: Readonly<Record<string, string>>
  readonly template?: PodTemplate
}

const status: StatusChecks = {
  counts: ['replicas', 'fullyLabeledReplicas', 'readyReplicas', 'availableReplicas', 'observedGeneration'],
  parts: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
  ready: 'readyReplicas',
}

const warnings = workloadWarnings()

/** https://kubernetes.io/docs/concepts/workloads/controllers/replicationcontroller/ */
export const replicationControllerRules: KindRules = {
  create: warnings.create,
  update: warnings.update,
  metadata: {
    generation: true,
    repeatedOnUpdate: 'change',
  },
  read: {
    selectableFields: { 'status.replicas': (object) => countAt(object, 'status', 'replicas') },
  },
  validate(object, _old, subresource) {
    return subresource === 'status' ? countErrors(object, status) : specErrors(recordOf(object.spec))
  },
  delete: {
    orphans: {},
  },
}

/** `ValidateReplicationControllerSpec` of Kubernetes v1.36.3. */
function specErrors({ replicas, minReadySeconds, selector = {}, template }: ControllerSpec): FieldError[] {
  return [
    ...checkNotNegative('spec.minReadySeconds', minReadySeconds),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector', '')] : []),
    ...checkNotNegative('spec.replicas', replicas),
    ...(template === undefined ? [required('spec.template', '')] : podErrors(template, selector)),
  ]
}

function podErrors(template: PodTemplate, selector: Readonly<Record<string, string>>): FieldError[] {
  const { labels } = template.metadata ?? {}
  const isMatch = Object.entries(selector).every(([name, value]) => labels?.[name] === value)
  const sortedLabels = labels === undefined ? null : sortLabels(labels)
  const why = '`selector` does not match template `labels`'
  return [
    ...(isMatch ? [] : [invalidValue('spec.template.metadata.labels', sortedLabels, why)]),
    ...templateErrors(template, 'spec.template'),
    ...restartAndDeadlineErrors(template, 'ReplicationController'),
  ]
}
