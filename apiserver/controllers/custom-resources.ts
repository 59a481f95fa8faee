import { setMaxListeners } from 'node:events'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, textAt } from '../base/object.js'
import { converterOf } from '../conversion/definition-converter.js'
import { withAcceptedNames } from '../custom/definition/accepted-names.js'
import { withApproval } from '../custom/definition/approval.js'
import { type Condition, conditionIs, withCondition } from '../custom/definition/conditions.js'
import { versionsOf } from '../custom/definition/definition.js'
import { servedVersions } from '../custom/served-versions.js'
import { cleanupFinalizer } from '../kinds/custom-resource-definition.js'
import type { ServedResource } from '../resources/served-resource.js'
import type { OwnerParts } from '../server/context.js'
import type { Change, Entry } from '../store/entry.js'
import { deleteEntry } from '../verbs/delete.js'
import { trackChange } from '../verbs/track-managers.js'
import { internalRequest } from './internal-request.js'

/** The collection of CustomResourceDefinitions. */
export const definitions = 'customresourcedefinitions.apiextensions.k8s.io'

const established: Condition = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
}
const deleting: Condition = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
}
const emptied: Condition = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
}
const neverServed: Condition = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
}

/** How a definition is served at present. */
interface ServingState {
  /** The parts of the definition that the served resources were made from, as text. */
  readonly text: string
  readonly isTerminating: boolean
  /** Ends the watches of the resources when they are no longer served. */
  readonly watchEnd: AbortController
}

/** A version with the revision from which objects were stored in it. */
interface Period {
  readonly version: string | undefined
  /** The last revision before the period. */
  readonly after: number
}

/**
 * Implements the controllers of CustomResourceDefinitions in a kube-apiserver: accepts their names, serves
 * their resources, and deletes the objects before the definition. As in a kube-apiserver, each step is one
 * write.
 */
export class CustomResources {
  readonly #server: OwnerParts
  /** Definitions that wait for the deletion of their last objects, by the collection of these. */
  readonly #emptying = new Map<string, string>()
  readonly #served = new Map<string, ServingState>()
  readonly #periods = new Map<string, Period[]>()

  constructor(server: OwnerParts) {
    this.#server = server
  }

  /** Whether {@link follow} must be called for a change. */
  concerns(storage: string, { type }: Change): boolean {
    return storage === definitions || (type === 'DELETED' && this.#emptying.has(storage))
  }

  /** Takes the next step after a change of a definition or of one of its objects. */
  follow(storage: string, { type, entry }: Change): void {
    const key = storage === definitions ? entry.key : (this.#emptying.get(storage) ?? '')
    const definition = this.#definitions.get(key)
    if (definition !== undefined) this.#step(definition)
    else if (storage === definitions && type === 'DELETED') this.#stopServing(key)
  }

  get #definitions() {
    return this.#server.store.collection(definitions)
  }

  #step(entry: Entry): void {
    const definition = entry.object as OpenObject
    const isServed = conditionIs(definition, 'Established', 'True')
    this.#serve(entry.key, isServed ? definition : undefined)
    if (definition.metadata.finalizers?.includes(cleanupFinalizer) === true && isDeleted(definition)) {
      this.#finish(entry, isServed)
      return
    }
    const all = () => [...this.#definitions.scan()].map(({ object }) => object as OpenObject)
    const withNames = withAcceptedNames(definition, all, this.#now)
    if (withNames !== definition) this.#put(entry, withNames)
    else if (!isServed && conditionIs(definition, 'NamesAccepted', 'True')) {
      this.#put(entry, withCondition(definition, established, this.#now))
    } else this.#approve(entry, definition)
  }

  #approve(entry: Entry, definition: OpenObject): void {
    const approved = withApproval(definition, this.#now)
    if (approved !== definition) this.#put(entry, approved)
  }

  /** Serves the resources of a definition; if the definition changed, watches of the old resources end. */
  #serve(key: string, definition: OpenObject | undefined): void {
    const before = this.#served.get(key)
    const text = definition === undefined ? undefined : servingText(definition)
    const isTerminating = definition !== undefined && conditionIs(definition, 'Terminating', 'True')
    if (before?.text === text && before?.isTerminating === isTerminating) return
    const watchEnd = before?.text === text ? before?.watchEnd : this.#endWatches(before)
    if (definition === undefined || text === undefined || watchEnd === undefined) {
      this.#served.delete(key)
      this.#server.registry.setCustom(key, [])
      return
    }
    this.#served.set(key, { text, isTerminating, watchEnd })
    const storedAs = this.#recordPeriods(key, definition)
    const converter = converterOf(definition, { storedAs, server: this.#server })
    const storage = storageOf(definition)
    const { store } = this.#server
    const versionOf = ({ revision, version = storedAs(revision) }: Entry) => version
    // With a webhook, controllers write each object in its own version; without one, in the storage version.
    if (converter !== undefined) store.recordVersions(storage, versionOf)
    store.writeIn(storage, converter === undefined ? storedAs(store.revision + 1) : undefined)
    const storedVersion = (key: string) => {
      const stored = store.collection(storage).get(key)
      return stored && versionOf(stored)
    }
    const surroundings = { storedAs, storedVersion, retired: watchEnd.signal, converter }
    this.#server.registry.setCustom(key, servedVersions(definition, surroundings))
  }

  #endWatches(before: ServingState | undefined): AbortController {
    before?.watchEnd.abort()
    const retiring = new AbortController()
    // Every open watch adds a listener.
    setMaxListeners(0, retiring.signal)
    return retiring
  }

  /**
   * Records a change of the storage version, and returns a function that finds the version of a revision. Objects stay
   * in the version that they were written in.
   */
  #recordPeriods(key: string, definition: OpenObject): (revision: number) => string | undefined {
    const periods = this.#periods.get(key) ?? []
    const version = versionsOf(definition).find(({ storage }) => storage)?.name
    if (periods.at(-1)?.version !== version) periods.push({ version, after: this.#server.store.revision })
    this.#periods.set(key, periods)
    return (revision) => periods.findLast(({ after }) => revision > after)?.version
  }

  get #now(): string {
    return formatTime(this.#server.clock.date())
  }

  #put({ key, object }: Entry, definition: OpenObject): Entry {
    const copy = { ...definition, metadata: { ...definition.metadata } }
    this.#track(object as OpenObject, copy)
    return this.#server.store.put(definitions, key, copy)
  }

  /** Records in the managed fields that the server itself wrote the status. */
  #track(before: OpenObject, next: OpenObject): void {
    const resource = this.#server.registry.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
    if (resource === undefined || before.metadata.managedFields === undefined) return
    const request = internalRequest(this.#server, {
      resource,
      subresource: 'status',
      caller: 'kube-apiserver',
    })
    trackChange(request, { before, next, given: undefined })
  }

