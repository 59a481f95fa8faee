import { canonicalJson } from '../../kube/canonical-json.js'
import { sha256Hex } from '../../kube/concat-name.js'
import type { KubeObject } from '../../kube/object.js'
import { differences } from './differences.js'
import { IgnoredFields } from './ignored-fields.js'
import { idOf, type ReleaseObject, type ReleaseOwner, releaseOf } from './release-object.js'

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
  /** By the release, then by the object. */
  readonly #settled = new Map<string, Map<string, string>>()
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
    if (paths.length === 0 || this.#settledOf(object)?.get(idOf(object)) === contentOf(live)) return undefined
    return { object: kept, paths }
  }

  /** Remembers the state of an object after an apply. */
  applied(object: ReleaseObject, live: KubeObject): void {
    const settled = this.#settledOf(object) ?? new Map<string, string>()
    this.#settled.set(releaseOf(object.object), settled.set(idOf(object), contentOf(live)))
  }

  /** Forgets objects that a release no longer has; default all of them. */
  forget({ namespace, name }: ReleaseOwner['release'], objects?: readonly ReleaseObject[]): void {
    const release = `${namespace}/${name}`
    for (const object of objects ?? []) this.#settled.get(release)?.delete(idOf(object))
    if (!objects || this.#settled.get(release)?.size === 0) this.#settled.delete(release)
  }

  #settledOf({ object }: ReleaseObject): Map<string, string> | undefined {
    return this.#settled.get(releaseOf(object))
  }
}

/** A digest of the parts of an object that clients write: a Secret is not kept. */
function contentOf(live: KubeObject): string {
  const { metadata, status: _, ...fields } = live as KubeObject & { status?: unknown }
  const { labels, annotations, ownerReferences, uid, generation } = metadata
  return sha256Hex(canonicalJson([fields, labels, annotations, ownerReferences, uid, generation]))
}
