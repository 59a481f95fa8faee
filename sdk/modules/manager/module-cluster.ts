import type { KubeObject } from '../../engine/kube/object.js'

/** Names one object. */
export interface ModuleObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined }
}

/** Names objects of a kind. */
export interface ListQuery {
  readonly apiVersion: string
  readonly kind: string
  /** Default: all namespaces. */
  readonly namespace?: string | undefined
  readonly labelSelector?: string | undefined
}

/** The replicas of a workload before it was put to sleep. */
export interface KnownReplicas {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
  readonly replicas: number
}

/** Options of every call. */
export interface ClusterCallOptions {
  /** Aborts the call; pass that of the context. */
  readonly signal?: AbortSignal | undefined
}

/**
 * The cluster of a Module, for its manager. Objects that it writes get the label `forkspacer.com/module` with the UID
 * of the Module.
 */
export interface ModuleCluster {
  /** The object; undefined if it does not exist. */
  get(reference: ModuleObjectReference, options?: ClusterCallOptions): Promise<KubeObject | undefined>
  list(query: ListQuery, options?: ClusterCallOptions): Promise<KubeObject[]>
  /** Creates objects or changes them by server-side apply, in their order, and returns what the server stored. */
  apply(objects: readonly KubeObject[], options?: ClusterCallOptions): Promise<KubeObject[]>
  /** Deletes objects in reverse order. Objects that do not exist, or belong to something else, are left alone. */
  delete(objects: readonly ModuleObjectReference[], options?: ClusterCallOptions): Promise<void>
  /**
   * Puts workloads to sleep and returns their former replicas, 1 or 0 for kinds without replicas. Workloads with
   * replicas have none then, CronJobs and Jobs are suspended, and a DaemonSet has no Pods. Other kinds are refused. An
   * annotation of each workload records its former state. `known` is the result of an earlier call, for workloads that
   * sleep without that annotation.
   */
  scaleDown(
    objects: ModuleObjectReference | readonly ModuleObjectReference[],
    options?: ClusterCallOptions & { readonly known?: unknown },
  ): Promise<KnownReplicas[]>
  /**
   * Wakes workloads by the note that {@link scaleDown} left on them, or, without one, by `known`, its result.
   * `workloads` are references; a result of {@link scaleDown} is taken too, but a sleep that was aborted has none. A
   * workload that somebody woke stays as it is.
   */
  scaleUp(workloads: unknown, options?: ClusterCallOptions & { readonly known?: unknown }): Promise<void>
  /** Resolves when the objects are ready; rejects after `timeoutMs`, at most 24 h. */
  wait(
    objects: ModuleObjectReference | readonly ModuleObjectReference[],
    options: ClusterCallOptions & { readonly timeoutMs: number },
  ): Promise<void>
}
