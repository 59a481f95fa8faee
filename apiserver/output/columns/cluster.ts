import { fieldAt, type OpenObject, recordOf, textAt } from '../../base/object.js'
import { formatAge } from '../age.js'
import { count, elementsAt, pointer, text, textOr } from './cell.js'
import type { Cell, CellsByResource } from './column.js'

/** The cells of ConfigMaps, Secrets, namespaces, nodes, events, quotas, leases and classes. */
export const clusterCells: CellsByResource = {
  configmaps: { Data: (object) => memberCount(object.data) + memberCount(object.binaryData) },
  secrets: { Type: text('type'), Data: (object) => memberCount(object.data) },
  namespaces: { Status: text('status', 'phase') },
  nodes: {
    Status: nodeStatus,
    Roles: nodeRoles,
    Version: text('status', 'nodeInfo', 'kubeletVersion'),
    'Internal-IP': addressOf('InternalIP'),
    'External-IP': addressOf('ExternalIP'),
    'OS-Image': textOr('<unknown>', 'status', 'nodeInfo', 'osImage'),
    'Kernel-Version': kernelVersion,
    'Container-Runtime': textOr('<unknown>', 'status', 'nodeInfo', 'containerRuntimeVersion'),
  },
  events: {
    'Last Seen': lastSeen,
    Type: text('type'),
    Reason: text('reason'),
    Object: ({ involvedObject }) => {
      const name = textAt(involvedObject, 'name')
      return textAt(involvedObject, 'kind').toLowerCase() + (name === '' ? '' : `/${name}`)
    },
    Subobject: text('involvedObject', 'fieldPath'),
    Source: eventSource,
    Message: (object) => textAt(object, 'message').trim(),
    'First Seen': firstSeen,
    Count: (object) => count('series', 'count')(object, epoch) || count('count')(object, epoch) || 1,
  },
  componentstatuses: {
    Status: componentStatus,
    Message: (object) => textAt(healthOf(object), 'message'),
    Error: (object) => textAt(healthOf(object), 'error'),
  },
  resourcequotas: {
    Request: (quota) => usageOf(quota, (resource) => !resource.startsWith('limits.')),
    Limit: (quota) => usageOf(quota, (resource) => resource.startsWith('limits.')),
  },
  'poddisruptionbudgets.policy': {
    'Min Available': pointer('N/A', 'spec', 'minAvailable'),
    'Max Unavailable': pointer('N/A', 'spec', 'maxUnavailable'),
    'Allowed Disruptions': count('status', 'disruptionsAllowed'),
  },
  'priorityclasses.scheduling.k8s.io': {
    Value: count('value'),
    'Global-Default': ({ globalDefault }) => globalDefault === true,
    PreemptionPolicy: text('preemptionPolicy'),
  },
  'leases.coordination.k8s.io': { Holder: text('spec', 'holderIdentity') },
  'runtimeclasses.node.k8s.io': { Handler: text('handler') },
}

const epoch = new Date(0)
const rolePrefix = 'node-role.kubernetes.io/'

const memberCount = (members: unknown) => Object.keys(recordOf(members)).length

function nodeStatus(node: OpenObject): string {
  const ready = elementsAt(node, 'status', 'conditions').findLast(({ type }) => type === 'Ready')
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return fieldAt(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status
}

function nodeRoles({ metadata }: OpenObject): string {
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) =>
    key.startsWith(rolePrefix) ? [key.slice(rolePrefix.length)] : key === 'kubernetes.io/role' ? [value] : [],
  )
  return [...new Set(roles)].filter(Boolean).sort().join(',') || '<none>'
}

function addressOf(desired: string): Cell {
  return (node) =>
    elementsAt(node, 'status', 'addresses').find(({ type }) => type === desired)?.address ?? '<none>'
}

function kernelVersion(node: OpenObject): string {
  const version = textAt(node, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>'
  const architecture = textAt(node, 'status', 'nodeInfo', 'architecture')
  return architecture === '' ? version : `${version} (${architecture})`
}

function firstSeen(event: OpenObject, now: Date): string {
  return formatAge(textAt(event, 'firstTimestamp') || textAt(event, 'eventTime'), now)
}

function lastSeen(event: OpenObject, now: Date): string {
  if (event.series !== undefined) return formatAge(textAt(event, 'series', 'lastObservedTime'), now)
  const last = textAt(event, 'lastTimestamp')
  return last === '' ? firstSeen(event, now) : formatAge(last, now)
}

function eventSource(event: OpenObject): string {
  const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent')
  const instance = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance')
  return instance === '' ? component : `${component}, ${instance}`
}

function healthOf(component: OpenObject): Record<string, unknown> | undefined {
  return elementsAt(component, 'conditions').find(({ type }) => type === 'Healthy')
}

function componentStatus(component: OpenObject): string {
  const health = healthOf(component)
  return health === undefined ? 'Unknown' : health.status === 'True' ? 'Healthy' : 'Unhealthy'
}

function usageOf(quota: OpenObject, isShown: (resource: string) => boolean): string {
  const hard = recordOf(fieldAt(quota, 'status', 'hard'))
  return Object.keys(hard)
    .filter(isShown)
    .sort()
    .map((resource) => `${resource}: ${textAt(quota, 'status', 'used', resource) || '0'}/${hard[resource]}`)
    .join(', ')
}
