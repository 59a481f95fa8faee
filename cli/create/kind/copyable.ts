import { isCustom } from '../../../sdk/engine/cluster/definition.js'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import type { Resource } from '../../../sdk/engine/kube/resource.js'
import type { Direction } from './direction.js'

/** Throws `PluginError` `UNSUPPORTED_KIND` for a kind that a plugin must not copy in this direction. */
export function checkCopyable(resource: Resource, direction: Direction): void {
  const { kind, plural } = resource
  const reasonDown = direction === 'up' ? undefined : neverDown[kind]
  const reason = isCustom(resource) ? undefined : (neverCopied[kind] ?? reasonDown)
  if (reason) throw new PluginError('UNSUPPORTED_KIND', `a plugin must not copy ${plural}: ${reason}`)
}

/** Kinds that are not copied in any direction, with the reason. */
const neverCopied: Readonly<Record<string, string>> = {
  CustomResourceDefinition:
    'to copy objects of a custom kind, pass the YAML file of its CustomResourceDefinition with --kind',
  Event: 'problems with a copy are reported as Events, which would be copied in turn',
}

const givesRights =
  "a copy on the host would grant permissions, up to the plugin's own, to any subject that a tenant names; to show those of the host use --direction up"
const actsOnRequests =
  'a copy on the host would change or reject requests of all its users; to show those of the host use --direction up'

/** Kinds that are not copied to the host, where a copy would affect more than the tenant; with the reason. */
const neverDown: Readonly<Record<string, string>> = {
  Pod:
    'vcluster copies Pods itself, so two copies would run; change its copies with a hook (docs/guides/hooks.md), or ' +
    'show the Pods of the host with --direction up',
  Role: givesRights,
  RoleBinding: givesRights,
  ClusterRole: givesRights,
  ClusterRoleBinding: givesRights,
  MutatingAdmissionPolicy: actsOnRequests,
  MutatingAdmissionPolicyBinding: actsOnRequests,
  MutatingWebhookConfiguration: actsOnRequests,
  ValidatingAdmissionPolicy: actsOnRequests,
  ValidatingAdmissionPolicyBinding: actsOnRequests,
  ValidatingWebhookConfiguration: actsOnRequests,
  CertificateSigningRequest: 'signers of the host would issue certificates of the host to a tenant',
  HorizontalPodAutoscaler:
    'it scales the object that it names, which on the host is another one, such as the vcluster itself; copy the workload both ways',
  CSIDriver: 'nodes of the host would use it',
  CSINode: 'the scheduler of the host would use it to place volumes',
  IPAddress: 'it allocates an address for Services of the host',
  Node: 'the scheduler of the host would place Pods on it; show the nodes of the host with --direction up',
  ServiceCIDR: 'it changes the address range for Services of the host',
  VolumeAttachment: 'it attaches volumes to nodes of the host',
}
