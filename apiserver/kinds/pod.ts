import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { forbidden } from '../request/status.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, forbiddenValue, invalidValue } from '../validation/field-error.js'
import { addLabelsOfNode } from './node-topology.js'
import { admitPod, admitPodChange, firstStatus, withAddressLists } from './pod-admission.js'
import { ephemeralChangeErrors } from './pod-spec/ephemeral-errors.js'
import { missingResources } from './pod-spec/node-room.js'
import { podChangeErrors } from './pod-spec/pod-change-errors.js'
import { withPodRequests } from './pod-spec/pod-resources.js'
import { podSpecErrors } from './pod-spec/pod-spec-errors.js'
import { isResized, resizeErrors, resizeSpec } from './pod-spec/resize.js'
import type { PodSpec } from './pod-spec/spec.js'
import { withLabelKeys } from './pod-spec/with-label-keys.js'
import { podStatusErrors } from './pod-status-errors.js'
import { podWarnings } from './pod-warnings/pod-warnings.js'
import { qosClassOf } from './qos-class.js'

const pathPrefix =
  (...path: readonly string[]) =>
  (object: object) =>
    textAt(object, ...path)

/** An image has no blanks at its ends; in a template it may. */
function imageErrors(spec: PodSpec): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((field) =>
    (spec[field] ?? []).flatMap(({ image = '' }, index) =>
      image.trim() === image ? [] : [invalidValue(`spec.${field}[${index}].image`, image, blanks)],
    ),
  )
}

const blanks = 'must not have leading or trailing whitespace'

/** Errors that apply only to a new pod, not to pod templates. */
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

/** The errors of a change. */
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

/** A pod on a node must not request more than the node has. Throws 403. */
function checkAllocatable(
  { metadata, spec }: OpenObject,
  node: OpenObject | undefined,
  nodeName: string,
): void {
  const { name = '' } = metadata
  if (node === undefined) throw forbidden(pods, name, `node "${nodeName}" not found`)
  const lack = missingResources(recordOf(spec), node)
  if (lack === undefined) return
  const refusal = forbidden(pods, name, `node didn't have enough allocatable resources: ${lack}`)
  Object.assign(refusal.status.details ?? {}, { causes: [{ reason: 'NodeCapacity' }] })
  throw refusal
}

const pods = { group: '', plural: 'pods' }

/** https://kubernetes.io/docs/concepts/workloads/pods/ ; no kubelet runs them, so they stay `Pending`. */
export const podRules: KindRules = {
  metadata: {
    generation: true,
  },
  read: {
    selectableFields: {
      'spec.nodeName': pathPrefix('spec', 'nodeName'),
      'spec.restartPolicy': pathPrefix('spec', 'restartPolicy'),
      'spec.schedulerName': pathPrefix('spec', 'schedulerName'),
      'spec.serviceAccountName': pathPrefix('spec', 'serviceAccountName'),
      'spec.hostNetwork': (object) => String(fieldAt(object, 'spec', 'hostNetwork') === true),
      // An old name of the node.
      'spec.host': pathPrefix('spec', 'nodeName'),
      'status.phase': pathPrefix('status', 'phase'),
      'status.podIP': pathPrefix('status', 'podIP'),
      // The selector is accepted, but matches no pod.
      'status.podIPs': () => '',
      'status.nominatedNodeName': pathPrefix('status', 'nominatedNodeName'),
    },
  },
  setDefaults(object) {
    withAddressLists(object)
    object.spec = withPodRequests(recordOf(object.spec))
  },
  validate(object, old, subresource) {
    const spec: PodSpec = recordOf(object.spec)
    if (old !== undefined && subresource === 'status') return podStatusErrors(object, old)
    const errors = [...podSpecErrors(spec, 'spec'), ...imageErrors(spec)]
    if (old === undefined) return [...errors, ...createErrors(spec)]
    return [...errors, ...changeErrors(spec, old, subresource)]
  },
  create: {
    allowsStatus: true,
    warnings: podWarnings,
    prepare(object, services) {
      addLabelsOfNode(object, textAt(object, 'spec', 'nodeName'), services)
      object.spec = withLabelKeys(admitPod(object, services), object.metadata.labels ?? {})
      // A class in the request is kept.
      const qosClass = textAt(object, 'status', 'qosClass') || qosClassOf(recordOf(object.spec))
      object.status = firstStatus(object, qosClass, services)
    },
  },
  update: {
    prepare(object, old) {
      object.spec = admitPodChange(object, old)
    },
    admit({ next, old, subresource }, { find }) {
      const node = textAt(old, 'spec', 'nodeName')
      if (subresource !== 'resize' || node === '' || !isResized(recordOf(next.spec), recordOf(old.spec)))
        return
      checkAllocatable(next, find('nodes', '', node), node)
    },
  },
  status: {
    keptMetadata: ['ownerReferences', 'deletionTimestamp'],
    prepare(object, old) {
      // The claims belong to a feature that is off by default.
      const { nodeAllocatableResourceClaimStatuses: _claims, ...status } = recordOf(object.status)
      const qosClass = status.qosClass ?? textAt(old, 'status', 'qosClass')
      object.status = { ...status, qosClass }
    },
  },
  parts: {
    spec: {
      ephemeralcontainers: ({ ephemeralContainers }, old) => ({ ...old, ephemeralContainers }),
      resize: resizeSpec,
    },
  },
  delete: {
    returnsObject: true,
    gracePeriodSeconds(object, requested) {
      const phase = fieldAt(object, 'status', 'phase')
      const scheduled = textAt(object, 'spec', 'nodeName') !== ''
      if (!scheduled || phase === 'Succeeded' || phase === 'Failed') return 0
      const seconds = requested ?? Number(fieldAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30)
      return seconds < 0 ? 1 : seconds
    },
  },
}
