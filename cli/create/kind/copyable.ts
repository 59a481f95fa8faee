import { isCustom } from '../../../sdk/cluster/definition.js'
import { PluginError } from '../../../sdk/kube/error.js'
import type { Resource } from '../../../sdk/kube/resource.js'
import type { Direction } from './direction.js'

/** Throws `PluginError` `NOT_COPIED` for a kind that no plugin should copy this way. */
export function mustBeCopyable(resource: Resource, direction: Direction): void {
  const { kind, plural } = resource
  const inDirection = direction === 'up' ? undefined : neverDown[kind]
  const reason = isCustom(resource) ? undefined : (never[kind] ?? inDirection)
  if (reason) throw new PluginError('NOT_COPIED', `${plural} are not for a plugin to copy: ${reason}`)
}

const never: Readonly<Record<string, string>> = {
  CustomResourceDefinition: 'give the YAML file of one as --kind, and its objects are copied',
  Event: 'what goes wrong with a copy is told by an Event, which would be copied in turn',
}

const givesRights =
  "on the host it would give rights to whom a tenant names, within the plugin's own; show the host's with --direction up"
const actsOnRequests =
  'on the host it would change or refuse the requests of all its users; show the host’s with --direction up'

/** Kinds whose copies would act on the host beyond the tenant who wrote the original. */
const neverDown: Readonly<Record<string, string>> = {
  Pod:
    'vcluster copies Pods itself, and two copies would run; change its copies by a hook (docs/guides/hooks.md), or ' +
    'show the Pods of the host: --direction up',
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
  CertificateSigningRequest: "the host's signers would issue certificates of the host to a tenant",
  HorizontalPodAutoscaler:
    'it scales what it names, which on the host is another object, such as the vcluster itself; copy the workload both ways',
  CSIDriver: 'the nodes of the host would use it',
  CSINode: 'the scheduler of the host would place volumes by it',
  IPAddress: 'it takes an address of the Services of the host',
  Node: 'the scheduler of the host would place Pods on it; show the nodes of the host with --direction up',
  ServiceCIDR: 'it changes the addresses of the Services of the host',
  VolumeAttachment: 'it attaches volumes to the nodes of the host',
}
