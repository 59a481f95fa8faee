import type { Caller } from '../kube/caller.js'
import { isGone, type Status } from '../kube/error.js'
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
import type { Transport, TransportResponse } from '../transport/transport.js'
import { actingAs } from './acting-as.js'
import { readAnswer } from './answer.js'
import { askedBy, type Call } from './call.js'
import type { CircuitBreaker } from './circuit-breaker.js'
import type {
  CallOptions,
  Client,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListAllOptions,
  ListOptions,
  Patch,
  WriteOptions,
  Written,
} from './client.js'
import { deleteBody, deletionOf } from './deletion.js'
import { createPath, describeCall, formatQuery, listPath, objectPath, writeQuery } from './path.js'
import { openGate, type WriteGate } from './write-gate.js'

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** The cluster to speak to. */
  transport: Transport
  /** Asked right before each write; default a gate that is always open. */
  gate?: WriteGate
  /** Holds back writes that cannot succeed; default none, so that every write is sent. */
  breaker?: CircuitBreaker
  /** Told of each write that the API server accepted, dry runs excepted; default nobody. */
  onWrite?: (written: Written) => void
  /**
   * Whether an answer of 2xx must be what was asked for; default true. Not where the answers of interceptors are asked for,
   * which may be any JSON.
   */
  checksAnswers?: boolean
  /** The name under which the server remembers field ownership; default none, so that it takes the User-Agent's. */
  fieldManager?: string
  /** Aborts calls that are given no signal of their own. */
  signal?: AbortSignal
}

/** A {@link Client} that speaks through a transport. */
export function createClient(options: ClientOptions): Client {
  return new TransportClient(options)
}

/** What the calls of one run are bound to; see {@link bindClient}. */
export type ClientBounds = Pick<ClientOptions, 'gate' | 'signal'>

/** The same client, bound to one run: its writes pass the run's own gate, and its calls end with the run's signal. */
export function bindClient(client: Client, bounds: ClientBounds): Client {
  return client instanceof TransportClient ? client.bound(bounds) : client
}

const defaultTimeoutMs = 60_000

const mediaTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const

class TransportClient implements Client {
  readonly #options: ClientOptions
  readonly #transport: Transport
  readonly #gate: WriteGate
  readonly #breaker: CircuitBreaker | undefined
  readonly #onWrite: (written: Written) => void
  readonly #fieldManager: string | undefined

  constructor(options: ClientOptions) {
    const { transport, gate = openGate, breaker, onWrite = () => {}, fieldManager } = options
    this.#options = options
    this.#transport = transport
    this.#gate = gate
    this.#breaker = breaker
    this.#onWrite = onWrite
    this.#fieldManager = fieldManager
  }

  /** See {@link bindClient}. */
  bound(bounds: ClientBounds): Client {
    return new TransportClient({ ...this.#options, ...bounds })
  }

  as(caller: Caller): Client {
    // What somebody else may not do says nothing about what we may.
    const { breaker: _, ...options } = this.#options
    return new TransportClient({ ...options, transport: actingAs(this.#transport, caller) })
  }

  async get<T extends KubeObject>(resource: Resource<T>, key: Key, options: GetOptions = {}): Promise<T> {
    const { subresource, resourceVersion } = options
    const path = objectPath(resource, key, subresource) + formatQuery({ resourceVersion })
    const words = describeCall('GET', resource, key)
    const problemOf = (answer: object) =>
      objectProblem({ resource, key, ...(subresource && { subresource }) }, answer)
    return (await this.#read({ path, words, problemOf }, options)) as T
  }

  async list<T extends KubeObject>(resource: Resource<T>, options: ListOptions = {}): Promise<KubeList<T>> {
    const words = describeCall('GET', resource, { namespace: options.namespace ?? '' })
    const problemOf = (answer: object) => listProblem(resource, answer)
    const read = this.#read({ path: listPath(resource, options), words, problemOf }, options)
    const list = (await read) as KubeList<T>
    // Go servers write an empty list of some kinds as null.
    return list.items ? list : { ...list, items: [] }
  }

  async listAll<T extends KubeObject>(
    resource: Resource<T>,
    options: ListAllOptions = {},
  ): Promise<KubeList<T>> {
    try {
      return await this.#allPages(resource, options)
    } catch (error) {
      if (!isGone(error)) throw error
      return this.#allPages(resource, options)
    }
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
      words: describeCall('POST', resource, key),
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
      words: describeCall('PUT', resource, key),
    })
  }

  async patch<T extends KubeObject>(resource: Resource<T>, key: Key, patch: Patch): Promise<T> {
    const force = patch.type === 'apply' && patch.force === true
    const answer = await this.#write({
      resource,
      key,
      method: 'PATCH',
      path: objectPath(resource, key, patch.subresource) + this.#writeQuery(patch, force),
      body: stringifyJson(patch.body),
      contentType: mediaTypes[patch.type],
      options: patch,
      words: describeCall('PATCH', resource, key),
    })
    return this.#written(resource, answer as T, patch)
  }

  async delete<T extends KubeObject>(
    resource: Resource<T>,
    key: Key,
    options: DeleteOptions = {},
  ): Promise<T | Status> {
    const answer = (await this.#write({
      resource,
      key,
      method: 'DELETE',
      path: objectPath(resource, key),
      ...deleteBody(options),
      options,
      words: describeCall('DELETE', resource, key),
      problemOf: (answer) => deletionProblem({ resource, key, uid: options.uid }, answer),
    })) as T | Status
    if (!options.dryRun) this.#onWrite(deletionOf(resource, key, answer, options.uid))
    return answer
  }

