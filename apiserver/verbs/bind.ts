import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { addLabelsOfNode } from '../kinds/node-topology.js'
import { parseObjectBody } from '../request/body.js'
import { badRequest, conflict, failure, noSuchResource, notFound } from '../request/status.js'
import { keyOfObject, type ResourceRequest, storageKey } from '../server/context.js'
import { type FieldError, formatFieldErrors, required, unsupported } from '../validation/field-error.js'
import { admitPart } from './admission-steps.js'
import { checkNamespace } from './create.js'
import { bindings } from './part-kinds.js'
import { preconditionError, uidConflictError } from './preconditions.js'
import { reportOf } from './report.js'
import { shapeObject } from './shape.js'
import { writeOptions } from './write-options.js'

const podsResource = { group: '', plural: 'pods' }

/**
 * Assigns a pod to the node in the Binding, as a scheduler does. Follows
 * `pkg/registry/core/pod/storage/storage.go` of Kubernetes v1.36.3.
 */
export async function bind(request: ResourceRequest): Promise<void> {
  const { server, target, query } = request
  const { dryRun, fieldValidation } = writeOptions(query, 'CreateOptions')
  const body = await parseObjectBody(request, 'Binding')
  const requestedBinding = shapeObject(body, bindings, reportOf(request, fieldValidation))
  checkNamespace(request, requestedBinding)
  const bindingRequest = { operation: 'CREATE', kind: bindings, object: requestedBinding, dryRun } as const
  const binding: OpenObject = await admitPart(request, bindingRequest)
  const name = target.name === '' ? textAt(binding, 'metadata', 'name') : target.name
  if (textAt(binding, 'metadata', 'name') !== name) {
    throw badRequest('name in URL does not match name in Binding object')
  }
  const errors = targetErrors(binding)
  if (errors.length > 0) throw failure(500, formatFieldErrors(errors))
  const pod = server.store.collection(podsResource.plural).get(storageKey(target.namespace, name))
  if (pod === undefined) throw notFound(podsResource, name)
  const old = pod.object as OpenObject
  checkSamePod(request, binding, old)
  checkFree(old, name)
  addTopology(request, binding)
  const next = boundPod(old, binding, formatTime(server.clock.date()))
  if (dryRun) return
  // The fields that a binding sets have no owner, as on a kube-apiserver.
  server.store.put(podsResource.plural, keyOfObject(old), next)
}

/** Adds the labels of the node to a binding, which the pod gets. A target without a kind is not a node here. */
function addTopology({ server, target }: ResourceRequest, binding: OpenObject): void {
  if (target.subresource !== 'binding' || textAt(binding, 'target', 'kind') !== 'Node') return
  addLabelsOfNode(binding, textAt(binding, 'target', 'name'), server)
}

function targetErrors(binding: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = []
  const kind = textAt(binding, 'target', 'kind')
  if (kind !== '' && kind !== 'Node')
    errors.push(unsupported('target.kind', `"${kind}"`, ['Node', '<empty>']))
  if (textAt(binding, 'target', 'name') === '') errors.push(required('target.name', ''))
  return errors
}

/** Throws 409 if the binding is for another pod of the same name, or for an earlier state of the pod. */
function checkSamePod(request: ResourceRequest, binding: OpenObject, { metadata }: OpenObject): void {
  const { server, target } = request
  const resource = server.registry.find('', 'v1', podsResource.plural)
  if (resource === undefined) throw noSuchResource()
  const podRequest = { ...request, resource, target: { ...target, name: metadata.name ?? '' } }
  // The UID of an object that is created is ignored, unless it is created as a part of another one.
  const uid = target.subresource === '' ? '' : binding.metadata.uid
  if (uid && uid !== metadata.uid) throw uidConflictError(podRequest, uid, metadata.uid)
  const { resourceVersion: version } = binding.metadata
  if (version && version !== metadata.resourceVersion)
    throw preconditionError(podRequest, 'ResourceVersion', [version, metadata.resourceVersion])
}

function checkFree(pod: OpenObject, name: string): void {
  const refuse = (why: string) => conflict({ group: '', plural: 'pods/binding' }, name, why)
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`)
  }
  const node = textAt(pod, 'spec', 'nodeName')
  if (node !== '') throw refuse(`pod ${name} is already assigned to node "${node}"`)
  const gates = fieldAt(pod, 'spec', 'schedulingGates')
  if (Array.isArray(gates) && gates.length > 0)
    throw refuse(`pod ${name} has non-empty .spec.schedulingGates`)
}

/** The pod on its node, with the labels and annotations of the binding. */
function boundPod(pod: OpenObject, binding: Record<string, unknown>, now: string): OpenObject {
  const { metadata } = pod
  const added = (field: 'labels' | 'annotations') => {
    const members = recordOf(fieldAt(binding, 'metadata', field)) as Record<string, string>
    return Object.keys(members).length === 0 ? {} : { [field]: { ...metadata[field], ...members } }
  }
  const { nominatedNodeName: _nominated, ...status } = recordOf(pod.status)
  return {
    ...pod,
    metadata: { ...metadata, ...added('labels'), ...added('annotations') },
    spec: { ...recordOf(pod.spec), nodeName: textAt(binding, 'target', 'name') },
    status: { ...status, conditions: scheduledConditions(status.conditions, now) },
  } as OpenObject
}

/** The conditions of a pod with a node. One that was true before keeps its time. */
function scheduledConditions(stored: unknown, now: string): object[] {
  const conditions = Array.isArray(stored) ? stored.map(recordOf) : []
  const index = conditions.findIndex(({ type }) => type === 'PodScheduled')
  const before = conditions[index]
  const lastTransitionTime = before?.status === 'True' ? before.lastTransitionTime : now
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime }
  return index < 0 ? [...conditions, scheduled] : conditions.with(index, scheduled)
}
