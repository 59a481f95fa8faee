import type { Side } from '../../sdk/context/register-context.js'
import { jsonEqual } from '../../sdk/kube/json.js'
import { formatKey, type Key, keyOf } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { Clock } from '../../sdk/time/clock.js'
import type { WatchEvent } from '../../sdk/watch/event.js'
import { originalOf } from '../clusters/original-of.js'

/** A change of a copy. */
export interface CopyChange {
  resource: Resource
  /** The cluster of the copy. */
  side: Side
  original: Key
  copy: Key
  /** `edited` is a change without a change of the original; `repaired` restores the copy after it. */
  verb: 'created' | 'updated' | 'deleted' | 'edited' | 'repaired'
  /** Time since the change that caused it, in milliseconds; undefined if that change was not seen. */
  latencyMs: number | undefined
}

interface OriginalState {
  resourceVersion: string | undefined
  /** Undefined if it changed before the watch began. */
  changedAtMs: number | undefined
  /** Whether the copy has changed since. */
  answered: boolean
}

interface CopyState {
  original: Key
  /** The copy after the last change by the plugin. */
  mirrored: KubeObject
  /** Time of the first edit since then; undefined if there is none. */
  editedAtMs: number | undefined
}

/** Time after a change of the original in which further changes of the copy count as caused by it, in milliseconds. */
const graceMs = 1000

/**
 * Relates changes of copies in one cluster to changes of their originals in the other. A copy has annotations that name its
 * original. The latency counts from the latest change of the original.
 */
export class CopyLog {
  readonly #clock: Clock
  readonly #side: Side
  readonly #originals = new Map<string, OriginalState>()
  readonly #copies = new Map<string, CopyState>()

  /** `side` is the cluster of the copies. */
  constructor(side: Side, clock: Clock) {
    this.#side = side
    this.#clock = clock
  }

  /** Records a watch event of the originals' cluster. */
  originalChanged(resource: Resource, event: WatchEvent): void {
    if (!('object' in event)) return
    const id = idOf(resource, keyOf(event.object))
    const { resourceVersion } = event.object.metadata
    const isListed = event.type === 'listed'
    if (isListed && this.#originals.get(id)?.resourceVersion === resourceVersion) return
    const changedAtMs = isListed ? undefined : this.#clock.now()
    this.#originals.set(id, { resourceVersion, changedAtMs, answered: false })
  }

  /** The change for a watch event of the copies' cluster; undefined if the object is not a copy, or has not changed. */
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
    if (known) known.editedAtMs ??= this.#clock.now()
    return { ...about, verb: 'edited', latencyMs: undefined }
  }

  /** The change of the original that caused the change of its copy; undefined for none. */
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
    else this.#copies.set(id, { original: about.original, mirrored: object, editedAtMs: undefined })
    return { ...about, verb, latencyMs: changedAtMs === undefined ? undefined : this.#since(changedAtMs) }
  }

  #repaired(about: About, known: CopyState): CopyChange {
    const { editedAtMs } = known
    known.editedAtMs = undefined
    const latencyMs = editedAtMs === undefined ? undefined : this.#since(editedAtMs)
    return { ...about, verb: 'repaired', latencyMs }
  }

  #since(timeMs: number): number {
    return this.#clock.now() - timeMs
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

/** The fields that a writer sets; the API server sets the others. */
function written({ metadata, ...rest }: KubeObject): unknown {
  const { labels, annotations, ownerReferences, finalizers } = metadata
  return { ...rest, labels, annotations, ownerReferences, finalizers }
}
