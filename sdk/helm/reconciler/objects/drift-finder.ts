import {
  type Contest,
  ContestedFields,
  joinContests,
  wholeObject,
} from '../../../engine/controller/contested-fields.js'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import { valueAt } from '../../../engine/kube/json-object.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { type Clock, systemClock } from '../../../engine/time/clock.js'
import { appliedBy } from '../../../operator/apply/managed-leaves.js'
import { formatValuePath, type ValuePath } from '../../values/value-path.js'
import { differingPaths } from './differing-paths.js'
import { FinishedJob } from './finished-job.js'
import { IgnoredFields, withLiveValues } from './ignored-fields.js'
import { fieldManager } from './live-objects.js'
import { idOf, type ReleaseObject, type ReleaseOwner, releaseOf } from './release-object.js'

/** The fields of an object whose values differ from the manifest of its release. */
export interface Drift {
  /** The object as it should be; fields that are ignored have their live values. */
  readonly object: ReleaseObject
  /** Empty if the object is gone. */
  readonly fields: readonly ValuePath[]
  /** The same as texts for `ignoreDrift`, such as `spec.replicas`. */
  readonly paths: readonly string[]
}

/** The time between two Events about corrections of one object, in milliseconds. */
const reportAgainMs = 60_000

/** The history of an object. */
interface ObjectHistory {
  /** Digests of the values that stayed different after the last apply, by their paths. */
  stored: ReadonlyMap<string, string>
  /** A digest of the last apply: the object, and the fields that the release has owned since then. */
  appliedDigest?: string | undefined
  /** The time of the last Event about a correction. */
  reportedMs?: number
  readonly job: FinishedJob
}

/**
 * Finds objects that differ from the manifest of their release. An API server may store another text for the same
 * value, and then the difference stays after an apply: such a field counts as unchanged until it changes again. There
 * is one DriftFinder for each cluster of releases; every run and every operation uses it.
 */
export class DriftFinder {
  /** The history of each object, by release and then by object. */
  readonly #histories = new Map<string, Map<string, ObjectHistory>>()
  /** The fields that are not compared. */
  readonly ignored: IgnoredFields
  readonly #clock: Pick<Clock, 'now'>
  readonly #contested: ContestedFields

  constructor(ignored: IgnoredFields = new IgnoredFields(), clock: Pick<Clock, 'now'> = systemClock) {
    this.ignored = ignored
    this.#clock = clock
    this.#contested = new ContestedFields(clock)
  }

