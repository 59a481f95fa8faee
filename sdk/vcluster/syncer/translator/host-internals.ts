import type { KubeObject, ObjectMeta } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { isSecret } from '../../../engine/kube/resource.js'
import { controlledByLabel, markerLabel } from '../../naming/ownership-keys.js'

/**
 * The reason why a host object must never be shown in a virtual cluster, even if it is selected; `undefined` if it may
 * be shown. Internal are copies of virtual objects, and objects that a cluster, vcluster and Helm keep for themselves:
 * tokens and certificates, kubeconfigs, the vcluster's configuration, release records. {@link FromHostTranslator} and
 * {@link MirrorTranslator} call this by themselves; a subclass of {@link UpTranslator} calls it in its `isManaged`.
 *
 * @example
 * ```ts
 * abstract class SharedSecrets extends UpTranslator<Secret> {
 *   override isManaged(host: Secret): boolean {
 *     return host.metadata.labels?.shared === 'yes' && hostInternalReason(secrets, host) === undefined
 *   }
 * }
 * ```
 */
export function hostInternalReason(resource: Resource, host: KubeObject): string | undefined {
  const { labels = {} } = host.metadata
  if (labels[markerLabel] !== undefined) return 'it is a copy of a virtual object'
  if (isOfVCluster(labels)) return "its labels are those of vcluster's own objects"
  const { group, kind } = resource
  if (group !== '' || (kind !== 'Secret' && kind !== 'ConfigMap')) return undefined
  return reasonByMetadata(host.metadata) ?? (isSecret(resource) ? reasonBySecret(host) : undefined)
}

/**
 * Labels of the chart's objects, of kubeconfig and certificates (`pkg/util/kubeconfig`, `pkg/certs/ensure.go` @
 * vcluster v0.36.1), and everything under vcluster's own prefix but `controlled-by`, which only leaves an object alone.
 */
function isOfVCluster(labels: Record<string, string>): boolean {
  if (labels.app === 'vcluster') return true
  return Object.keys(labels).some((key) => key.startsWith('vcluster.loft.sh/') && key !== controlledByLabel)
}

/** Recognises objects by name and owner if vcluster sets no labels (in 0.19, and on the token of k3s). */
function reasonByMetadata({ name = '', labels = {}, ownerReferences = [] }: ObjectMeta): string | undefined {
  if (name.startsWith('vc-')) return "its name begins with vc-, as those of vcluster's own objects do"
  if (name === 'vcluster-platform-api-key') return "it is the key of vcluster's platform"
  if (name === 'kube-root-ca.crt') return 'each cluster has its own'
  if (name.startsWith('sh.helm.release.v1.') || labels.owner === 'helm')
    return 'it is the record of a Helm release'
  const isOwned = ownerReferences.some(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Service')
  return isOwned ? 'a Service owns it, as a vcluster owns its own objects' : undefined
}

/** Types that only a cluster's own controllers read, and Helm's. */
const internalTypes: Readonly<Record<string, string>> = {
  'kubernetes.io/service-account-token': 'it is the token of a ServiceAccount of the host',
  'bootstrap.kubernetes.io/token': 'it is a bootstrap token of the host',
  'cluster.x-k8s.io/secret': 'it holds the credentials of a cluster (Cluster API)',
  'helm.sh/release.v1': 'it is the record of a Helm release',
}

/** The reason by the type of a Secret and the names of its entries, never their values. */
function reasonBySecret(host: KubeObject): string | undefined {
  const { type, data } = host as KubeObject & { type?: unknown; data?: unknown }
  if (typeof type === 'string' && Object.hasOwn(internalTypes, type)) return internalTypes[type]
  const has = (key: string) => typeof data === 'object' && data !== null && Object.hasOwn(data, key)
  if (has('sa.key')) return 'it holds the key that signs tokens of a cluster'
  if (has('config') && has('client-key')) return 'it holds the kubeconfig of a vcluster'
  return undefined
}
