/** The Service of the API server and its endpoints, which a kube-apiserver itself keeps. */
import isEqual from 'lodash/isEqual.js'
import pick from 'lodash/pick.js'
import type { OpenObject } from '../base/object.js'
import { type ServerParts, storageKey } from '../server/context.js'
import type { Change } from '../store/entry.js'
import { createObject } from '../verbs/create.js'
import { deleteEntry } from '../verbs/delete.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'
import { runEach } from './run-each.js'

const NAMESPACE = 'default'
const NAME = 'kubernetes'
/** The first address of the range of Services. */
const SERVICE_ADDRESS = '10.96.0.1'
/**
 * Endpoints may not have loopback addresses, and the server need not listen at all. This address is reserved for
 * documentation (RFC 5737), so that no program connects to it by mistake.
 */
const ENDPOINT_ADDRESS = '192.0.2.1'
const ENDPOINT = { name: 'https', port: 6443, protocol: 'TCP' }

interface Kept {
  readonly group?: string
  readonly plural: string
  readonly object: OpenObject
  /** A field that cannot be changed: an object with another value is deleted, and created again. */
  readonly immutable?: string
  /** The fields that are set back if a client changes them; default none. */
  readonly fields?: readonly string[]
}

/** The objects; the server may change what it is given, so each call returns new ones. */
function keptObjects(): Kept[] {
  const ports = [{ name: 'https', port: 443, protocol: 'TCP', targetPort: ENDPOINT.port }]
  const labels = { component: 'apiserver', provider: NAME }
  return [
    {
      plural: 'services',
      object: {
        metadata: { name: NAME, labels },
        spec: { type: 'ClusterIP', clusterIP: SERVICE_ADDRESS, ports, sessionAffinity: 'None' },
      },
    },
    {
      plural: 'endpoints',
      object: {
        metadata: { name: NAME, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
        subsets: [{ addresses: [{ ip: ENDPOINT_ADDRESS }], ports: [{ ...ENDPOINT }] }],
      },
      fields: ['subsets'],
    },
    {
      group: 'discovery.k8s.io',
      plural: 'endpointslices',
      object: {
        metadata: { name: NAME, labels: { 'kubernetes.io/service-name': NAME } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [ENDPOINT_ADDRESS], conditions: { ready: true } }],
        ports: [{ ...ENDPOINT }],
      },
      immutable: 'addressType',
      fields: ['endpoints', 'ports'],
    },
  ]
}

const STORAGES = new Set(['services', 'endpoints', 'endpointslices.discovery.k8s.io'])

/** Whether a change is one of an object that the server keeps. */
export function isApiServerObject(storage: string, { entry }: Change): boolean {
  const { namespace, name } = entry.object.metadata
  return name === NAME && namespace === NAMESPACE && STORAGES.has(storage)
}

/**
 * Creates the missing ones, and sets endpoints back that a client changed. A kube-apiserver does so within ten seconds.
 * It leaves a Service that exists as it is.
 */
export function keepApiServerObjects(server: ServerParts): void {
  runEach(keptObjects().map((kept) => () => keep(server, kept)))
}

function keep(server: ServerParts, { group = '', plural, object, immutable, fields = [] }: Kept): void {
  const resource = server.registry.find(group, 'v1', plural)
  if (resource === undefined) return
  const old = server.store.collection(resource.storage).get(storageKey(NAMESPACE, NAME))
  const target = { resource, namespace: NAMESPACE, caller: 'kube-apiserver' }
  if (old === undefined) {
    createObject(internalRequest(server, target), object, { dryRun: false })
    return
  }
  const request = internalRequest(server, { ...target, name: NAME })
  const stored = old.object as OpenObject
  if (immutable !== undefined && stored[immutable] !== object[immutable]) {
    // The change brings the next run, which creates it.
    deleteEntry(request, old, { dryRun: false, propagation: 'Background' })
    return
  }
  const [now, wanted] = [pick(stored, fields), pick(object, fields)]
  if (isEqual(now, wanted)) return
  replaceObject(request, { old, next: { ...stored, ...wanted }, dryRun: false })
}
