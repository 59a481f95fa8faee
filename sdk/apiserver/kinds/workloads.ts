import { jsonEqual } from '../../kube/json.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { fieldAt, type KindRules, type OpenObject, recordOf } from './kind-rules.js'
import { podSpecErrors } from './pod-spec/pod-spec-errors.js'

/**
 * https://kubernetes.io/docs/concepts/workloads/controllers/ : Deployments, ReplicaSets, StatefulSets and
 * DaemonSets.
 */
export const workloadRules: KindRules = {
  generation: true,
  validate: ({ spec }) => validateWorkload(recordOf(spec)),
}

/** Where older clients look for the number of the template. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation'

function countTemplate(object: OpenObject, generation: string): void {
  object.metadata.annotations = { ...object.metadata.annotations, [TEMPLATE_GENERATION]: generation }
}

/** https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/ */
export const daemonSetRules: KindRules = {
  ...workloadRules,
  prepareCreate(object) {
    countTemplate(object, '1')
  },
  prepareUpdate(object, old) {
    const before = Number(old.metadata.annotations?.[TEMPLATE_GENERATION] ?? 0)
    const isSame = jsonEqual(fieldAt(object, 'spec', 'template'), fieldAt(old, 'spec', 'template'))
    countTemplate(object, String(isSame ? before : before + 1))
  },
}

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
  return [...errors, ...podSpecErrors(pod, 'spec.template.spec')]
}
