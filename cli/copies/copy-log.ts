import type { Side } from '../../sdk/context/register-context.js'
import { jsonEqual } from '../../sdk/kube/json.js'
import { formatKey, type Key, keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { Clock } from '../../sdk/time/clock.js'
import type { WatchEvent } from '../../sdk/watch/event.js'
import { originalOf } from '../clusters/original-of.js'

/** A change of a copy, as {@link MirrorLog} explains it. */
export interface CopyChange {
  resource: Resource
  /** Where the copy stands. */
  side: Side
  original: Key
  copy: Key
  /** `touched` is a change that no change of the original explains; `repaired` is what brings the copy back. */
  verb: 'created' | 'updated' | 'deleted' | 'touched' | 'repaired'
  /** Since the change that it answers, in milliseconds; undefined where nobody saw that change happen. */
  latencyMs: number | undefined
}

interface OriginalState {
  resourceVersion: string | undefined
  /** Undefined where it had changed before anybody watched. */
  changedAtMs: number | undefined
  /** Whether a change of the copy has answered it. */
  answered: boolean
}

interface CopyState {
  original: Key
  /** As it was mirrored last. */
  mirrored: KubeObject
  /** When something else began to change it; undefined while it is as it was mirrored. */
  touchedAtMs: number | undefined
}

/** How long after a change of the original another change of its copy still counts as an answer. */
const graceMs = 1000

/**
 * Explains what happens to copies in one cluster by what happened to their originals in the other: a copy is known by the
 * annotations that name its original, and its latency is counted from the latest change of the original.
 */
export class MirrorLog {
  readonly #clock: Clock
  readonly #side: Side
  readonly #originals = new Map<string, OriginalState>()
  readonly #copies = new Map<string, CopyState>()

  /** About the copies that stand in the cluster `side`. */
  constructor(side: Side, clock: Clock) {
    this.#side = side
    this.#clock = clock
  }

  /** Takes note of what a watch of the originals' cluster says. */
  originalChanged(resource: Resource, event: WatchEvent): void {
    if (!('object' in event)) return
    const id = idOf(resource, keyOf(event.object))
    const { resourceVersion } = event.object.metadata
    const isListed = event.type === 'listed'
    if (isListed && this.#originals.get(id)?.resourceVersion === resourceVersion) return
    const changedAtMs = isListed ? undefined : this.#clock.now()
    this.#originals.set(id, { resourceVersion, changedAtMs, answered: false })
  }

  /** Explains what a watch of the copies' cluster says; undefined if it is about no copy, or nothing new. */
  copyChanged(resource: Resource, event: WatchEvent): CopyChange | undefined {
    if (!('object' in event)) return undefined
    const copy = keyOf(event.object)
    const known = this.#copies.get(idOf(resource, copy))
    const original = originalOf[this.#side](event.object) ?? known?.original
    if (original === undefined || isRelist(event, known)) return undefined
    const about = { resource, side: this.#side, original, copy }
    const answered = this.#answered(idOf(resource, original))
    if (answered) return this.#mirrored(about, event, answered)
    if (known && event.type !== 'deleted' && isSame(known.mirrored, event.object))
      return this.#repaired(about, known)
    if (known) known.touchedAtMs ??= this.#clock.now()
    return { ...about, verb: 'touched', latencyMs: undefined }
  }

  /** The change of the original that the present change of its copy answers. */
  #answered(originalId: string): OriginalState | undefined {
    const state = this.#originals.get(originalId)
    if (!state || (state.answered && this.#since(state.changedAtMs ?? 0) >= graceMs)) return undefined
    state.answered = true
    return state
  }

  #mirrored(about: About, { type, object }: ObjectEvent, { changedAtMs }: OriginalState): CopyChange {
    const id = idOf(about.resource, about.copy)
    const verb = type === 'deleted' ? 'deleted' : this.#copies.has(id) ? 'updated' : 'created'
    if (verb === 'deleted') this.#copies.delete(id)
    else this.#copies.set(id, { original: about.original, mirrored: object, touchedAtMs: undefined })
    return { ...about, verb, latencyMs: changedAtMs === undefined ? undefined : this.#since(changedAtMs) }
  }

  #repaired(about: About, known: CopyState): CopyChange {
    const { touchedAtMs } = known
    known.touchedAtMs = undefined
    const latencyMs = touchedAtMs === undefined ? undefined : this.#since(touchedAtMs)
    return { ...about, verb: 'repaired', latencyMs }
  }

  #since(momentMs: number): number {
    return this.#clock.now() - momentMs
  }
}

type About = Pick<CopyChange, 'resource' | 'side' | 'original' | 'copy'>
type ObjectEvent = Extract<WatchEvent, { object: KubeObject }>

const idOf = (resource: Resource, key: Key) => `${resource.group}/${resource.kind} ${formatKey(key)}`

function isRelist(event: WatchEvent, known: CopyState | undefined): boolean {
  if (event.type !== 'listed' || !known) return false
  return event.object.metadata.resourceVersion === known.mirrored.metadata.resourceVersion
}

function isSame(a: KubeObject, b: KubeObject): boolean {
  return jsonEqual(written(a), written(b))
}

/** What a writer decides about an object; the API server decides the rest. */
function written({ metadata, ...rest }: KubeObject): unknown {
  const { labels, annotations, ownerReferences, finalizers } = metadata
  return { ...rest, labels, annotations, ownerReferences, finalizers }
}
