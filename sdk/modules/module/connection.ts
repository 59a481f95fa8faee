import { PermanentError } from '../../kube/error.js'
import type { Workspace } from '../kinds/workspace.js'

/** The cluster of a Workspace by its name in the operator. `home` holds the Workspaces. Throws a `PermanentError` if there is none. */
export function clusterOfWorkspace(
  { metadata, spec }: Pick<Workspace, 'metadata' | 'spec'>,
  { home, names }: { readonly home: string; readonly names: readonly string[] },
): string {
  const { type } = spec.connection
  const refuse = (why: string) =>
    new PermanentError(`Workspace ${metadata.namespace}/${metadata.name}: ${why}`)
  if (spec.type === 'managed') throw refuse('the type managed is not supported: use kubernetes')
  if (spec.from) throw refuse('from is not supported: create the Modules of the Workspace')
  if (type === 'in-cluster' || type === 'local') return home
  if (type === 'kubeconfig')
    throw refuse('connection kubeconfig is not supported: use in-cluster, virtual or host')
  if (names.includes(type)) return type
  throw refuse(`the operator has no cluster ${type}; it has ${names.join(', ')}`)
}
