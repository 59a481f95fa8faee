import { formatResource, type Resource } from '../../../engine/kube/resource.js'
import type { Logger } from '../../../engine/observe/logger.js'
import type { ControllerPermission } from '../../../operator/controller/controller-permission.js'
import { isKubeconfigCluster } from './kubeconfig-clusters.js'

/** Knows the kinds that the operator has permission to list, so that it makes no request that would be refused. */
export class ListableKinds {
  readonly #permissions: readonly ControllerPermission[]
  readonly #home: string
  /** The kinds that were logged already. */
  readonly #reported = new Set<string>()

  /** `home` is the cluster that holds the Modules. */
  constructor(home: string, permissions: readonly ControllerPermission[]) {
    this.#home = home
    this.#permissions = permissions.filter(
      ({ verbs, namespace, inOwnNamespace }) =>
        verbs.some((verb) => verb === 'list' || verb === '*') && namespace === undefined && !inOwnNamespace,
    )
  }

  /**
   * Whether a kind may be listed in a cluster. The credentials of a vcluster and those of a kubeconfig have permissions
   * of their own.
   */
  has(cluster: string, kind: Resource): boolean {
    if (cluster === 'virtual' || isKubeconfigCluster(cluster)) return true
    const name = formatResource(kind)
    return this.#permissions.some(
      ({ cluster: kindCluster = this.#home, resource }) =>
        kindCluster === cluster && formatResource(resource) === name,
    )
  }

  /** Logs that objects of some kinds are not looked for, each kind once. */
  report(cluster: string, kinds: readonly string[], logger: Logger): void {
    const newKinds = kinds.filter((kind) => !this.#reported.has(`${cluster} ${kind}`))
    if (newKinds.length === 0) return
    for (const kind of newKinds) this.#reported.add(`${cluster} ${kind}`)
    logger.warn(
      { cluster, kinds: newKinds },
      'objects of these kinds that Modules leave behind are not reported, because the operator may not list them; add the verb list to their permissions in moduleControllers',
    )
  }
}
