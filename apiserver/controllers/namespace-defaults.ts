import type { OpenObject } from '../base/object.js'
import type { ServerParts } from '../server/context.js'
import { createObject } from '../verbs/create.js'
import { internalRequest } from './internal-request.js'
import { runEach } from './run-each.js'

/** The ConfigMap of every namespace with the authority's certificate. */
const rootCa = 'kube-root-ca.crt'

const rootCaDescription =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the ' +
  'internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

/** The namespace to fill. */
export interface NamespaceDefaults {
  readonly namespace: string
  /** The authority's certificate, PEM. */
  readonly authority: string
}

/**
 * Creates the ServiceAccount `default` and the ConfigMap `kube-root-ca.crt` if they are missing, as the service account
 * and root CA publisher controllers do.
 */
export function fillNamespace(server: ServerParts, { namespace, authority }: NamespaceDefaults): void {
  const annotations = { 'kubernetes.io/description': rootCaDescription }
  const desired: DefaultObject[] = [
    { plural: 'serviceaccounts', object: { metadata: { name: 'default' } } },
    {
      plural: 'configmaps',
      object: { metadata: { name: rootCa, annotations }, data: { 'ca.crt': authority } },
    },
  ]
  runEach(desired.map((each) => () => createMissing(server, namespace, each)))
}

interface DefaultObject {
  readonly plural: string
  readonly object: OpenObject
}

function createMissing(server: ServerParts, namespace: string, { plural, object }: DefaultObject): void {
  const resource = server.registry.find('', 'v1', plural)
  const key = `${namespace}/${object.metadata.name}`
  if (resource === undefined || server.store.collection(plural).get(key) !== undefined) return
  createObject(internalRequest(server, { resource, namespace }), object, { dryRun: false })
}