  /** Returns the differing fields of an object; undefined if there are none. */
  findDrift(object: ReleaseObject, live: KubeObject | undefined): Drift | undefined {
    const history = this.#histories.get(releaseOf(object.object))?.get(idOf(object))
    if (!live) return this.isCleanedUp(object) ? undefined : { object, fields: [], paths: [] }
    history?.job.observe(live, this.#clock.now())
    const intended = this.ignored.keep(object, live)
    const fields = differingFields(intended.object, live).filter(
      (path) => history?.stored.get(formatValuePath(path)) !== digestAt(live, path),
    )
    return fields.length === 0 ? undefined : { object: intended, fields, paths: fields.map(formatValuePath) }
  }

  /** Whether a missing object is a finished Job that Kubernetes has deleted after its time to live. */
  isCleanedUp(object: ReleaseObject): boolean {
    const job = this.#histories.get(releaseOf(object.object))?.get(idOf(object))?.job ?? new FinishedJob()
    return job.isCleanedUp(object, this.#clock.now())
  }

  /**
   * Whether an apply of an object would change nothing: this program applied the same object last, its release still
   * owns the same fields, and these have the same values.
   */
  isAsApplied(object: ReleaseObject, live: KubeObject | undefined): boolean {
    const applied = this.#histories.get(releaseOf(object.object))?.get(idOf(object))?.appliedDigest
    if (applied === undefined || !live || this.ignored.concern(object)) return false
    return applied === applyDigest(object, live) && !this.findDrift(object, live)
  }

  /** Remembers the state of an object after an apply. */
  noteApplied(object: ReleaseObject, live: KubeObject): void {
    const history = this.#historyOf(object)
    history.job.observe(live, this.#clock.now())
    const differing = differingFields(object.object, live)
    history.stored = new Map(differing.map((path) => [formatValuePath(path), digestAt(live, path)]))
    history.appliedDigest = applyDigest(object, live)
  }

  /** Whether a correction gets an Event: at most one per object and minute. */
  mayReport(object: ReleaseObject, nowMs: number): boolean {
    const history = this.#historyOf(object)
    if (nowMs < (history.reportedMs ?? Number.NEGATIVE_INFINITY) + reportAgainMs) return false
    history.reportedMs = nowMs
    return true
  }

  /**
   * The part of a drift that may be corrected now; undefined if there is none. Fields that other programs keep changing
   * back are corrected more and more rarely. Until then they keep their live values.
   */
  correctablePart({ object, fields }: Drift, live: KubeObject | undefined): Drift | undefined {
    this.#historyOf(object)
    const id = contestId(object)
    if (!live) return this.#contested.mayRepair(id, [wholeObject]) ? { object, fields, paths: [] } : undefined
    const correctable = fields.filter((path) => this.#contested.mayRepair(id, [formatValuePath(path)]))
    if (correctable.length === 0) return undefined
    const held = fields.filter((path) => !correctable.includes(path))
    return {
      object: { ...object, object: withLiveValues(object.object, live, held) },
      fields: correctable,
      paths: correctable.map(formatValuePath),
    }
  }

  /** Counts a correction that was written. */
  noteCorrected({ object, paths }: Pick<Drift, 'object' | 'paths'>): void {
    this.#contested.recordRepair(contestId(object), paths.length > 0 ? paths : [wholeObject])
  }

  /** Those of the fields that may not be corrected now, and whose contest no Event has reported. */
  unreported(object: ReleaseObject, paths: readonly string[] = [wholeObject]): string[] {
    return this.#contested.unreported(contestId(object), paths)
  }

  /** Remembers the report about contested fields of an object. */
  noteContest(object: ReleaseObject, message: string, paths: readonly string[] = [wholeObject]): void {
    this.#contested.recordMessage(contestId(object), paths, message)
  }

  /** The reports about contested objects of a release, and the time until the next correction, in milliseconds. */
  contestOf({ namespace, name }: ReleaseOwner['release']): Contest | undefined {
    const release = `${namespace}/${name}`
    const ids = [...(this.#histories.get(release)?.keys() ?? [])]
    return joinContests(ids.flatMap((id) => this.#contested.find(`${release} ${id}`) ?? []))
  }

  /** Forgets objects that a release no longer has; default all of them. */
  forget({ namespace, name }: ReleaseOwner['release'], objects?: readonly ReleaseObject[]): void {
    const release = `${namespace}/${name}`
    const histories = this.#histories.get(release)
    for (const id of objects?.map(idOf) ?? [...(histories?.keys() ?? [])]) {
      histories?.delete(id)
      this.#contested.forget(`${release} ${id}`)
    }
    if (histories?.size === 0) this.#histories.delete(release)
  }

  /** The history of an object; a new one if there is none. */
  #historyOf(object: ReleaseObject): ObjectHistory {
    const release = releaseOf(object.object)
    const objects = this.#histories.get(release) ?? new Map<string, ObjectHistory>()
    const history = objects.get(idOf(object)) ?? { stored: new Map(), job: new FinishedJob() }
    this.#histories.set(release, objects.set(idOf(object), history))
    return history
  }
}

/** Identifies an object of a release for the record of contested fields. */
const contestId = (object: ReleaseObject) => `${releaseOf(object.object)} ${idOf(object)}`

/** The paths of the fields that clients write and that differ. */
function differingFields({ metadata, ...fields }: KubeObject, live: KubeObject): ValuePath[] {
  const { labels, annotations, ownerReferences } = metadata
  return differingPaths({ ...fields, metadata: { labels, annotations, ownerReferences } }, live)
}

/** A digest of an object and of its fields that Helm's field manager owns; undefined if it owns none. */
function applyDigest({ object }: ReleaseObject, { metadata }: KubeObject): string | undefined {
  const fields = appliedBy(fieldManager, metadata.managedFields)
  return fields === undefined ? undefined : sha256Hex(canonicalJson([object, fields]))
}

/** A digest of a value, so that values of Secrets are not kept. */
const digestAt = (live: KubeObject, path: ValuePath) => sha256Hex(canonicalJson([valueAt(live, path)]))
