import type { Client } from '../../../engine/client/client.js'
import { ApiError, isInvalid, isNotFound } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { apiVersionOf } from '../../../engine/kube/resource.js'
import { conflictsOf } from '../../../operator/apply/field-conflict.js'
import { typedPatchCure, typedPatchProblem } from '../../../operator/apply/intent-error.js'
import { answerMs, asUnavailable, isServedByKubernetes } from '../problem/api-unavailable.js'
import { OperationError } from '../problem/problem.js'
import { mapLimited } from './map-limited.js'
import { mayStop } from './readiness.js'
import {
  belongsTo,
  idOf,
  isDefinition,
  isKept,
  messageAbout,
  namesRelease,
  ownerUids,
  type ReleaseObject,
  type ReleaseOwner,
  unservedError,
} from './release-object.js'

/** The field manager of Helm 4, so that Helm and this SDK own the same fields. */
export const fieldManager = 'helm'

/**
 * A version that no object has. An object is applied with it only if it is absent; otherwise the API server answers
 * with a conflict.
 */
const impossibleVersion = '1'

/** The state in which an object was found: its UID and its version; neither if it was absent. */
type FoundState = Pick<KubeObject['metadata'], 'uid' | 'resourceVersion'>

/**
 * Reads, applies and deletes the objects of one release in one run. An object that was looked at is applied only if it
 * has not changed since, so that an object that somebody else created or changed in between is not taken over.
 */
