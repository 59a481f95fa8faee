/**
 * Hooks change objects in flight: vcluster passes a hook each object of its kind that vcluster itself has read or is
 * about to write, and continues with the result of the hook.
 *
 * A hook cannot change the given object, its result reaches vcluster unchanged, and an error names a hook that throws,
 * hangs or returns an invalid object. The protocol of vcluster's calls is in `remote/`.
 *
 * Hooks see the reads and writes of vcluster's own syncers, not requests of users: no hook is called for a kind that
 * vcluster does not sync.
 */
import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'

/**
 * When a hook runs: what vcluster does, and in which cluster ("physical" is vcluster's word for the host). The two
 * Apply types come from vcluster 0.32 on.
 */
export type HookType =
  | 'CreatePhysical'
  | 'UpdatePhysical'
  | 'DeletePhysical'
  | 'GetPhysical'
  | 'ApplyPhysical'
  | 'CreateVirtual'
  | 'UpdateVirtual'
  | 'DeleteVirtual'
  | 'GetVirtual'
  | 'ApplyVirtual'

/** The argument of a hook in addition to the object. */
export interface HookContext {
  readonly type: HookType
  readonly logger: Logger
  /** Aborts when vcluster no longer waits, or the hook takes too long. */
  readonly signal: AbortSignal
}

/** The result of a hook: the changed object, or nothing to leave it as it is. */
export type HookResult<T> = T | undefined | Promise<T | undefined>

/**
 * Changes objects of one kind in flight. Subclass it with any of the methods below; each gets a deeply frozen object,
 * and returns the object with which vcluster continues: a changed copy, or the given object. A hook that throws
 * `HookDenialError` denies: vcluster's operation fails with the message of the error, is reported in an Event, and is
 * retried. After any other error it fails, too, but the message stays in the log of the plugin.
 *
 * The methods are those of the Go SDK (`hook/types.go` @ vcluster-sdk v0.4.2).
 *
 * @example
 * ```ts
 * class PodLabels extends ClientHook<Pod> {
 *   override mutateCreatePhysical(_: HookContext, pod: Pod): Pod {
 *     return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, team: 'blue' } } }
 *   }
 * }
 * plugin.register(new PodLabels('pod-labels', pods))
 * ```
 */
export abstract class ClientHook<T extends KubeObject = KubeObject> {
  /** Names the hook in logs, metrics and denials. */
  readonly name: string
  /** The kind of the objects that the hook changes. */
  readonly resource: Resource<T>

  constructor(name: string, resource: Resource<T>) {
    this.name = name
    this.resource = resource
  }

  /** vcluster is about to create an object in the host cluster. */
  mutateCreatePhysical?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /** vcluster is about to update or patch an object, or its status, in the host cluster. */
  mutateUpdatePhysical?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /** vcluster is about to delete an object of the host cluster; only a denial changes anything. */
  mutateDeletePhysical?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /**
   * vcluster has read an object of the host cluster. This happens three to five times per change, so keep it cheap.
   * vcluster writes objects as it read them: remove in {@link mutateCreatePhysical} and {@link mutateUpdatePhysical}
   * what this method adds.
   */
  mutateGetPhysical?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /** vcluster is about to apply an object to the host cluster. Since vcluster 0.32. */
  mutateApplyPhysical?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /**
   * vcluster is about to create an object in the virtual cluster, also to recreate an object that it has just deleted.
   */
  mutateCreateVirtual?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /** vcluster is about to update or patch an object, or its status, in the virtual cluster. */
  mutateUpdateVirtual?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /** vcluster is about to delete an object of the virtual cluster; only a denial changes anything. */
  mutateDeleteVirtual?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /**
   * vcluster has read an object of the virtual cluster. This happens three to five times per change, so keep it cheap.
   * vcluster writes objects as it read them: remove in {@link mutateCreateVirtual} and {@link mutateUpdateVirtual} what
   * this method adds.
   */
  mutateGetVirtual?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
  /** vcluster is about to apply an object to the virtual cluster. Since vcluster 0.32. */
  mutateApplyVirtual?(ctx: HookContext, object: DeepReadonly<T>): HookResult<T>
}

/** Every type, in the order in which they are registered. */
export const hookTypes: readonly HookType[] = [
  'CreatePhysical',
  'UpdatePhysical',
  'DeletePhysical',
  'GetPhysical',
  'ApplyPhysical',
  'CreateVirtual',
  'UpdateVirtual',
  'DeleteVirtual',
  'GetVirtual',
  'ApplyVirtual',
]

/** The method of a hook that handles a type, if it has one. */
export function methodOf<T extends KubeObject>(
  hook: ClientHook<T>,
  type: HookType,
): ((ctx: HookContext, object: DeepReadonly<T>) => HookResult<T>) | undefined {
  return hook[`mutate${type}`]?.bind(hook)
}