  async deleteCollection(resource: Resource, options: DeleteCollectionOptions = {}): Promise<void> {
    const { labelSelector = '', fieldSelector = '', namespace = '' } = options
    await this.#write({
      resource,
      key: { namespace, name: '' },
      method: 'DELETE',
      path: listPath(resource, { labelSelector, fieldSelector, namespace }),
      ...deleteBody(options),
      options,
      words: describeCall('DELETE', resource, { namespace }),
      problemOf: (answer) => collectionDeletionProblem(resource, answer),
    })
  }

  async #allPages<T extends KubeObject>(
    resource: Resource<T>,
    options: ListAllOptions,
  ): Promise<KubeList<T>> {
    const limit = options.limit ?? 500
    let page = await this.list(resource, { ...options, limit })
    const items = page.items
    while (page.metadata.continue) {
      page = await this.list(resource, { ...options, limit, continue: page.metadata.continue })
      for (const item of page.items) items.push(item)
    }
    return { ...page, items }
  }

  async #read(
    { path, words, problemOf }: Pick<Required<Call>, 'path' | 'words' | 'problemOf'>,
    { signal = this.#options.signal, timeoutMs }: CallOptions,
  ): Promise<unknown> {
    const response = await this.#transport.request({
      method: 'GET',
      path,
      headers: { accept: 'application/json' },
      timeoutMs: timeoutMs ?? defaultTimeoutMs,
      ...(signal && { signal }),
    })
    return this.#answer(words, response, problemOf)
  }

  async #writeObject<T extends KubeObject>(
    resource: Resource<T>,
    object: T,
    call: Omit<Call, 'options' | 'resource'> & { options: WriteOptions },
  ): Promise<T> {
    // Items of a list come without their type; the body of `eviction` or `scale` has a type of its own.
    const type = { apiVersion: apiVersionOf(resource), kind: resource.kind }
    const body = stringifyJson({ ...type, ...object })
    const answer = await this.#write({ ...call, resource, object, body, contentType: 'application/json' })
    return this.#written(resource, answer as T, call.options)
  }

  #write(call: Call): Promise<unknown> {
    if (!this.#breaker) return this.#send(call)
    const { options } = call
    const subresource = 'subresource' in options ? String(options.subresource ?? '') : ''
    return this.#breaker.run({ ...call, subresource }, () => this.#send(call))
  }

  async #send(call: Call): Promise<unknown> {
    const { method, path, body, contentType, options, words } = call
    const { signal = this.#options.signal, timeoutMs = defaultTimeoutMs } = options
    const gate = this.#gate
    gate.check()
    const response = await this.#transport.request({
      method,
      path,
      headers: { accept: 'application/json', ...(contentType && { 'content-type': contentType }) },
      timeoutMs: Math.min(timeoutMs, gate.remainingMs?.() ?? timeoutMs),
      beforeSend: () => gate.check(),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    })
    return this.#answer(words, response, call.problemOf ?? ((answer) => objectProblem(askedBy(call), answer)))
  }

  #answer(words: string, response: TransportResponse, problemOf: Required<Call>['problemOf']): unknown {
    const { checksAnswers = true } = this.#options
    return readAnswer(words, response, checksAnswers ? problemOf : () => undefined)
  }

  #written<T extends KubeObject>(resource: Resource<T>, object: T, { dryRun }: WriteOptions): T {
    // Subresources such as `eviction` or `scale` answer with an object of another kind.
    if (!dryRun && object.kind === resource.kind) this.#onWrite({ resource, object })
    return object
  }

  #writeQuery(options: WriteOptions, force?: boolean): string {
    const fieldManager = options.fieldManager ?? this.#fieldManager
    return writeQuery(fieldManager === undefined ? options : { ...options, fieldManager }, force)
  }
}
