import { parseApiVersion } from '../../engine/kube/api-version.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { pluralOf } from '../../operator/kind/define/plural.js'

/** The cluster-scoped kinds of Kubernetes that charts may contain. */
const clusterScoped = new Set([
  ...[
    'Namespace',
    'Node',
    'PersistentVolume',
    'ClusterRole',
    'ClusterRoleBinding',
    'CustomResourceDefinition',
  ],
  ...['StorageClass', 'VolumeAttachment', 'VolumeAttributesClass', 'CSIDriver', 'CSINode', 'PriorityClass'],
  ...[
    'IngressClass',
    'RuntimeClass',
    'APIService',
    'FlowSchema',
    'PriorityLevelConfiguration',
    'DeviceClass',
  ],
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'ValidatingAdmissionPolicy'],
  ...['ValidatingAdmissionPolicyBinding', 'MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'],
  ...['CertificateSigningRequest', 'ClusterTrustBundle', 'ServiceCIDR', 'IPAddress', 'ResourceSlice'],
])

/** Whether a group is one of Kubernetes itself, by its name. */
export const isOfKubernetes = (group: string) => !group.includes('.') || group.endsWith('.k8s.io')

/**
 * Finds the resources of objects without asking a cluster. For custom kinds it uses the given definitions. Other
 * plurals are guessed as Kubernetes guesses them.
 */
export function resourceFinder(definitions: readonly KubeObject[]): (object: KubeObject) => Resource {
  const defined = new Map(definitions.flatMap(definedKind))
  return ({ apiVersion = '', kind = '' }) => {
    const { group, version } = parseApiVersion(apiVersion) ?? { group: apiVersion, version: '' }
    const definedResource = defined.get(`${kind}.${group}`)
    const namespaced = definedResource?.namespaced ?? !(isOfKubernetes(group) && clusterScoped.has(kind))
    // The one irregular plural of Kubernetes.
    const plural = definedResource?.plural ?? (kind === 'Endpoints' ? 'endpoints' : pluralOf(kind))
    return { group, version, kind, plural, namespaced }
  }
}

function definedKind(definition: KubeObject): [string, Pick<Resource, 'plural' | 'namespaced'>][] {
  const { spec } = definition as { spec?: unknown }
  if (!isJsonObject(spec) || !isJsonObject(spec.names)) return []
  const { kind, plural } = spec.names
  if (typeof plural !== 'string') return []
  return [[`${String(kind)}.${String(spec.group)}`, { plural, namespaced: spec.scope === 'Namespaced' }]]
}