export class LiveObjects {
  readonly #client: Client
  readonly #signal: AbortSignal
  readonly #foundStates = new Map<string, FoundState>()
  /** The last answers about objects that {@link mayStop}; undefined for one that is absent. */
  readonly #latest = new Map<string, KubeObject | undefined>()

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client
    this.#signal = signal
  }

  /** Reads an object from the API server; undefined if it does not exist. */
  async read({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>): Promise<KubeObject | undefined> {
    const limit = isServedByKubernetes(apiVersionOf(resource)) ? {} : { timeoutMs: answerMs }
    const options = { signal: this.#signal, ...limit }
    const live = await this.#client.get(resource, key, options).catch((error: unknown) => {
      if (!isNotFound(error)) throw asUnavailable(resource, error)
      return undefined
    })
    this.#note({ resource, key }, live)
    return live
  }

  /** The last known state of an object that {@link mayStop}; read if unknown. */
  async latest(object: ReleaseObject): Promise<KubeObject | undefined> {
    const id = idOf(object)
    return this.#latest.has(id) ? this.#latest.get(id) : this.read(object)
  }

  /** Keeps the state of an absent object, or of one that {@link mayStop}: Secrets and definitions are too large. */
  #note({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>, live: KubeObject | undefined): void {
    if (!live || mayStop({ resource, key, object: live })) this.#latest.set(idOf({ resource, key }), live)
  }

  /** Reads objects, and remembers in which state they were found. */
  async readAll(objects: readonly ReleaseObject[]): Promise<(KubeObject | undefined)[]> {
    const live = await mapLimited(objects, (object) => this.read(object))
    for (const [index, object] of objects.entries())
      this.#foundStates.set(idOf(object), live[index]?.metadata ?? {})
    return live
  }

  /**
   * Applies an object by server-side apply. Rejects with {@link OperationError} if the API server refuses it, and with
   * `ApiError` `Conflict` if the object is no longer as it was found.
   */
  async apply(object: ReleaseObject): Promise<KubeObject> {
    const { resource, key } = object
    const body = this.#withFoundVersion(object)
    const options = { type: 'apply', fieldManager, force: true, body, signal: this.#signal } as const
    const live = await this.#client.patch(resource, key, options).catch((error: unknown) => {
      throw asRefusal(object, error)
    })
    this.#note(object, live)
    return live
  }

  /** The conflicts of an object with other field managers, in the words of the API server. Nothing is written. */
  async rivals({ resource, key, object: body }: ReleaseObject): Promise<string[]> {
    const options = { type: 'apply', fieldManager, force: false, dryRun: true, body } as const
    return this.#client.patch(resource, key, { ...options, signal: this.#signal }).then(() => [], conflictsOf)
  }

  #withFoundVersion({ object, ...rest }: ReleaseObject): KubeObject {
    const foundState = this.#foundStates.get(idOf(rest))
    if (!foundState) return object
    const { resourceVersion = impossibleVersion } = foundState
    return { ...object, metadata: { ...object.metadata, resourceVersion } }
  }

  /**
   * Applies an object. If the API server refuses to change it, deletes it and creates it again, if it has this UID.
   * Returns `going` while a deleted object still exists. An object to be kept is never deleted, nor is a definition,
   * with which all objects of its kind would go.
   */
  async applyOrReplace(
    object: ReleaseObject,
    { uid, onDeleted }: { readonly uid: string | undefined; readonly onDeleted: () => void },
  ): Promise<KubeObject | 'going'> {
    try {
      return await this.apply(object)
    } catch (error) {
      if (!(error instanceof OperationError && isInvalid(error.cause))) throw error
      const live = isDefinition(object.object) ? undefined : await this.read(object)
      if (!live) throw error
      if (isKept(live) || isKept(object.object)) throw keptError(error)
      if (live.metadata.deletionTimestamp !== undefined) return 'going'
      if (live.metadata.uid !== uid) throw notMadeError(error)
      await this.remove(object, live)
      onDeleted()
      this.#foundStates.set(idOf(object), {})
      return (await this.read(object)) ? 'going' : this.apply(object)
    }
  }

  /** Creates an object that is not compared afterwards, such as a hook. Rejects as `apply` does. */
  async create(object: ReleaseObject): Promise<KubeObject> {
    const options = { fieldManager, signal: this.#signal }
    return this.#client.create(object.resource, object.object, options).catch((error: unknown) => {
      throw asRefusal(object, error)
    })
  }

  /** Changes fields of an object that was read, if the object still has the same UID. */
  async merge(
    { resource, key }: ReleaseObject,
    { metadata: { uid } }: KubeObject,
    fields: { readonly metadata?: object; readonly spec?: object },
  ): Promise<void> {
    const body = { ...fields, metadata: { ...fields.metadata, uid } }
    const options = { type: 'merge', body, fieldManager, signal: this.#signal } as const
    await this.#client.patch(resource, key, options).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }

  /** Removes references of an object to owners, with which Kubernetes would delete the object. */
  async disown(object: ReleaseObject, live: KubeObject, owners: readonly string[]): Promise<void> {
    const { ownerReferences = [] } = live.metadata
    const others = ownerReferences.filter(({ uid }) => !owners.includes(uid))
    if (others.length === ownerReferences.length) return
    await this.merge(object, live, { metadata: { ownerReferences: others } })
  }

  /**
   * Deletes an object of a release, unless it has the policy `keep` or belongs to another release. One to be kept loses
   * the reference to its owner. Returns whether the deletion has to be waited for.
   */
  async delete(
    object: ReleaseObject,
    owner: Pick<ReleaseOwner, 'release' | 'owner' | 'target'>,
  ): Promise<boolean> {
    const live = await this.read(object)
    if (!live || isForeign(live, owner.release)) return false
    if (isKept(live) || isKept(object.object)) {
      await this.disown(object, live, ownerUids(owner))
      return false
    }
    if (live.metadata.deletionTimestamp === undefined) await this.remove(object, live)
    return true
  }

  /** Deletes an object by the UID of `live`. */
  async remove({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>, live: KubeObject): Promise<void> {
    const { uid = '' } = live.metadata
    const options = { uid, propagationPolicy: 'Background', signal: this.#signal } as const
    await this.#client.delete(resource, key, options).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
    })
  }
}

/** Whether objects that belong to no release may be taken over; default not. */
interface OwnershipOptions {
  readonly takeOwnership?: boolean | undefined
}

/** Whether a release may have an object that exists, by its metadata. */
export const mayHave = (
  live: KubeObject,
  release: ReleaseOwner['release'],
  { takeOwnership = false }: OwnershipOptions,
) => belongsTo(live, release) || (takeOwnership && !namesRelease(live))

const isForeign = (live: KubeObject | undefined, release: ReleaseOwner['release']) =>
  live !== undefined && !belongsTo(live, release)

function asRefusal(object: ReleaseObject, error: unknown): unknown {
  if (isUnserved(error)) return unservedError(object.object)
  const problem = typedPatchProblem(error)
  if (problem !== undefined) return unfitError(object, problem, error)
  return isRefusal(error) ? new OperationError(messageAbout(object, error), { cause: error }) : error
}

/** The error about an object to be kept that would have to be replaced. */
const keptError = ({ message, cause }: OperationError) =>
  new OperationError(
    `${message}; it has the helm.sh/resource-policy keep, so it is not replaced: remove the annotation, or delete the object`,
    { cause },
  )

/** The error about an object of others that would have to be replaced. */
const notMadeError = ({ message, cause }: OperationError) =>
  new OperationError(
    `${message}; this release did not make it, so it is not replaced: delete it, or rename the object of the chart`,
    { cause },
  )

/** The error for a field that the schema of the API server lacks; the server answers 500 in this case. */
const unfitError = (object: ReleaseObject, problem: string, cause: unknown) =>
  new OperationError(
    `${messageAbout(object, { message: `cannot be applied: ${problem}` })}; ${typedPatchCure(problem, 'the values or the chart')}`,
    { cause, isPermanent: true },
  )

/**
 * Whether the kind is not served any more: the answer then has no `Status`. An answer about a missing namespace has
 * one.
 */
const isUnserved = (error: unknown) => isNotFound(error) && error.status.details?.kind === undefined

/**
 * Whether a retry is useless until something changes; false for an overloaded server and for a conflict with another
 * write.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { code } = error
  return code >= 400 && code < 500 && ![401, 409, 429].includes(code)
}
