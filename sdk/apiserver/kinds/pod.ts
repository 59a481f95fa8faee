import { type FieldError, forbiddenValue, invalidValue } from '../validation/field-error.js'
import { checkQualified } from '../validation/values.js'
import { fieldAt, type KindRules, type OpenObject, recordOf, textAt } from './kind-rules.js'
import { admitPod, admitPodChange, firstStatus, withAddressLists } from './pod-admission.js'
import { podChangeErrors } from './pod-spec/pod-change-errors.js'
import { podSpecErrors } from './pod-spec/pod-spec-errors.js'
import type { PodSpec } from './pod-spec/spec.js'
import { podWarnings } from './pod-warnings.js'

const at =
  (...path: readonly string[]) =>
  (object: object) =>
    textAt(object, ...path)

/** The quality of service: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/ */
function qosClassOf(spec: Record<string, unknown>): string {
  const containers = [spec.initContainers ?? [], spec.containers ?? []].flat()
  const resources = containers.map((container) => recordOf(recordOf(container).resources))
  const isAsked = resources.some(({ limits, requests }) =>
    [limits, requests].some((each) => Object.keys(recordOf(each)).some((name) => COUNTED.includes(name))),
  )
  if (!isAsked) return 'BestEffort'
  return resources.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

const COUNTED = ['cpu', 'memory']

function isGuaranteed({ limits, requests }: Record<string, unknown>): boolean {
  return COUNTED.every((name) => {
    const limit = fieldAt(limits, name)
    return limit !== undefined && limit === fieldAt(requests, name)
  })
}

/** An image has no blanks around it; in a template it may. */
function imageErrors(spec: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap(({ image = '' }, at) =>
      image.trim() === image ? [] : [invalidValue(`spec.${field}[${at}].image`, image, BLANKS)],
    ),
  )
}

const BLANKS = 'must not have leading or trailing whitespace'

/** What is told of a new pod, and of nothing else that has pods in it. */
function createErrors({
  ephemeralContainers = [],
  nodeName = '',
  schedulingGates = [],
}: PodSpec): FieldError[] {
  const gated = 'cannot be set until all schedulingGates have been cleared'
  return [
    ...(ephemeralContainers.length > 0
      ? [forbiddenValue('spec.ephemeralContainers', 'cannot be set on create')]
      : []),
    ...(nodeName !== '' && schedulingGates.length > 0 ? [forbiddenValue('spec.nodeName', gated)] : []),
  ]
}

function statusErrors(object: OpenObject, old: OpenObject): FieldError[] {
  const [now, before] = [textAt(object, 'status', 'qosClass'), textAt(old, 'status', 'qosClass')]
  const conditions = fieldAt(object, 'status', 'conditions')
  const types = Array.isArray(conditions) ? conditions.map((condition) => textAt(condition, 'type')) : []
  return [
    ...types.flatMap((type, index) => checkQualified(`status.conditions[${index}].Type`, type)),
    ...(now === before ? [] : [invalidValue('status.qosClass', now, 'field is immutable')]),
  ]
}

/** https://kubernetes.io/docs/concepts/workloads/pods/ ; no kubelet runs them, so they stay `Pending`. */
export const podRules: KindRules = {
  generation: true,
  returnsDeleted: true,
  warnings: podWarnings,
  statusKeepsOwners: true,
  selectable: {
    'spec.nodeName': at('spec', 'nodeName'),
    'spec.restartPolicy': at('spec', 'restartPolicy'),
    'spec.schedulerName': at('spec', 'schedulerName'),
    'spec.serviceAccountName': at('spec', 'serviceAccountName'),
    'status.phase': at('status', 'phase'),
    'status.podIP': at('status', 'podIP'),
    'status.nominatedNodeName': at('status', 'nominatedNodeName'),
  },
  prepare: withAddressLists,
  prepareCreate(object, services) {
    object.spec = admitPod(object, services)
    object.status = firstStatus(object, qosClassOf(recordOf(object.spec)), services)
  },
  prepareUpdate(object, old) {
    object.spec = admitPodChange(object, old)
  },
  validate(object, old, subresource) {
    const spec: PodSpec = recordOf(object.spec)
    if (old !== undefined && subresource === 'status') return statusErrors(object, old)
    const errors = [...podSpecErrors(spec, 'spec'), ...imageErrors(spec)]
    if (old === undefined) return [...errors, ...createErrors(spec)]
    return subresource === '' ? [...errors, ...podChangeErrors(spec, recordOf(old.spec))] : errors
  },
  gracePeriodSeconds(object, asked) {
    const phase = fieldAt(object, 'status', 'phase')
    const scheduled = textAt(object, 'spec', 'nodeName') !== ''
    if (!scheduled || phase === 'Succeeded' || phase === 'Failed') return 0
    const seconds = asked ?? Number(fieldAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30)
    return seconds < 0 ? 1 : seconds
  },
}
