import type { Caller } from '../kube/caller.js'
import type { Status } from '../kube/error.js'
import { stringifyJson } from '../kube/json.js'
import { type Key, keyOf } from '../kube/key.js'
import type { KubeList, KubeObject } from '../kube/object.js'
import { apiVersionOf, type Resource } from '../kube/resource.js'
import {
  collectionDeletionProblem,
  deletionProblem,
  listProblem,
  objectProblem,
} from '../transport/expected-answer.js'
import { acceptHeader, conformToScope, listResourceOf } from '../watch/watch-scope.js'
import { actingAs } from './acting-as.js'
import type { WriteCall } from './call.js'
import type {
  AcceptedWrite,
  Client,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  Patch,
  WriteOptions,
} from './client.js'
import { ClientCalls } from './client-calls.js'
import type { ClientBounds, ClientOptions } from './client-options.js'
import { deleteBody, deletionOf, isRemoved } from './deletion.js'
import { listAll } from './list-all.js'
import { mediaTypes } from './media-types.js'
import { createPath, describeCall, listPath, objectPath } from './path.js'
import { formatQuery, writeQuery } from './query.js'
import { isStoredAsPatched, isStoredAsSent } from './stored-as-sent.js'

export type { ClientBounds, ClientOptions }

/** A {@link Client} whose calls go through a transport. */
export function createClient(options: ClientOptions): Client {
  return new TransportClient(options)
}

/** The same client, bound to one run: its writes pass the run's own gate, and its calls end with the run's signal. */
export function bindClient(client: Client, bounds: ClientBounds): Client {
  return client instanceof TransportClient ? client.bound(bounds) : client
}

/**
 * A client of another cluster for the same run: its writes pass the same gate, and its calls end with the same signal.
 * Caches do not see its writes.
 */
export function clientThrough(client: Client, options: ThroughOptions): Client {
  return client instanceof TransportClient ? client.through(options) : createClient(options)
}

type ThroughOptions = Pick<ClientOptions, 'transport' | 'maxListBytes'>

class TransportClient implements Client {
  readonly #options: ClientOptions
  readonly #calls: ClientCalls
  readonly #onWrite: (written: AcceptedWrite) => void
  readonly #onSend: (resource: Resource, key: Key) => () => void
  readonly #fieldManager: string | undefined

  constructor(options: ClientOptions) {
    const { onWrite = () => {}, onSend = () => () => {}, fieldManager } = options
    this.#options = options
    this.#calls = new ClientCalls(options)
    this.#onWrite = onWrite
    this.#onSend = onSend
    this.#fieldManager = fieldManager
  }

