import type { RegisterContext } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { SyncResult } from './outcome.js'

/** An original and its copy, deeply frozen, since the stores share them: copy what is to be changed. */
export interface Pair<T extends KubeObject> {
  readonly host: T
  readonly virtual: T
}

/**
 * Keeps the objects of one kind alike in the virtual and the host cluster. Subclass it, or one of the
 * translators that build on it.
 *
 * The SDK calls one method per run of a key, chosen by who exists *now*: `syncDown` (virtual only), `sync`
 * (both), `syncUp` (host only). It never runs one key twice at a time, retries what throws with backoff, and
 * calls nothing before both clusters have been listed completely. A method must be able to run again after a
 * crash at any point: look at the objects, not at what happened.
 *
 * The capabilities below `sync` are optional methods, as the optional interfaces of vcluster's Go SDK are
 * (`syncer/types.go` @ vcluster-sdk v0.4.2).
 */
export abstract class Syncer<T extends KubeObject = KubeObject> {
  /** Names the syncer in logs, metrics and Events. */
  readonly name: string
  /** The kind it syncs, the same on both sides. */
  readonly resource: Resource<T>
  /**
   * What becomes of a copy whose original was deleted and made anew under the same name: `false` (default)
   * deletes the copy and creates it again, `true` leaves it to `sync` (`Options.DisableUIDDeletion` of the Go SDK).
   */
  readonly keepsCopyOnNewUid: boolean = false
  /**
   * The namespaces of the host that its host objects stand in, `''` for all; default the target namespace. Each is
   * watched, and the plugin needs the rights to do so.
   */
  readonly hostNamespaces: readonly string[] | undefined = undefined

  constructor(name: string, resource: Resource<T>) {
    this.name = name
    this.resource = resource
  }

  /** The host object that stands for the virtual object `key`; `undefined` when none ever may. */
  abstract virtualToHost(key: Key, virtual?: T): Key | undefined
  /** The virtual object that a host object stands for; `undefined` when it stands for none. */
  abstract hostToVirtual(host: T): Key | undefined
  /** Whether a host object is provably a copy of ours. What is not is never changed nor deleted. */
  abstract isManaged(host: T): boolean

  /** The virtual object has no copy yet. */
  abstract syncDown(ctx: SyncContext, virtual: T): SyncResult
  /** Original and copy both exist. */
  abstract sync(ctx: SyncContext, pair: Pair<T>): SyncResult

  /** The copy has lost its original. Without this method an owned copy is deleted. */
  syncUp?(ctx: SyncContext, host: T): SyncResult
  /** Runs once after leadership is won, before any cache is filled. */
  init?(ctx: RegisterContext): Promise<void>
  /** Runs after every `init`, before the caches are filled: the place to add indices to stores. */
  registerIndices?(ctx: RegisterContext): Promise<void>
  /** Runs before each run of a key; answering `true` skips the run. */
  reconcileStart?(ctx: SyncContext): Promise<boolean>
  /** Runs after each run of a key, also a skipped or a failed one. What it throws is logged and changes nothing. */
  reconcileEnd?(ctx: SyncContext): Promise<void>
}
