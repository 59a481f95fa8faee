import type { Client } from '../../client/client.js'
import { ApiError, isInvalid, isNotFound } from '../../kube/error.js'
import type { KubeObject } from '../../kube/object.js'
import { formatResource } from '../../kube/resource.js'
import { differences } from './differences.js'
import { IgnoredFields } from './ignored-fields.js'
import { OperationError } from './problem.js'
import {
  belongsTo,
  idOf,
  isKept,
  messageAbout,
  nameOf,
  namesRelease,
  type ReleaseObject,
  type ReleaseOwner,
} from './release-object.js'

/** The field manager of Helm 4, so that both own the same fields. */
export const fieldManager = 'helm'

/** Reads, applies and deletes the objects of one release in one run. */
export class LiveObjects {
  readonly #client: Client
  readonly #signal: AbortSignal

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client
    this.#signal = signal
  }

  /** Reads an object from the API server; undefined if it does not exist. */
  async read({ resource, key }: Pick<ReleaseObject, 'resource' | 'key'>): Promise<KubeObject | undefined> {
    return this.#client.get(resource, key, { signal: this.#signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
  }

  /** The names of objects that exist and belong to no release, or to another one. */
  async foreign(
    objects: readonly ReleaseObject[],
    release: ReleaseOwner['release'],
    { takeOwnership = false }: { takeOwnership?: boolean | undefined },
  ): Promise<string[]> {
    const live = await Promise.all(objects.map((object) => this.read(object)))
    const mayTake = (found: KubeObject | undefined) => takeOwnership && found && !namesRelease(found)
    return objects.filter((_, at) => isForeign(live[at], release) && !mayTake(live[at])).map(nameOf)
  }

  /** Applies an object by server-side apply. Rejects with {@link OperationError} if the API server refuses it. */
  async apply(object: ReleaseObject): Promise<KubeObject> {
    const { resource, key } = object
    const body = object.object
    const options = { type: 'apply', fieldManager, force: true, body, signal: this.#signal } as const
    return this.#client.patch(resource, key, options).catch((error: unknown) => {
      throw asRefusal(object, error)
    })
  }

  /**
   * Applies an object. If the API server refuses to change it, deletes it by UID and creates it again. Returns `going` while the
   * deleted object still exists.
   */
  async applyOrReplace(object: ReleaseObject, onDeleted: () => void): Promise<KubeObject | 'going'> {
    try {
      return await this.apply(object)
    } catch (error) {
      if (!(error instanceof OperationError && isInvalid(error.cause))) throw error
      const live = await this.read(object)
      if (!live) throw error
      if (live.metadata.deletionTimestamp !== undefined) return 'going'
      await this.remove(object, live)
      onDeleted()
      return (await this.read(object)) ? 'going' : this.apply(object)
    }
  }

  /** Creates an object that is not compared afterwards, such as a hook. Rejects as `apply` does. */
  async create(made: ReleaseObject): Promise<KubeObject> {
    const options = { fieldManager, signal: this.#signal }
    return this.#client.create(made.resource, made.object, options).catch((error: unknown) => {
      throw asRefusal(made, error)
    })
  }

  /**
   * Deletes an object of a release, unless it has the policy `keep` or belongs to another release. Returns whether its deletion has to
   * be waited for.
   */
  async delete(object: ReleaseObject, release: ReleaseOwner['release']): Promise<boolean> {
    const live = await this.read(object)
    if (!live || isKept(live) || isKept(object.object) || isForeign(live, release)) return false
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

const isForeign = (live: KubeObject | undefined, release: ReleaseOwner['release']) =>
  live !== undefined && !belongsTo(live, release)

const asRefusal = (object: ReleaseObject, error: unknown) =>
  isRefusal(error) ? new OperationError(messageAbout(object, error), { cause: error }) : error

/** Whether a retry is useless until something changes; false for an overloaded server and for a conflict with another write. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  const { code, message } = error
  // A field of another type than its schema says is an internal error of the API server.
  if (code === 500) return message.startsWith('failed to create typed patch object')
  return code >= 400 && code < 500 && ![401, 409, 429].includes(code)
}

/** The fields of an object whose values differ from the manifest of its release. */
export interface Drift {
  /** The object as it should be; fields that are ignored have their live values. */
  readonly object: ReleaseObject
  /** Empty if the object is gone. */
  readonly paths: readonly string[]
}

/**
 * Finds objects that differ from the manifest of their release. An API server may store another text for the same value, and then
 * the difference stays after an apply: such an object counts as unchanged until it changes again.
 */
export class DriftFinder {
  readonly #settled = new Map<string, string>()
  /** The fields that are not compared. */
  readonly ignored: IgnoredFields

  constructor(ignored: IgnoredFields = new IgnoredFields()) {
    this.ignored = ignored
  }

  /** Returns the differing fields of an object; undefined if there are none. */
  drift(object: ReleaseObject, live: KubeObject | undefined): Drift | undefined {
    if (!live) return { object, paths: [] }
    const kept = this.ignored.keep(object, live)
    const { metadata, ...fields } = kept.object
    const { labels, annotations, ownerReferences } = metadata
    const intended = { ...fields, metadata: { labels, annotations, ownerReferences } }
    const paths = differences(intended, live)
    if (paths.length === 0 || this.#settled.get(this.#idOf(object)) === contentOf(live)) return undefined
    return { object: kept, paths }
  }

  /** Remembers the state of an object after an apply. */
  applied(object: ReleaseObject, live: KubeObject): void {
    this.#settled.set(this.#idOf(object), contentOf(live))
  }

  /** Forgets objects that a release no longer has. */
  forget(objects: readonly ReleaseObject[]): void {
    for (const object of objects) this.#settled.delete(this.#idOf(object))
  }

  #idOf(object: ReleaseObject): string {
    return `${formatResource(object.resource)} ${idOf(object)}`
  }
}

/** The parts of an object that clients write. */
function contentOf(live: KubeObject): string {
  const { metadata, status: _, ...fields } = live as KubeObject & { status?: unknown }
  const { labels, annotations, ownerReferences, uid, generation } = metadata
  return JSON.stringify([fields, labels, annotations, ownerReferences, uid, generation])
}
