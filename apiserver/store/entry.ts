import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject, ObjectMeta } from '../../sdk/engine/kube/object.js'

/** The members of `metadata` that Go writes first, in this order: clients may read them before the rest is parsed. */
const firstOfMetadata = ['name', 'generateName', 'namespace', 'uid', 'resourceVersion'] as const

/**
 * One revision of one object. The object has neither `kind` nor `apiVersion`, because those depend on the requested
 * version. It never changes, because all readers share it.
 */
export class Entry {
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string
  readonly object: KubeObject
  readonly revision: number
  /** The version of the object, for kinds that a webhook converts. */
  readonly version: string | undefined
  #text: string | undefined
  #frames: Map<string, Uint8Array> | undefined

  constructor(key: string, object: KubeObject, revision: number, version?: string) {
    this.key = key
    this.object = object
    this.revision = revision
    this.version = version
  }

  /** The object as JSON text, written once and shared by all readers. */
  get text(): string {
    this.#text ??= stringifyJson({ ...this.object, metadata: inGoOrder(this.object.metadata) })
    return this.#text
  }

  /** A watch event for this revision, written once for all watches with the same format. */
  frame(shape: string, write: () => Uint8Array): Uint8Array {
    this.#frames ??= new Map()
    const existing = this.#frames.get(shape)
    if (existing !== undefined) return existing
    const written = write()
    this.#frames.set(shape, written)
    return written
  }

  /** A copy with a later revision, for the watch event of an object that leaves a selection. */
  at(revision: number): Entry {
    const metadata = { ...this.object.metadata, resourceVersion: String(revision) }
    return new Entry(this.key, { ...this.object, metadata }, revision, this.version)
  }
}

function inGoOrder(metadata: ObjectMeta): ObjectMeta {
  const first: Record<string, unknown> = {}
  for (const name of firstOfMetadata) if (metadata[name] !== undefined) first[name] = metadata[name]
  // A member keeps its place when it is assigned again.
  return Object.assign(first, metadata)
}

/** One step in a collection's history. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** The new state; for `DELETED` the last one, with the revision of the deletion. */
  readonly entry: Entry
  /** The previous state; undefined for `ADDED`. */
  readonly previous?: Entry
}
