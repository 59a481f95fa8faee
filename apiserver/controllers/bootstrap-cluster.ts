import type { OpenObject } from '../base/object.js'
import type { ServerParts } from '../server/context.js'
import { createObject } from '../verbs/create.js'
import { storeApiServerObjects } from './api-server-objects.js'
import { internalRequest } from './internal-request.js'

/** The namespaces of every cluster. */
const namespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system']

/** Namespace and name of the ConfigMap with which programs check client certificates. */
export const authentication = { namespace: 'kube-system', name: 'extension-apiserver-authentication' }

/**
 * Creates the objects that a kube-apiserver creates in every cluster. `authority` is the certificate (PEM) of the
 * authority that signs client certificates.
 */
export function bootstrapCluster(server: ServerParts, authority: string): void {
  for (const name of namespaces)
    createBootstrapObject(server, { plural: 'namespaces', object: { metadata: { name } } })
  const { namespace, name } = authentication
  const data = { 'client-ca-file': authority }
  createBootstrapObject(server, { plural: 'configmaps', namespace, object: { metadata: { name }, data } })
  storeApiServerObjects(server)
}

interface BootstrapObject {
  readonly plural: string
  readonly namespace?: string
  readonly object: OpenObject
}

function createBootstrapObject(
  server: ServerParts,
  { plural, namespace = '', object }: BootstrapObject,
): void {
  const resource = server.registry.find('', 'v1', plural)
  if (resource === undefined) return
  const request = internalRequest(server, { resource, namespace, caller: 'kube-apiserver' })
  createObject(request, object, { dryRun: false })
}
