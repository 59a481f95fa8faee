import { forbidden } from '../status.js'
import { type FieldError, forbiddenValue, invalidValue } from '../validation/field-error.js'
import { subdomainName } from '../validation/names.js'
import { checkName, checkQualified } from '../validation/values.js'
import { fieldAt, type KindRules, type OpenObject, recordOf, textAt } from './kind-rules.js'
import { admitPod, admitPodChange, firstStatus, withAddressLists } from './pod-admission.js'
import { ephemeralChangeErrors } from './pod-spec/ephemeral-errors.js'
import { extendedClaimErrors } from './pod-spec/extended-claim-errors.js'
import { lackOfRoom } from './pod-spec/node-room.js'
import { podChangeErrors } from './pod-spec/pod-change-errors.js'
import { podSpecErrors } from './pod-spec/pod-spec-errors.js'
import { isResized, resized, resizeErrors } from './pod-spec/resize.js'
import type { PodSpec } from './pod-spec/spec.js'
import { podWarnings } from './pod-warnings.js'
import { qosClassOf } from './qos-class.js'

const at =
  (...path: readonly string[]) =>
  (object: object) =>
    textAt(object, ...path)

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
    ...nominatedErrors(textAt(object, 'status', 'nominatedNodeName')),
    ...extendedClaimErrors(object),
  ]
}

function nominatedErrors(name: string): FieldError[] {
  return name === '' ? [] : checkName('status.nominatedNodeName', name, subdomainName)
}

/** What is wrong with the change itself. */
function changeErrors(spec: PodSpec, { spec: old, status }: OpenObject, subresource = ''): FieldError[] {
  const before: PodSpec = recordOf(old)
  switch (subresource) {
    case '':
      return podChangeErrors(spec, before)
    case 'ephemeralcontainers':
      return ephemeralChangeErrors(spec, before)
    case 'resize':
      return resizeErrors(spec, before, textAt(status, 'qosClass'))
    default:
      return []
  }
}

/** A pod that is on a node may only be given what that node has. Throws 403. */
function checkRoom({ metadata, spec }: OpenObject, node: OpenObject | undefined, nodeName: string): void {
  const { name = '' } = metadata
  if (node === undefined) throw forbidden(PODS, name, `node "${nodeName}" not found`)
  const lack = lackOfRoom(recordOf(spec), node)
  if (lack === undefined) return
  const refusal = forbidden(PODS, name, `node didn't have enough allocatable resources: ${lack}`)
  Object.assign(refusal.status.details ?? {}, { causes: [{ reason: 'NodeCapacity' }] })
  throw refusal
}

const PODS = { group: '', plural: 'pods' }

/** https://kubernetes.io/docs/concepts/workloads/pods/ ; no kubelet runs them, so they stay `Pending`. */
export const podRules: KindRules = {
  generation: true,
  returnsDeleted: true,
  warnings: podWarnings,
  statusKeeps: ['ownerReferences', 'deletionTimestamp'],
  prepareStatus(object, old) {
    // The claims are of a feature that is off by default.
    const { nodeAllocatableResourceClaimStatuses: _claims, ...status } = recordOf(object.status)
    const qosClass = status.qosClass ?? textAt(old, 'status', 'qosClass')
    object.status = { ...status, qosClass }
  },
  selectable: {
    'spec.nodeName': at('spec', 'nodeName'),
    'spec.restartPolicy': at('spec', 'restartPolicy'),
    'spec.schedulerName': at('spec', 'schedulerName'),
    'spec.serviceAccountName': at('spec', 'serviceAccountName'),
    'spec.hostNetwork': (object) => String(fieldAt(object, 'spec', 'hostNetwork') === true),
    // An old name of the node.
    'spec.host': at('spec', 'nodeName'),
    'status.phase': at('status', 'phase'),
    'status.podIP': at('status', 'podIP'),
    // May be asked for, but no pod is known by it.
    'status.podIPs': () => '',
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
    return [...errors, ...changeErrors(spec, old, subresource)]
  },
  parts: {
    ephemeralcontainers: ({ ephemeralContainers }, old) => ({ ...old, ephemeralContainers }),
    resize: resized,
  },
  admitUpdate({ next, old, subresource }, { find }) {
    const node = textAt(old, 'spec', 'nodeName')
    if (subresource !== 'resize' || node === '' || !isResized(recordOf(next.spec), recordOf(old.spec))) return
    checkRoom(next, find('nodes', '', node), node)
  },
  gracePeriodSeconds(object, asked) {
    const phase = fieldAt(object, 'status', 'phase')
    const scheduled = textAt(object, 'spec', 'nodeName') !== ''
    if (!scheduled || phase === 'Succeeded' || phase === 'Failed') return 0
    const seconds = asked ?? Number(fieldAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30)
    return seconds < 0 ? 1 : seconds
  },
}
