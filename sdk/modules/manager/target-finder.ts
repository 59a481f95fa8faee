import type { Cluster } from '../../engine/cluster/cluster.js'
import { findKind } from '../../engine/cluster/find-kind.js'
import { parseApiVersion } from '../../engine/kube/api-version.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Owner } from '../../operator/owner/owner.js'
import type { ModuleObjectReference } from './module-cluster.js'
import { checkNamespaceLimit } from './namespace-limit.js'
import type { Target } from './target.js'

/** Options of {@link TargetFinder}. */
export interface TargetFinderOptions {
  readonly cluster: Pick<Cluster, 'name' | 'served'>
  /** The Module. Objects without a namespace are in the namespace of the Module. */
  readonly owner: Owner
  /** The namespace that the manager may use. Default: all, and objects without one. */
  readonly namespace?: string | undefined
}

/** Finds where the objects of a Module are: the resource of their kind, and their key. */
export class TargetFinder {
  readonly #options: TargetFinderOptions
  readonly #kinds = new Map<string, Resource>()

  constructor(options: TargetFinderOptions) {
    this.#options = options
  }

  /**
   * The resource and key of an object. Throws for a kind that is not served, and for a namespace that is not allowed.
   */
  async find({ apiVersion, kind, metadata }: ModuleObjectReference): Promise<Target> {
    if (!metadata.name) throw new TypeError(`an object of kind ${kind || '(none)'} lacks metadata.name`)
    const resource = await this.resourceOf(apiVersion, kind)
    const namespace = resource.namespaced ? metadata.namespace || this.#options.owner.key.namespace : ''
    checkNamespaceLimit(this.#options, { resource, namespace })
    return { resource, key: { namespace, name: metadata.name } }
  }

  /** The resource of a kind. Throws for a kind that is not served. */
  async resourceOf(apiVersion: string, kind: string): Promise<Resource> {
    const name = `${apiVersion}/${kind}`
    const read = parseApiVersion(apiVersion)
    const resource =
      read && (this.#kinds.get(name) ?? (await findKind(this.#options.cluster, { ...read, kind })))
    if (!resource)
      throw new Error(
        `the cluster does not serve ${kind || '(no kind)'} of ${apiVersion || '(no apiVersion)'}`,
      )
    this.#kinds.set(name, resource)
    return resource
  }
}
