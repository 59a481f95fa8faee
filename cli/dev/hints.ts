import { formatResource } from '../../sdk/engine/kube/resource.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import type { PluginDescription, ResourceDescription } from '../../sdk/vcluster/plugin/description.js'
import type { DevFacts } from '../clusters/cluster-facts.js'

/** The kind of the commands that `dev` suggests, and the cluster of its originals. */
export interface HintsAbout {
  resource: ResourceDescription
  originals: Side
}

/** The kind of the plugin's first syncer, or of its first hook, or the first kind that it reads on the host. */
export function hintsAbout(
  description: Pick<PluginDescription, 'syncers' | 'hooks' | 'hostReads'> | undefined,
): HintsAbout | undefined {
  const { syncers = [], hooks = [], hostReads = [] } = description ?? {}
  const [copiedKind] = [...syncers, ...hooks]
  if (copiedKind) return { resource: copiedKind.resource, originals: 'virtual' }
  const [readKind] = hostReads
  return readKind && { resource: readKind, originals: 'host' }
}

/** The kubectl command that creates an object of a kind without a file. */
const creations: Readonly<Record<string, string>> = {
  configmaps: 'create configmap hello --from-literal=text=hi',
  secrets: 'create secret generic hello --from-literal=text=hi',
  pods: 'run hello --image=nginx',
  services: 'create service clusterip hello --tcp=80',
  serviceaccounts: 'create serviceaccount hello',
  namespaces: 'create namespace hello',
  'deployments.apps': 'create deployment hello --image=nginx',
  'ingresses.networking.k8s.io': 'create ingress hello --rule=example.com/=hello:80',
}

/**
 * A command that creates or lists originals, and one that watches their copies; general commands if there is no kind.
 */
export function hintCommands(
  { virtual, host, targetNamespace }: Pick<DevFacts, 'virtual' | 'host' | 'targetNamespace'>,
  about: HintsAbout | undefined,
): string[] {
  const kubectl = { virtual: virtual.kubectl, host: host.kubectl }
  if (!about) return [`${kubectl.virtual} get all -A`, `${kubectl.host} get all -n ${targetNamespace}`]
  const { resource, originals } = about
  const name = formatResource(resource)
  const inTarget = resource.namespaced ? ` -n ${targetNamespace}` : ''
  const everywhere = resource.namespaced ? ' -A' : ''
  const create = Object.hasOwn(creations, name) ? creations[name] : undefined
  return originals === 'virtual'
    ? [
        `${kubectl.virtual} ${create ?? `get ${name}${everywhere}`}`,
        `${kubectl.host} get ${name}${inTarget} -w`,
      ]
    : [
        `${kubectl.host} ${create ?? `get ${name}`}${inTarget}`,
        `${kubectl.virtual} get ${name}${everywhere} -w`,
      ]
}
