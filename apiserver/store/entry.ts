import { stringifyJson } from '../../sdk/kube/json.js'
import type { KubeObject } from '../../sdk/kube/object.js'

/**
 * One revision of one object. The object has neither `kind` nor `apiVersion`, because those depend on the requested
 * version. It never changes, because all readers share it.
 */
export class Entry {
  /** `namespace/name`, or the name of a cluster-scoped object. */
  readonly key: string
  readonly object: KubeObject
  readonly revision: number
  #text: string | undefined
  #frames: Map<string, Uint8Array> | undefined

  constructor(key: string, object: KubeObject, revision: number) {
    this.key = key
    this.object = object
    this.revision = revision
  }

  /** The object as JSON text, written once and shared by all readers. */
  get text(): string {
    this.#text ??= stringifyJson(this.object)
    return this.#text
  }

  /** A watch event about this revision, written once for all watches that want the same shape. */
  frame(shape: string, write: () => Uint8Array): Uint8Array {
    this.#frames ??= new Map()
    const known = this.#frames.get(shape)
    if (known !== undefined) return known
    const written = write()
    this.#frames.set(shape, written)
    return written
  }

  /** The same state under a later revision: what a watch sends about an object that left its selection. */
  at(revision: number): Entry {
    const metadata = { ...this.object.metadata, resourceVersion: String(revision) }
    return new Entry(this.key, { ...this.object, metadata }, revision)
  }
}

/** One step in a collection's history. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** The new state; for `DELETED` the last one, with the revision of the deletion. */
  readonly entry: Entry
  /** The state before; absent for `ADDED`. */
  readonly previous?: Entry
}
