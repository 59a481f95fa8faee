/** The Service of the API server and its endpoints, which a kube-apiserver itself keeps. */
import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { apiVersionOf } from '../../sdk/engine/kube/resource.js'
import { formatTime } from '../base/clock.js'
import { onlyMembers } from '../base/members.js'
import { type OpenObject, recordOf } from '../base/object.js'
import { type ServerParts, storageKey } from '../server/context.js'
import type { Change } from '../store/entry.js'
import { createObject } from '../verbs/create.js'
import { deleteEntry } from '../verbs/delete.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'
import { runEach } from './run-each.js'

const defaultNamespace = 'default'
const serviceName = 'kubernetes'
/** The manager of the objects' fields. */
const caller = 'kube-apiserver'
/** The first address of the range of Services. */
const serviceAddress = '10.96.0.1'
/**
 * Endpoints may not have loopback addresses, and the server need not listen at all. This address is reserved for
 * documentation (RFC 5737), so that no program connects to it by mistake.
 */
const endpointAddress = '192.0.2.1'
const endpoint = { name: 'https', port: 6443, protocol: 'TCP' }

interface MaintainedObject {
  readonly group?: string
  readonly plural: string
  readonly object: OpenObject
  /** A field that cannot be changed: an object with another value is deleted, and created again. */
  readonly immutable?: string
  /** The fields that are set back if a client changes them; default none. */
  readonly fields?: readonly string[]
  readonly added: AddedByCreate
}

/** The parts that a create adds to an object. */
interface AddedByCreate {
  readonly spec?: object
  readonly status?: object
  readonly generation?: number
  /** The fields that the server owns. */
  readonly fieldsV1: object
}

/** Creates the maintained objects, new ones at each call, because the server may change the objects that it stores. */
const maintainedObjects = (): MaintainedObject[] => [
  maintainedService(),
  maintainedEndpoints(),
  maintainedSlice(),
]

function maintainedService(): MaintainedObject {
  const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: endpoint.port }]
  const labels = { component: 'apiserver', provider: serviceName }
  return {
    plural: 'services',
    object: {
      metadata: { name: serviceName, labels },
      spec: { type: 'ClusterIP', clusterIP: serviceAddress, ports, sessionAffinity: 'None' },
    },
    added: {
      spec: {
        internalTrafficPolicy: 'Cluster',
        clusterIPs: [serviceAddress],
        ipFamilyPolicy: 'SingleStack',
        ipFamilies: ['IPv4'],
      },
      status: { loadBalancer: {} },
      fieldsV1: { ...ownedLabels(labels), 'f:spec': serviceFields },
    },
  }
}

function maintainedEndpoints(): MaintainedObject {
  const labels = { 'endpointslice.kubernetes.io/skip-mirror': 'true' }
  return {
    plural: 'endpoints',
    object: {
      metadata: { name: serviceName, labels },
      subsets: [{ addresses: [{ ip: endpointAddress }], ports: [{ ...endpoint }] }],
    },
    fields: ['subsets'],
    added: { fieldsV1: { ...ownedLabels(labels), 'f:subsets': {} } },
  }
}

function maintainedSlice(): MaintainedObject {
  const labels = { 'kubernetes.io/service-name': serviceName }
  const fieldsV1 = { 'f:addressType': {}, 'f:endpoints': {}, ...ownedLabels(labels), 'f:ports': {} }
  return {
    group: 'discovery.k8s.io',
    plural: 'endpointslices',
    object: {
      metadata: { name: serviceName, labels },
      addressType: 'IPv4',
      endpoints: [{ addresses: [endpointAddress], conditions: { ready: true } }],
      ports: [{ ...endpoint }],
    },
    immutable: 'addressType',
    fields: ['endpoints', 'ports'],
    added: { generation: 1, fieldsV1 },
  }
}

const serviceFields = {
  'f:clusterIP': {},
  'f:internalTrafficPolicy': {},
  'f:ports': {
    '.': {},
    'k:{"port":443,"protocol":"TCP"}': {
      '.': {},
      'f:name': {},
      'f:port': {},
      'f:protocol': {},
      'f:targetPort': {},
    },
  },
  'f:sessionAffinity': {},
  'f:type': {},
}

function ownedLabels(labels: object): object {
  const owned = Object.keys(labels).map((name) => [`f:${name}`, {}])
  return { 'f:metadata': { 'f:labels': { '.': {}, ...Object.fromEntries(owned) } } }
}

const storages = new Set(['services', 'endpoints', 'endpointslices.discovery.k8s.io'])

/**
 * Whether a change modifies or deletes an object that the server maintains. Only the server itself adds these objects.
 */
export function changesApiServerObject(storage: string, { type, entry }: Change): boolean {
  const { namespace, name } = entry.object.metadata
  return type !== 'ADDED' && name === serviceName && namespace === defaultNamespace && storages.has(storage)
}

/**
 * Stores the objects in a new server, as creates would. Every server starts with them, and the first creates of a
 * process take a third of the start.
 */
export function storeApiServerObjects(server: ServerParts): void {
  for (const maintained of maintainedObjects()) storeNew(server, maintained)
}

function storeNew(server: ServerParts, { group = '', plural, object, added }: MaintainedObject): void {
  const resource = server.registry.find(group, 'v1', plural)
  if (resource === undefined) return
  const time = formatTime(server.clock.date())
  const { fieldsV1, generation, spec, status } = added
  const owner = { manager: caller, operation: 'Update', apiVersion: apiVersionOf(resource), time }
  const metadata = {
    ...object.metadata,
    namespace: defaultNamespace,
    uid: server.identity.uid(),
    creationTimestamp: time,
    ...(generation !== undefined && { generation }),
    managedFields: [{ ...owner, fieldsType: 'FieldsV1', fieldsV1 }],
  }
  server.store.put(resource.storage, storageKey(defaultNamespace, serviceName), {
    ...object,
    metadata,
    ...(spec !== undefined && { spec: { ...recordOf(object.spec), ...spec } }),
    ...(status !== undefined && { status }),
  })
}

/**
 * Creates missing objects, and restores endpoints that a client changed. A kube-apiserver does so within ten seconds.
 * An existing Service is not changed.
 */
export function keepApiServerObjects(server: ServerParts): void {
  runEach(maintainedObjects().map((maintained) => () => keep(server, maintained)))
}

function keep(
  server: ServerParts,
  { group = '', plural, object, immutable, fields = [] }: MaintainedObject,
): void {
  const resource = server.registry.find(group, 'v1', plural)
  if (resource === undefined) return
  const old = server.store.collection(resource.storage).get(storageKey(defaultNamespace, serviceName))
  const target = { resource, namespace: defaultNamespace, caller }
  if (old === undefined) {
    createObject(internalRequest(server, target), object, { dryRun: false })
    return
  }
  const request = internalRequest(server, { ...target, name: serviceName })
  const stored = old.object as OpenObject
  if (immutable !== undefined && stored[immutable] !== object[immutable]) {
    // The change brings the next run, which creates it.
    deleteEntry(request, old, { dryRun: false, propagation: 'Background' })
    return
  }
  const [now, desired] = [onlyMembers(stored, fields), onlyMembers(object, fields)]
  if (jsonEqual(now, desired)) return
  const metadata = { ...stored.metadata }
  replaceObject(request, { old, next: { ...stored, metadata, ...desired }, dryRun: false })
}
