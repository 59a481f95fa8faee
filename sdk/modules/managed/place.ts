/**
 * The place of the vcluster of a managed Workspace. Namespace, release and Secret follow from the Workspace alone, so
 * that no other object can point them elsewhere.
 */
import { sha256Hex } from '../../engine/kube/concat-name.js'
import type { ConfigMapKey, NamedObject } from '../kinds/module.js'
import type { Workspace } from '../kinds/workspace.js'

/** The label with the UID of the Workspace on the namespace and on the objects of its vcluster. */
export const workspaceLabel = 'forkspacer.com/workspace'

const maxNamespaceLength = 63
const maxReleaseLength = 40
const hashLength = 8

/** The fields of a Workspace that its place depends on. */
export type PlacedWorkspace = Pick<Workspace, 'metadata' | 'spec'>

/** The namespace and the name of the release of a managed Workspace. */
export function placeOf({ metadata }: Pick<Workspace, 'metadata'>): NamedObject {
  const { namespace = '', name = '' } = metadata
  const plain = name.replaceAll('.', '-')
  const hash = sha256Hex(JSON.stringify([namespace, name])).slice(0, hashLength)
  const begin = `${namespace}-${plain}`.slice(0, maxNamespaceLength - hashLength - 1)
  return { namespace: `${trimDashes(begin)}-${hash}`, name: releaseName(plain) }
}

/** The name of the release. It begins with a letter, because the Service of a vcluster has the same name. */
function releaseName(name: string): string {
  const own = /^[a-z]/.test(name) ? name : `v-${name}`
  return trimDashes(own.slice(0, maxReleaseLength))
}

const trimDashes = (text: string) => text.replace(/-+$/, '')

/**
 * The vcluster of a Workspace: the one that was made for a managed Workspace, else the one that the Workspace names.
 */
export function vclusterOf(workspace: PlacedWorkspace): NamedObject | undefined {
  return workspace.spec.type === 'managed' ? placeOf(workspace) : workspace.spec.vcluster
}

/** The Secret in which a vcluster keeps its kubeconfig, as its chart names it. */
export function kubeconfigSecretOf({ name, namespace }: NamedObject): ConfigMapKey {
  return { name: `vc-${name}`, namespace, key: 'config' }
}

/** The connection of a Workspace. A managed Workspace is connected by the kubeconfig of its vcluster. */
export function connectionOf(workspace: PlacedWorkspace): Workspace['spec']['connection'] {
  if (workspace.spec.type !== 'managed') return workspace.spec.connection
  return { type: 'kubeconfig', secretReference: kubeconfigSecretOf(placeOf(workspace)) }
}
