import { customColumn } from '../custom/columns.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../kinds/kind-rules.js'
import type { CustomColumn, ServedResource } from '../served-resource.js'
import { formatAge } from './age.js'
import type { Column } from './column.js'

/** What Go's ObjectMeta says of its fields, which tables repeat. */
const NAME_DOC =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names'
const CREATION_DOC =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata'
const NAME: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: NAME_DOC,
  cell: ({ metadata }) => metadata.name,
}
const AGE: Column = {
  name: 'Age',
  type: 'string',
  cell: ({ metadata }, now) => formatAge(metadata.creationTimestamp, now),
}
/** The column of custom resources that ask for none. */
const CUSTOM_AGE: CustomColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: CREATION_DOC,
}
const CREATED_AT: Column = {
  name: 'Created At',
  type: 'date',
  cell: ({ metadata }) => metadata.creationTimestamp,
}

const column = (name: string, cell: Column['cell'], options: Partial<Column> = {}): Column => ({
  name,
  type: 'string',
  cell,
  ...options,
})
const wide = (name: string, cell: Column['cell']) => column(name, cell, { priority: 1 })
const integer = (name: string, cell: Column['cell']) => column(name, cell, { type: 'integer' })
const field =
  (...path: readonly string[]) =>
  (object: OpenObject) =>
    textAt(object, ...path)
const count =
  (...path: readonly string[]) =>
  (object: OpenObject) =>
    Number(fieldAt(object, ...path) ?? 0)
const orNone = (text: string) => (text === '' ? '<none>' : text)
const orUnset = (text: string) => (text === '' ? '<unset>' : text)

function sizeOf(...fields: readonly string[]): Column['cell'] {
  return (object) => fields.reduce((sum, name) => sum + Object.keys(recordOf(object[name])).length, 0)
}

function elementsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

function containersOf(object: OpenObject, ...path: readonly string[]): Record<string, unknown>[] {
  return elementsOf(fieldAt(object, ...path, 'containers'))
}

function formatSelector(selector: unknown): string {
  const pairs = Object.entries(recordOf(selector)).map(([key, value]) => `${key}=${value}`)
  return orNone(pairs.sort().join(','))
}

const template = (...path: readonly string[]): Column[] => [
  wide('Containers', (object) =>
    containersOf(object, ...path)
      .map(({ name }) => name)
      .join(','),
  ),
  wide('Images', (object) =>
    containersOf(object, ...path)
      .map(({ image }) => image)
      .join(','),
  ),
]
const SELECTOR = wide('Selector', (object) =>
  formatSelector(fieldAt(object, 'spec', 'selector', 'matchLabels')),
)

function podStatus(object: OpenObject): string {
  if (object.metadata.deletionTimestamp !== undefined) return 'Terminating'
  const waiting = elementsOf(fieldAt(object, 'status', 'containerStatuses'))
    .map((status) => textAt(status, 'state', 'waiting', 'reason'))
    .find((reason) => reason !== '')
  if (waiting !== undefined) return waiting
  const gated = elementsOf(fieldAt(object, 'status', 'conditions')).some(isSchedulingGate)
  return gated ? GATED : textAt(object, 'status', 'reason') || textAt(object, 'status', 'phase')
}

const GATED = 'SchedulingGated'

function isSchedulingGate({ type, reason }: Record<string, unknown>): boolean {
  return type === 'PodScheduled' && reason === GATED
}

function podReady(object: OpenObject): string {
  const statuses = elementsOf(fieldAt(object, 'status', 'containerStatuses'))
  const ready = statuses.filter((status) => status.ready === true).length
  return `${ready}/${containersOf(object, 'spec').length}`
}

function podRestarts(object: OpenObject): string {
  const statuses = elementsOf(fieldAt(object, 'status', 'containerStatuses'))
  return String(statuses.reduce((sum, status) => sum + Number(status.restartCount ?? 0), 0))
}

function servicePorts(object: OpenObject): string {
  const ports = elementsOf(fieldAt(object, 'spec', 'ports')).map(({ port, nodePort, protocol }) =>
    nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
  )
  return orNone(ports.join(','))
}

function externalIp(object: OpenObject): string {
  const type = textAt(object, 'spec', 'type')
  if (type === 'ExternalName') return textAt(object, 'spec', 'externalName')
  const ingress = elementsOf(fieldAt(object, 'status', 'loadBalancer', 'ingress'))
  const addresses = ingress.map(({ ip, hostname }) => ip ?? hostname).join(',')
  if (type === 'LoadBalancer') return addresses || '<pending>'
  return '<none>'
}

const firstSeen = (object: OpenObject, now: Date) =>
  formatAge(textAt(object, 'firstTimestamp') || textAt(object, 'eventTime'), now)

function lastSeen(object: OpenObject, now: Date): string {
  if (object.series !== undefined) return formatAge(textAt(object, 'series', 'lastObservedTime'), now)
  const last = textAt(object, 'lastTimestamp')
  return last === '' ? firstSeen(object, now) : formatAge(last, now)
}

function eventSource(object: OpenObject): string {
  const component = textAt(object, 'source', 'component') || textAt(object, 'reportingComponent')
  const instance = textAt(object, 'source', 'host') || textAt(object, 'reportingInstance')
  return instance === '' ? component : `${component}, ${instance}`
}

function ingressHosts(object: OpenObject): string {
  const hosts = elementsOf(fieldAt(object, 'spec', 'rules')).map(({ host }) => host ?? '*')
  return hosts.length === 0 ? '*' : hosts.join(',')
}

const readyOf = (object: OpenObject) =>
  `${fieldAt(object, 'status', 'readyReplicas') ?? 0}/${fieldAt(object, 'spec', 'replicas') ?? 0}`