  /** See {@link bindClient}. */
  bound(bounds: ClientBounds): Client {
    return new TransportClient({ ...this.#options, ...bounds })
  }

  /** See {@link clientThrough}. */
  through(options: ThroughOptions): Client {
    const { gate, signal } = this.#options
    return new TransportClient({ ...options, ...(gate && { gate }), ...(signal && { signal }) })
  }

  as(caller: Caller): Client {
    // A missing permission of another user says nothing about our permissions.
    const { breaker: _, transport, ...options } = this.#options
    return new TransportClient({ ...options, transport: actingAs(transport, caller) })
  }

  async get<T extends KubeObject>(resource: Resource<T>, key: Key, options: GetOptions = {}): Promise<T> {
    const { subresource, resourceVersion } = options
    const path = objectPath(resource, key, subresource) + formatQuery({ resourceVersion })
    const description = () => describeCall('GET', resource, key)
    const problemOf = (answer: object) =>
      objectProblem({ resource, key, ...(subresource && { subresource }) }, answer)
    return (await this.#calls.read({ path, description, problemOf }, options)) as T
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const description = () => describeCall('GET', resource, { namespace: options.namespace ?? '' })
    const scope = { resource, ...(options.metadataOnly && { metadataOnly: true }) }
    const call = {
      path: listPath(resource, options),
      description,
      accept: acceptHeader(scope, 'list'),
      problemOf: (answer: object) => listProblem(listResourceOf(scope), answer),
    }
    const list = (await this.#calls.read(call, options)) as KubeList<T>
    // Go servers write an empty list of some kinds as null.
    list.items ??= []
    if (scope.metadataOnly) list.items = list.items.map((item) => conformToScope(scope, item))
    return list
  }

  listAll<T extends KubeObject>(resource: Resource<T>, options: ListAllOptions = {}) {
    return listAll(this, resource, options, this.#options.maxListBytes)
  }

  async create<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const key = keyOf(object)
    const path = createPath(resource, key, options.subresource) + this.#writeQuery(options)
    return this.#writeObject(resource, object, {
      key,
      method: 'POST',
      path,
      options,
    })
  }

  async update<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    options: WriteOptions = {},
  ): Promise<T> {
    const key = keyOf(object)
    const path = objectPath(resource, key, options.subresource) + this.#writeQuery(options)
    return this.#writeObject(resource, object, {
      key,
      method: 'PUT',
      path,
      options,
    })
  }

  async patch<T extends KubeObject>(resource: Resource<T>, key: Key, patch: Patch): Promise<T> {
    const force = patch.type === 'apply' && patch.force === true
    const call = {
      resource,
      key,
      method: 'PATCH' as const,
      path: objectPath(resource, key, patch.subresource) + this.#writeQuery(patch, force),
      body: stringifyJson(patch.body),
      contentType: mediaTypes[patch.type],
      options: patch,
    }
    return this.#writeAndReport<T>(call, (stored) => isStoredAsPatched(patch, stored))
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: Key,
    options: DeleteOptions = {},
  ): Promise<T | Status> {
    const answer = (await this.#calls.write({
      resource,
      key,
      method: 'DELETE',
      path: objectPath(resource, key),
      ...deleteBody(options),
      options,
      problemOf: (answer) => deletionProblem({ resource, key, uid: options.uid }, answer),
    })) as T | Status
    if (options.dryRun) return answer
    this.#options.onDelete?.(resource, key)
    this.#onWrite(deletionOf(resource, key, answer, options.uid))
    return answer
  }

  async deleteCollection(resource: Resource, options: DeleteCollectionOptions = {}): Promise<void> {
    const { labelSelector = '', fieldSelector = '', namespace = '' } = options
    await this.#calls.write({
      resource,
      key: { namespace, name: '' },
      method: 'DELETE',
      path: listPath(resource, { labelSelector, fieldSelector, namespace }),
      ...deleteBody(options),
      options,
      problemOf: (answer) => collectionDeletionProblem(resource, answer),
    })
    if (!options.dryRun) this.#options.onDelete?.(resource, { namespace, name: '' })
  }

  #writeObject<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    call: Omit<WriteCall, 'options' | 'resource'> & { options: WriteOptions },
  ): Promise<T> {
    // Items of a list come without their type; the body of `eviction` or `scale` has a type of its own.
    const type = { apiVersion: apiVersionOf(resource), kind: resource.kind }
    const body = stringifyJson({ ...type, ...object })
    return this.#writeAndReport<T>(
      { ...call, resource, object, body, contentType: 'application/json' },
      (stored) => isStoredAsSent(object, stored),
    )
  }

  /**
   * Sends a write that is answered with the stored object, and reports it to the caches. `isUnchanged` says whether the
   * API server stored what was sent: admission may have changed it.
   */
  async #writeAndReport<T extends KubeObject>(
    call: WriteCall & { options: WriteOptions },
    isUnchanged: (stored: KubeObject) => boolean,
  ): Promise<T> {
    const { resource, key, options } = call
    if (options.dryRun) return (await this.#calls.write(call)) as T
    const endSend = key.name === '' ? undefined : this.#onSend(resource, key)
    try {
      const stored = (await this.#calls.write(call)) as T
      // Subresources such as `eviction` or `scale` answer with an object of another kind.
      if (stored.kind === resource.kind) this.#reportWrite(call, stored, isUnchanged)
      return stored
    } finally {
      endSend?.()
    }
  }

  #reportWrite(
    { resource, key, object: sent }: WriteCall,
    object: KubeObject,
    isUnchanged: (stored: KubeObject) => boolean,
  ): void {
    const { writer } = this.#options
    if (isRemoved(resource, object)) this.#onWrite({ resource, key, uid: object.metadata.uid, deleted: true })
    else if (writer === undefined || !isUnchanged(object)) this.#onWrite({ resource, object })
    else this.#onWrite({ resource, object, by: writer, ...(sent && { sent }) })
  }

  #writeQuery(options: WriteOptions, force?: boolean): string {
    const fieldManager = options.fieldManager ?? this.#fieldManager
    return writeQuery(fieldManager === undefined ? options : { ...options, fieldManager }, force)
  }
}