  #finish(entry: Entry, isServed: boolean): void {
    const definition = entry.object as OpenObject
    const storage = storageOf(definition)
    const waits = isServed && this.#server.store.collection(storage).size > 0
    if (waits && !this.#emptying.has(storage)) {
      this.#emptying.set(storage, entry.key)
      this.#put(entry, withCondition(definition, deleting, this.#now))
      this.#deleteObjects(storage)
      return
    }
    if (!waits) this.#finishDeletion(entry, isServed ? emptied : neverServed)
  }

  #deleteObjects(storage: string): void {
    const { registry, store } = this.#server
    const resource = registry.stored().find((each) => each.storage === storage)
    if (resource === undefined) return
    for (const entry of [...store.collection(storage).scan()]) this.#deleteObject(resource, entry)
  }

  #deleteObject(resource: ServedResource, entry: Entry): void {
    const { name = '', namespace = '', deletionTimestamp } = entry.object.metadata
    if (deletionTimestamp !== undefined) return
    const request = internalRequest(this.#server, { resource, namespace, name })
    deleteEntry(request, entry, { dryRun: false, propagation: 'Background' })
  }

  /** Removes the server's finalizer from a definition without objects; finalizers of others still keep it. */
  #finishDeletion(entry: Entry, condition: Condition): void {
    const definition = entry.object as OpenObject
    const last = withCondition(definition, condition, this.#now)
    const finalizers = definition.metadata.finalizers?.filter((each) => each !== cleanupFinalizer) ?? []
    delete last.metadata.finalizers
    if (finalizers.length > 0) this.#put(entry, { ...last, metadata: { ...last.metadata, finalizers } })
    else this.#server.store.remove(definitions, entry, last)
  }

  /** Stops serving the resources of a definition; other definitions of its group can then take its names. */
  #stopServing(key: string): void {
    this.#serve(key, undefined)
    this.#emptying.delete(key)
    this.#periods.delete(key)
    const group = key.slice(key.indexOf('.'))
    for (const other of [...this.#definitions.scan()]) if (other.key.endsWith(group)) this.#step(other)
  }
}

/** The parts of a definition that open watches depend on. */
function servingText(definition: OpenObject): string {
  const names = fieldAt(definition, 'status', 'acceptedNames')
  return stringifyJson([definition.spec, names])
}

function isDeleted({ metadata }: OpenObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** The collection of a definition's objects, which has the name of the definition. */
function storageOf(definition: OpenObject): string {
  return `${textAt(definition, 'spec', 'names', 'plural')}.${textAt(definition, 'spec', 'group')}`
}
