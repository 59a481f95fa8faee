import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { countAt, type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { checkLabelName } from '../../validation/names.js'
import type { Container } from '../pod-spec/spec.js'
import { workloadWarnings } from '../pod-warnings/workload-warnings.js'
import { isUsable, selectorErrors, selectorInGo, selects, sortLabels } from '../selector-errors.js'
import { immutableErrors } from '../workloads/immutable.js'
import { mismatchErrors, type PodTemplate } from '../workloads/template-errors.js'
import type { JobSpec } from './job-spec.js'
import { jobSpecErrors } from './job-spec-errors.js'
import { jobStatusErrors } from './job-status-errors.js'

const controllerUidLabel = 'batch.kubernetes.io/controller-uid'

/** The labels that identify a job's pods, including their older names. */
function labelsOf({ metadata: { name = '', uid = '' } }: OpenObject): Record<string, string> {
  return {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    [controllerUidLabel]: uid,
  }
}

/** A job selects its pods by its own UID, unless the client sets the selector. */
function generateSelector(object: OpenObject): void {
  const { labels: ownLabels } = object.metadata
  const spec = recordOf(object.spec)
  if (spec.manualSelector === true) return
  const template = recordOf(spec.template)
  const metadata = recordOf(template.metadata)
  const labels = { ...labelsOf(object), ...recordOf(metadata.labels) }
  // The default labels of a job are those of its pods: in Go the same map, which is not copied.
  if (ownLabels === undefined || ownLabels === metadata.labels)
    object.metadata.labels = { ...labels } as typeof ownLabels & {}
  const selector = recordOf(spec.selector)
  const matchLabels = { [controllerUidLabel]: object.metadata.uid, ...recordOf(selector.matchLabels) }
  object.spec = {
    ...spec,
    selector: { ...selector, matchLabels },
    template: { ...template, metadata: { ...metadata, labels } },
  }
}

/** The generated labels and selector must be unchanged; `validateGeneratedSelector`. */
function generatedErrors(object: OpenObject, { manualSelector, selector, template }: JobSpec): FieldError[] {
  if (manualSelector === true || !selector) return []
  const expected = labelsOf(object)
  const labels = template?.metadata?.labels ?? {}
  const wrong = generatedLabels.flatMap((name) => {
    const field = `spec.template.metadata.labels[${name}]`
    const why = `must be '${expected[name]}'`
    if (labels[name] === undefined) return [required(field, why)]
    return labels[name] === expected[name] ? [] : [invalidValue(field, sortLabels(labels), why)]
  })
  const isOwn = !isUsable(selector) || selects(selector, expected)
  return isOwn
    ? wrong
    : [...wrong, invalidValue('spec.selector', selectorInGo(selector), '`selector` not auto-generated')]
}

const generatedLabels = ['controller-uid', 'job-name', controllerUidLabel, 'batch.kubernetes.io/job-name']

/** `ValidateJobSpec` of Kubernetes v1.36.3. */
function specErrors(spec: JobSpec): FieldError[] {
  const { selector } = spec
  return [
    ...jobSpecErrors(spec, 'spec'),
    ...(selector ? selectorErrors(selector, 'spec.selector') : [required('spec.selector', '')]),
    ...(isUsable(selector) ? mismatchErrors(spec) : []),
  ]
}

/** The names of an indexed Job's pods consist of its name and their index. */
function hostnameErrors({ metadata: { name = '' } }: OpenObject, spec: JobSpec): FieldError[] {
  const { completionMode, completions = 0 } = spec
  const last = `${name}-${completions - 1}`
  if (completionMode !== 'Indexed' || completions < 1 || checkLabelName(last) === undefined) return []
  const why = `will not able to create pod with invalid DNS label: ${last}`
  return [invalidValue('metadata.name', name, why)]
}

/** `ValidateJobSpecUpdate` of Kubernetes v1.36.3. */
function changeErrors(spec: JobSpec, old: OpenObject): FieldError[] {
  const before: JobSpec = recordOf(old.spec)
  return [
    ...completionErrors(spec, before),
    ...immutableErrors(spec, before, ['selector']),
    ...templateChangeErrors(spec, old),
    ...immutableErrors(spec, before, immutableFields),
  ]
}

const immutableFields = [
  'completionMode',
  'podFailurePolicy',
  'backoffLimitPerIndex',
  'managedBy',
  'successPolicy',
]

function completionErrors(spec: JobSpec, before: JobSpec): FieldError[] {
  if (spec.completionMode !== 'Indexed') return immutableErrors(spec, before, ['completions'])
  const { completions, parallelism } = spec
  if (completions === undefined || completions === before.completions || completions === parallelism)
    return []
  return [
    invalidValue('spec.completions', completions, 'can only be modified in tandem with spec.parallelism'),
  ]
}

/** The placement and resources of a suspended Job may change; before its first start, also its labels. */
function templateChangeErrors(spec: JobSpec, old: OpenObject): FieldError[] {
  const before: JobSpec = recordOf(old.spec)
  if (before.suspend !== true) return immutableErrors(spec, before, ['template'])
  const isNew = recordOf(old.status).startTime === undefined
  const [now, then] = [fixedPart(spec.template, isNew), fixedPart(before.template, isNew)]
  if (jsonEqual(now, then)) return []
  return [invalidValue('spec.template.spec', spec.template?.spec, 'field is immutable')]
}

function fixedPart(template: PodTemplate = {}, isNew: boolean): object {
  const { containers, initContainers, ...spec } = template.spec ?? {}
  const { nodeSelector: _n, tolerations: _t, schedulingGates: _g, affinity, ...settled } = spec
  const { nodeAffinity: _a, ...others } = affinity ?? {}
  return {
    ...(isNew ? { ...settled, affinity: others } : spec),
    containers: (containers ?? []).map(withoutResources),
    initContainers: (initContainers ?? []).map(withoutResources),
  }
}

function withoutResources({ resources: _resources, ...container }: Container): object {
  return container
}

const warnings = workloadWarnings()

/** https://kubernetes.io/docs/concepts/workloads/controllers/job/ */
export const jobRules: KindRules = {
  metadata: {
    generation: true,
  },
  read: {
    selectableFields: { 'status.successful': (object) => countAt(object, 'status', 'succeeded') },
    selectorError: (field) => `field label "${field}" not supported for Job`,
  },
  validate(object, old, subresource) {
    if (subresource === 'status') return old === undefined ? [] : jobStatusErrors(object, old)
    const spec: JobSpec = recordOf(object.spec)
    const errors = specErrors(spec)
    return [...generatedErrors(object, spec), ...errors, ...hostnameErrors(object, spec)]
  },
  create: {
    ...warnings.create,
    prepare(object) {
      generateSelector(object)
    },
  },
  update: {
    ...warnings.update,
    validatesChangesLast: true,
    validate(object, old) {
      const spec: JobSpec = recordOf(object.spec)
      return [...specErrors(spec), ...changeErrors(spec, old)]
    },
  },
  delete: {
    orphans: {
      warning:
        'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    },
  },
}