const REPLICAS = [
  integer('Desired', count('spec', 'replicas')),
  integer('Current', count('status', 'replicas')),
  integer('Ready', count('status', 'readyReplicas')),
]

/** The columns of built-in resources, as `pkg/printers/internalversion/printers.go` of Kubernetes v1.36.3 has them. */
const COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  configmaps: [NAME, column('Data', sizeOf('data', 'binaryData')), AGE],
  secrets: [NAME, column('Type', field('type')), column('Data', sizeOf('data')), AGE],
  namespaces: [NAME, column('Status', field('status', 'phase')), AGE],
  serviceaccounts: [NAME, AGE],
  pods: [
    NAME,
    column('Ready', podReady),
    column('Status', podStatus),
    column('Restarts', podRestarts),
    AGE,
    wide('IP', (object) => orNone(textAt(object, 'status', 'podIP'))),
    wide('Node', (object) => orNone(textAt(object, 'spec', 'nodeName'))),
    wide('Nominated Node', (object) => orNone(textAt(object, 'status', 'nominatedNodeName'))),
    wide('Readiness Gates', () => '<none>'),
  ],
  services: [
    NAME,
    column('Type', field('spec', 'type')),
    column('Cluster-IP', (object) => orNone(textAt(object, 'spec', 'clusterIP'))),
    column('External-IP', externalIp),
    column('Port(s)', servicePorts),
    AGE,
    wide('Selector', (object) => formatSelector(fieldAt(object, 'spec', 'selector'))),
  ],
  events: [
    column('Last Seen', lastSeen),
    column('Type', field('type')),
    column('Reason', field('reason')),
    column('Object', ({ involvedObject }) => {
      const name = textAt(involvedObject, 'name')
      return textAt(involvedObject, 'kind').toLowerCase() + (name === '' ? '' : `/${name}`)
    }),
    wide('Subobject', field('involvedObject', 'fieldPath')),
    wide('Source', eventSource),
    column('Message', (object) => textAt(object, 'message').trim()),
    wide('First Seen', firstSeen),
    wide('Count', (object) => count('series', 'count')(object) || count('count')(object) || 1),
    { ...NAME, priority: 1 },
  ],
  persistentvolumeclaims: [
    NAME,
    column('Status', field('status', 'phase')),
    column('Volume', field('spec', 'volumeName')),
    column('Capacity', field('status', 'capacity', 'storage')),
    column('Access Modes', (object) => elementsOf(fieldAt(object, 'status', 'accessModes')).join(',')),
    column('StorageClass', field('spec', 'storageClassName')),
    column('VolumeAttributesClass', (object) => orUnset(textAt(object, 'spec', 'volumeAttributesClassName'))),
    AGE,
    wide('VolumeMode', (object) => orUnset(textAt(object, 'spec', 'volumeMode'))),
  ],
  nodes: [
    NAME,
    column('Status', (object) => {
      const ready = elementsOf(fieldAt(object, 'status', 'conditions')).find(({ type }) => type === 'Ready')
      return ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
    }),
    column('Roles', () => '<none>'),
    AGE,
    column('Version', field('status', 'nodeInfo', 'kubeletVersion')),
  ],
  'leases.coordination.k8s.io': [NAME, column('Holder', field('spec', 'holderIdentity')), AGE],
  'deployments.apps': [
    NAME,
    column('Ready', readyOf),
    column('Up-to-date', count('status', 'updatedReplicas')),
    column('Available', count('status', 'availableReplicas')),
    AGE,
    ...template('spec', 'template', 'spec'),
    SELECTOR,
  ],
  'replicasets.apps': [NAME, ...REPLICAS, AGE, ...template('spec', 'template', 'spec'), SELECTOR],
  'statefulsets.apps': [NAME, column('Ready', readyOf), AGE, ...template('spec', 'template', 'spec')],
  'ingresses.networking.k8s.io': [
    NAME,
    column('Class', (object) => orNone(textAt(object, 'spec', 'ingressClassName'))),
    column('Hosts', ingressHosts),
    column('Address', (object) =>
      elementsOf(fieldAt(object, 'status', 'loadBalancer', 'ingress'))
        .map(({ ip, hostname }) => ip ?? hostname)
        .join(','),
    ),
    column('Ports', (object) => (fieldAt(object, 'spec', 'tls') === undefined ? '80' : '80, 443')),
    AGE,
  ],
  'networkpolicies.networking.k8s.io': [
    NAME,
    column('Pod-Selector', (object) => formatSelector(fieldAt(object, 'spec', 'podSelector', 'matchLabels'))),
    AGE,
  ],
  'storageclasses.storage.k8s.io': [
    NAME,
    column('Provisioner', field('provisioner')),
    column('ReclaimPolicy', field('reclaimPolicy')),
    column('VolumeBindingMode', field('volumeBindingMode')),
    column('AllowVolumeExpansion', (object) => String(object.allowVolumeExpansion === true)),
    AGE,
  ],
  'priorityclasses.scheduling.k8s.io': [
    NAME,
    integer('Value', count('value')),
    column('Global-Default', ({ globalDefault }) => globalDefault === true, { type: 'boolean' }),
    AGE,
    column('PreemptionPolicy', field('preemptionPolicy')),
  ],
}

/** Whether a resource has columns of its own. */
export function hasColumns(resource: ServedResource): boolean {
  return resource.custom !== undefined || COLUMNS[resource.storage] !== undefined
}

/** The columns that show a resource. */
export function columnsOf(resource: ServedResource): readonly Column[] {
  if (resource.custom === undefined) return COLUMNS[resource.storage] ?? [NAME, CREATED_AT]
  const asked = resource.custom.columns
  return [NAME, ...(asked.length === 0 ? [CUSTOM_AGE] : asked).map(customColumn)]
}
