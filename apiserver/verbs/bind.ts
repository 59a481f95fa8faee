import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { parseObjectBody } from '../request/body.js'
import { badRequest, conflict, failure, notFound } from '../request/status.js'
import { keyOfObject, type ResourceRequest, storageKey } from '../server/context.js'
import { type FieldError, formatFieldErrors, required, unsupported } from '../validation/field-error.js'
import { admitPart } from './admission-steps.js'
import { bindings } from './part-kinds.js'
import { writeOptions } from './write-options.js'

const podsResource = { group: '', plural: 'pods' }

/**
 * Assigns a pod to the node in the Binding, as a scheduler does. Follows
 * `pkg/registry/core/pod/storage/storage.go` of Kubernetes v1.36.3, which does not check more.
 */
export async function bind(request: ResourceRequest): Promise<void> {
  const { server, target, query } = request
  const { dryRun } = writeOptions(query, 'CreateOptions')
  const requestedBinding = recordOf(await parseObjectBody(request, 'Binding')) as OpenObject
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
  checkFree(old, name)
  const next = boundPod(old, binding, formatTime(server.clock.date()))
  const pods = server.registry.find('', 'v1', podsResource.plural)
  if (dryRun || pods === undefined) return
  // The fields that a binding sets have no owner, as on a kube-apiserver.
  server.store.put(podsResource.plural, keyOfObject(old), next)
}

function targetErrors(binding: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = []
  const kind = textAt(binding, 'target', 'kind')
  if (kind !== '' && kind !== 'Node')
    errors.push(unsupported('target.kind', `"${kind}"`, ['Node', '<empty>']))
  if (textAt(binding, 'target', 'name') === '') errors.push(required('target.name', ''))
  return errors
}

function checkFree(pod: OpenObject, name: string): void {
  const refuse = (why: string) => conflict({ group: '', plural: 'pods/binding' }, name, why)
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`)
  }
  const node = textAt(pod, 'spec', 'nodeName')
  if (node !== '') throw refuse(`pod ${name} is already assigned to node "${node}"`)
}

/** The pod on its node, with the labels and annotations of the binding. */
function boundPod(pod: OpenObject, binding: Record<string, unknown>, now: string): OpenObject {
  const { metadata } = pod
  const added = (field: 'labels' | 'annotations') => {
    const members = recordOf(fieldAt(binding, 'metadata', field)) as Record<string, string>
    return Object.keys(members).length === 0 ? {} : { [field]: { ...metadata[field], ...members } }
  }
  const status = recordOf(pod.status)
  const conditions = Array.isArray(status.conditions) ? status.conditions.map(recordOf) : []
  const others = conditions.filter(({ type }) => type !== 'PodScheduled')
  const scheduled = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now }
  return {
    ...pod,
    metadata: { ...metadata, ...added('labels'), ...added('annotations') },
    spec: { ...recordOf(pod.spec), nodeName: textAt(binding, 'target', 'name') },
    status: { ...status, conditions: [...others, scheduled] },
  } as OpenObject
}
