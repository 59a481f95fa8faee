import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { nodeChangeErrors, nodeErrors } from './node-errors.js'

/**
 * The first range and the list of ranges are kept equal; the first one decides, because older clients know
 * only that.
 */
function withRangeLists(object: OpenObject): void {
  const spec = recordOf(object.spec)
  const range = textAt(spec, 'podCIDR')
  const [first] = Array.isArray(spec.podCIDRs) ? spec.podCIDRs : []
  if (range !== '' && first !== range) object.spec = { ...spec, podCIDRs: [range] }
  else if (range === '' && first !== undefined) object.spec = { ...spec, podCIDR: first }
}

/** Drops the fields of dynamic kubelet configuration, which Kubernetes no longer has. */
function dropConfigSource(object: OpenObject): undefined {
  const { configSource: _config, ...spec } = recordOf(object.spec)
  if (_config !== undefined) object.spec = spec
}

function dropStatusConfig(object: OpenObject): void {
  const { config, ...status } = recordOf(object.status)
  if (config !== undefined) object.status = status
}

/** The allocatable resources default to the capacity. */
function withAllocatable(object: OpenObject): void {
  const capacity = fieldAt(object, 'status', 'capacity')
  if (capacity === undefined || fieldAt(object, 'status', 'allocatable') !== undefined) return
  object.status = { ...recordOf(object.status), allocatable: capacity }
}

/**
 * https://kubernetes.io/docs/concepts/architecture/nodes/ ; a node that registers itself is not ready until
 * its status says so.
 */
export const nodeRules: KindRules = {
  read: {
    selectableFields: { 'spec.unschedulable': (object) => textAt(object, 'spec', 'unschedulable') },
  },
  setDefaults(object) {
    withRangeLists(object)
    withAllocatable(object)
  },
  validate(object, old, subresource) {
    const errors = subresource === 'status' ? [] : nodeErrors(object)
    return old === undefined ? errors : [...errors, ...nodeChangeErrors(object, old)]
  },
  create: {
    allowsStatus: true,
    prepare(object) {
      dropConfigSource(object)
      dropStatusConfig(object)
      const spec = recordOf(object.spec)
      const taints = Array.isArray(spec.taints) ? spec.taints : []
      const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
      const isThere = taints.some((each) => textAt(each, 'key') === taint.key)
      if (!isThere) object.spec = { ...spec, taints: [...taints, taint] }
    },
  },
  update: {
    prepare: dropConfigSource,
  },
  status: {
    prepare: dropStatusConfig,
  },
}
