import { PermanentError } from '../../engine/kube/error.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { ManagedWorkspacesOptions } from './managed-options.js'
import type { PlacedWorkspace } from './place.js'

/** Refuses a managed Workspace that this operator cannot make. Throws a `PermanentError` with the reason. */
export function checkManaged(
  { metadata, spec }: PlacedWorkspace,
  { names, options }: { names: readonly string[]; options: ManagedWorkspacesOptions | undefined },
): void {
  if (spec.type !== 'managed') return
  const refuse = (why: string) => new PermanentError(`Workspace ${formatKey(keyOf({ metadata }))}: ${why}`)
  const { backend = 'vcluster', distro } = spec.managedCluster ?? {}
  if (names.includes('virtual'))
    throw refuse('a plugin of a vcluster makes no managed Workspaces: run the operator on the host')
  if (!options)
    throw refuse('the type managed is not supported here: set managed in the options of moduleControllers')
  if (backend !== 'vcluster')
    throw refuse(
      `the backend ${backend} is not supported: it makes clusters outside of Kubernetes; use vcluster`,
    )
  const { distros = ['k8s'] } = options
  if (distro !== undefined && !distros.includes(distro))
    throw refuse(
      `the distro ${distro} is not supported here; the operator has ${distros.join(', ')}: use one of them, or none for ` +
        'that of the chart',
    )
  if (spec.vcluster) throw refuse('a managed Workspace has a vcluster of its own: remove spec.vcluster')
  if (spec.connection.secretReference || !['in-cluster', 'local'].includes(spec.connection.type))
    throw refuse('a managed Workspace is connected to its own vcluster: remove spec.connection')
}
