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

/** The time between two Events about corrections of one object, in milliseconds. */
const reportAgainMs = 60_000

/** The history of an object. */
interface Known {
  /** A digest of it after the last apply. */
  content?: string
  /** The time of the last Event about a correction. */
  reportedMs?: number
}

/**
 * Finds objects that differ from the manifest of their release. An API server may store another text for the same value, and then
 * the difference stays after an apply: such an object counts as unchanged until it changes again.
 */
export class DriftFinder {
  /** By the release, then by the object. */
  readonly #known = new Map<string, Map<string, Known>>()
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
    const { content } = this.#known.get(releaseOf(object.object))?.get(idOf(object)) ?? {}
    if (paths.length === 0 || content === contentOf(live)) return undefined
    return { object: kept, paths }
  }

  /** Remembers the state of an object after an apply. */
  applied(object: ReleaseObject, live: KubeObject): void {
    this.#knownOf(object).content = contentOf(live)
  }

  /** Whether a correction gets an Event: one of each object and minute does. */
  mayReport(object: ReleaseObject, nowMs: number): boolean {
    const known = this.#knownOf(object)
    if (nowMs < (known.reportedMs ?? Number.NEGATIVE_INFINITY) + reportAgainMs) return false
    known.reportedMs = nowMs
    return true
  }

  /** Forgets objects that a release no longer has; default all of them. */
  forget({ namespace, name }: ReleaseOwner['release'], objects?: readonly ReleaseObject[]): void {
    const release = `${namespace}/${name}`
    for (const object of objects ?? []) this.#known.get(release)?.delete(idOf(object))
    if (!objects || this.#known.get(release)?.size === 0) this.#known.delete(release)
  }

  #knownOf(object: ReleaseObject): Known {
    const release = releaseOf(object.object)
    const objects = this.#known.get(release) ?? new Map<string, Known>()
    const known = objects.get(idOf(object)) ?? {}
    this.#known.set(release, objects.set(idOf(object), known))
    return known
  }
}

/** A digest of the parts of an object that clients write: a Secret is not kept. */
function contentOf(live: KubeObject): string {
  const { metadata, status: _, ...fields } = live as KubeObject & { status?: unknown }
  const { labels, annotations, ownerReferences, uid, generation } = metadata
  return sha256Hex(canonicalJson([fields, labels, annotations, ownerReferences, uid, generation]))
}
