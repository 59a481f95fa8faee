import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { fieldAt, type KindRules, recordOf } from './kind-rules.js'
import { validateContainers, withPodDefaults } from './pod.js'

/** The pod template with what pods are given when they say nothing. */
function withTemplateDefaults(spec: Record<string, unknown>): Record<string, unknown> {
  const template = recordOf(spec.template)
  return { ...spec, template: { ...template, spec: withPodDefaults(template.spec) } }
}

/** A struct that nobody filled in, such as a strategy, is as good as none. */
function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function workload(defaults: Record<string, unknown>): KindRules {
  return {
    generation: true,
    prepare(object) {
      const given = Object.entries(recordOf(object.spec)).filter(([, value]) => !isEmptyObject(value))
      object.spec = withTemplateDefaults({ ...defaults, ...Object.fromEntries(given) })
    },
    validate: ({ spec }) => validateWorkload(recordOf(spec)),
  }
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/deployment/ */
export const deploymentRules = workload({
  replicas: 1,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
  revisionHistoryLimit: 10,
  progressDeadlineSeconds: 600,
})

/** https://kubernetes.io/docs/concepts/workloads/controllers/replicaset/ */
export const replicaSetRules = workload({ replicas: 1 })

/** https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/ */
export const statefulSetRules = workload({
  replicas: 1,
  podManagementPolicy: 'OrderedReady',
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
  revisionHistoryLimit: 10,
})

/** https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/ */
export const daemonSetRules = workload({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
  revisionHistoryLimit: 10,
})

/** A selector, and a template of pods that it selects. */
function validateWorkload(spec: Record<string, unknown>): FieldError[] {
  const errors = spec.selector === undefined ? [required('spec.selector', '')] : []
  const wanted = recordOf(recordOf(spec.selector).matchLabels)
  const labels = fieldAt(spec, 'template', 'metadata', 'labels')
  const missing = Object.entries(wanted).some(([key, value]) => fieldAt(labels, key) !== value)
  if (spec.selector === undefined || missing) {
    const why = '`selector` does not match template `labels`'
    errors.push(invalidValue('spec.template.metadata.labels', labels ?? null, why))
  }
  const pod = recordOf(recordOf(spec.template).spec)
  return [...errors, ...validateContainers(pod, 'spec.template.spec')]
}
