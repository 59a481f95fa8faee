import type { Caller } from '../kube/caller.js'
import type { Status } from '../kube/error.js'
import type { JsonPatchOperation } from '../kube/json-patch/operation.js'
import type { Key } from '../kube/key.js'
import type { KubeList, KubeObject } from '../kube/object.js'
import type { Resource } from '../kube/resource.js'
import type { Writer } from '../store/writer.js'

/**
 * Reads and writes the objects of one cluster, of any resource, as raw JSON: what the API server sent is
 * what the caller gets, unknown fields and integers beyond 2^53 included.
 *
 * Each method makes one API call (`listAll` one per page). Each write passes the write gate right before it
 * is sent and is reported to `onWrite` after it succeeded, which is how a store learns of our own writes.
 * An answer that is not 2xx throws `ApiError` with the server's Status. Retries, credentials and limits are
 * the transport's business; when to write, and what, is the caller's.
 */
export interface Client {
  /**
   * The same client on behalf of another user, by impersonation: the API server must allow the program to impersonate,
   * and checks the permissions of that user. Writes pass the same gate, and stores learn of them.
   */
  as(caller: Caller): Client
  /** Reads one object from the API server itself, never from a cache. */
  get<T extends KubeObject>(resource: Resource<T>, key: Key, options?: GetOptions): Promise<T>
  /** Reads one page of a list. `metadata.continue` of the answer is where the next page begins. */
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<KubeList<T>>
  /**
   * Reads a whole list page by page (500 objects each unless `limit` says otherwise). All pages are of one
   * moment; if that moment expires on the way (410), the list starts again from its beginning, once. Rejects with
   * `AnswerTooLargeError` if the pages together have more than 1 GiB.
   */
  listAll<T extends KubeObject>(resource: Resource<T>, options?: ListAllOptions): Promise<KubeList<T>>
  /** Creates an object, in `metadata.namespace`; `metadata.generateName` may stand in for a name. */
  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>
  /** Replaces an object; its `metadata.resourceVersion`, if present, is a precondition (409 Conflict). */
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<T>
  /** Changes an object, or with type `apply` creates it if need be. */
  patch<T extends KubeObject>(resource: Resource<T>, key: Key, patch: Patch): Promise<T>
  /**
   * Deletes an object. Returns the object where it stays for a while (finalizers, grace period) or where the
   * server returns what it removed, else a Status.
   */
  delete<T extends KubeObject>(resource: Resource<T>, key: Key, options?: DeleteOptions): Promise<T | Status>
  /** Deletes every object of a namespace, or of the cluster, that the selectors choose. Not reported to `onWrite`. */
  deleteCollection(resource: Resource, options?: DeleteCollectionOptions): Promise<void>
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. */
  signal?: AbortSignal
  /** Limit for the whole call in milliseconds; default 60,000. */
  timeoutMs?: number
}

/** Options of {@link Client.get}. */
export interface GetOptions extends CallOptions {
  /** A part of the object, for example `status` or `scale`; default the object itself. */
  subresource?: string
  /** How fresh a read must be; default a quorum read. `'0'` accepts any cached state of the server. */
  resourceVersion?: string
}

/** Selects the objects of a list or of a collection delete. */
export interface SelectOptions extends CallOptions {
  /** Only this namespace; default all namespaces. */
  namespace?: string
  /** Label selector in the API's text form, for example `app=web,tier!=db`; default everything. */
  labelSelector?: string
  /** Field selector in the API's text form, for example `metadata.name=web`; default everything. */
  fieldSelector?: string
}

/** Options of {@link Client.listAll}. */
export interface ListAllOptions extends SelectOptions {
  /** The size of a page; default 500 objects. */
  limit?: number
}

/** Options of {@link Client.list}. */
export interface ListOptions extends SelectOptions {
  /** The size of the page; default unlimited. */
  limit?: number
  /** The beginning of the page: `metadata.continue` of the page before. */
  continue?: string
  /** How fresh the list must be; default a quorum read. `'0'` accepts any cached state of the server. */
  resourceVersion?: string
  /** Asks for the metadata of the objects alone; default false. */
  metadataOnly?: boolean
  /** How `resourceVersion` is meant; default as the API server decides. */
  resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

/** Options of {@link Client.create} and {@link Client.update}. */
export interface WriteOptions extends CallOptions {
  /**
   * Writes a part of the object, for example `status`, `binding` or `eviction`; default the object itself. A part that
   * has a kind of its own needs a type: `client.create<KubeObject>(pods, eviction, { subresource: 'eviction' })`.
   */
  subresource?: string
  /** Lets the server check and default without storing; default false. */
  dryRun?: boolean
  /** The name under which the server remembers field ownership; default the client's own. */
  fieldManager?: string
  /**
   * The treatment of fields that the schema of the server does not have, and of fields that are there twice: `Strict`
   * refuses the write, `Warn` and `Ignore` drop them; default `Warn`.
   */
  fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
}

/**
 * A patch of the given type and body; see https://kubernetes.io/docs/reference/using-api/api-concepts/#patch-and-update
 */
export type Patch = JsonPatch | ObjectPatch

/** An RFC 6902 patch: a list of operations. */
export interface JsonPatch extends WriteOptions {
  type: 'json'
  body: readonly JsonPatchOperation[]
}

/** An RFC 7396 merge patch, a strategic merge patch or a server-side apply. */
export interface ObjectPatch extends WriteOptions {
  type: 'merge' | 'strategic' | 'apply'
  /** The partial object. */
  body: object
  /** `apply` only: takes over fields that another manager owns; default false. */
  force?: boolean
}

/** How an object goes. */
export interface DeletionOptions {
  /** The handling of its dependents; default as the resource decides (mostly `Background`). */
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  /** Grace period in seconds; default as the resource decides. */
  gracePeriodSeconds?: number
  /** Lets the server check without deleting; default false. */
  dryRun?: boolean
}

/** Options of {@link Client.delete}. */
export interface DeleteOptions extends CallOptions, DeletionOptions {
  /** Delete only an object with this UID; otherwise 409 Conflict. */
  uid?: string
  /** Delete only an object at this resourceVersion; otherwise 409 Conflict. */
  resourceVersion?: string
}

/** Options of {@link Client.deleteCollection}. */
export interface DeleteCollectionOptions extends SelectOptions, DeletionOptions {}

/** A write that the API server accepted, as `onWrite` receives it. */
export type AcceptedWrite = WrittenObject | DeletedObject

/** An object as it is after our write, also one that a delete left in place for its finalizers or grace period. */
export interface WrittenObject {
  resource: Resource
  object: KubeObject
  deleted?: false
  /** The run that wrote it, if the API server stored exactly what the run asked for. */
  by?: Writer
  /** The whole object that the run sent. */
  sent?: KubeObject
}

/** An object that our delete removed. */
export interface DeletedObject {
  resource: Resource
  key: Key
  /** The UID of the deleted object; undefined if neither the caller nor the server named it. */
  uid: string | undefined
  deleted: true
}
