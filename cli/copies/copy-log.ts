import { jsonEqual } from '../../sdk/engine/kube/json.js'
import { formatKey, type Key, keyOf } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { WatchEvent } from '../../sdk/engine/watch/event.js'
import type { Side } from '../../sdk/vcluster/context/register-context.js'
import { originalOf } from '../clusters/original-of.js'
import { isOwnWrite } from './own-write.js'

/** A change of a copy. */
export interface CopyChange {
  resource: Resource
  /** The cluster of the copy. */
  side: Side
  original: Key
  copy: Key
  /** `edited` is a change by somebody else without a change of the original; `repaired` restores the copy after it. */
  verb: 'created' | 'updated' | 'deleted' | 'edited' | 'repaired'
  /** Time since the change that caused it, in milliseconds; undefined if that change was not seen. */
  latencyMs: number | undefined
}

interface OriginalState {
  resourceVersion: string | undefined
  /** Undefined if it changed before the watch began. */
  changedAtMs: number | undefined
  /** Whether the copy has changed since then. */
  answered: boolean
}

interface CopyState {
  original: Key
  /** The copy after the last change by the plugin. */
  mirrored: KubeObject
  /** The copy after its last change by anybody. */
  latest: KubeObject
  /** Time of the first edit since then; undefined if there is none. */
  editedAtMs: number | undefined
}

/** Time after a change of the original in which further changes of the copy count as caused by it, in milliseconds. */
const graceMs = 1000

/**
 * Relates changes of copies in one cluster to changes of their originals in the other. A copy has annotations that name
 * its original. The latency counts from the latest change of the original.
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

  /**
   * Whether {@link copyChanged} knows the reason of a watch event already. The two clusters are watched one by one, so
   * that a copy can be seen before the change of the original that caused it. An event without a reason is shown
   * again after the next change of an original, and counts as an edit only after a while.
   */
  knowsReason({ resource, event }: CopyEvent): boolean {
    const observed = this.#find(resource, event)
    return observed === undefined || this.#cause(observed) !== undefined || isRepair(observed)
  }

  /** The change for a watch event of the copies' cluster; undefined if the object is not a copy, or has not changed. */
  copyChanged({ resource, event, seenAtMs }: CopyEvent): CopyChange | undefined {
    const observed = this.#find(resource, event)
    if (!observed) return undefined
    const cause = this.#cause(observed)
    if (cause) return this.#recordMirrored(observed, cause, seenAtMs)
    if (isRepair(observed)) return repairChange(observed, seenAtMs)
    const { lastState } = observed
    if (!lastState || isOwnChange(lastState, observed.event))
      return this.#recordMirrored(observed, {}, seenAtMs)
    lastState.editedAtMs ??= seenAtMs
    lastState.latest = observed.event.object
    return { ...observed.identity, verb: 'edited', latencyMs: undefined }
  }

  /** The copy that an event is about; undefined for any other object, and for a relist that changes nothing. */
  #find(resource: Resource, event: WatchEvent): ObservedCopyEvent | undefined {
    if (!('object' in event)) return undefined
    const copy = keyOf(event.object)
    const lastState = this.#copies.get(idOf(resource, copy))
    const original = originalOf[this.#side](event.object) ?? lastState?.original
    if (original === undefined || isRelist(event, lastState)) return undefined
    return { identity: { resource, side: this.#side, original, copy }, event, lastState }
  }

  /** The change of the original that caused the change of its copy; undefined for none. */
  #cause({ identity }: ObservedCopyEvent): OriginalState | undefined {
    const state = this.#originals.get(idOf(identity.resource, identity.original))
    const isOld = state?.answered && this.#clock.now() - (state.changedAtMs ?? 0) >= graceMs
    return isOld ? undefined : state
  }

  #recordMirrored(
    { identity, event: { type, object } }: ObservedCopyEvent,
    cause: Partial<OriginalState>,
    seenAtMs: number,
  ): CopyChange {
    cause.answered = true
    const id = idOf(identity.resource, identity.copy)
    const verb = type === 'deleted' ? 'deleted' : this.#copies.has(id) ? 'updated' : 'created'
    if (verb === 'deleted') this.#copies.delete(id)
    else
      this.#copies.set(id, {
        original: identity.original,
        mirrored: object,
        latest: object,
        editedAtMs: undefined,
      })
    return { ...identity, verb, latencyMs: latencySince(cause.changedAtMs, seenAtMs) }
  }
}

/** A watch event of the copies' cluster, and when it came, in milliseconds of the clock. */
export interface CopyEvent {
  resource: Resource
  event: WatchEvent
  seenAtMs: number
}

/** An event of a copy. */
interface ObservedCopyEvent {
  identity: Pick<CopyChange, 'resource' | 'side' | 'original' | 'copy'>
  event: ObjectEvent
  /** The copy before; undefined if it is new. */
  lastState: CopyState | undefined
}

type ObjectEvent = Extract<WatchEvent, { object: KubeObject }>

function isRepair({ event, lastState }: ObservedCopyEvent): boolean {
  return (
    lastState !== undefined && event.type !== 'deleted' && hasSameFields(lastState.mirrored, event.object)
  )
}

/** A deletion names no writer. */
function isOwnChange({ latest }: CopyState, { type, object }: ObjectEvent): boolean {
  return type !== 'deleted' && isOwnWrite(latest, object)
}

function repairChange({ identity, lastState }: ObservedCopyEvent, seenAtMs: number): CopyChange {
  const latencyMs = latencySince(lastState?.editedAtMs, seenAtMs)
  if (lastState) lastState.editedAtMs = undefined
  return { ...identity, verb: 'repaired', latencyMs }
}

/** The time between two events, in milliseconds; 0 if the second was seen first. */
function latencySince(beganAtMs: number | undefined, seenAtMs: number): number | undefined {
  return beganAtMs === undefined ? undefined : Math.max(0, seenAtMs - beganAtMs)
}

const idOf = (resource: Resource, key: Key) => `${resource.group}/${resource.kind} ${formatKey(key)}`

function isRelist(event: WatchEvent, lastState: CopyState | undefined): boolean {
  if (event.type !== 'listed' || !lastState) return false
  return event.object.metadata.resourceVersion === lastState.mirrored.metadata.resourceVersion
}

function hasSameFields(a: KubeObject, b: KubeObject): boolean {
  return jsonEqual(writtenFields(a), writtenFields(b))
}

/** The fields that a writer sets; the API server sets the others. */
function writtenFields({ metadata, ...rest }: KubeObject): unknown {
  const { labels, annotations, ownerReferences, finalizers } = metadata
  return { ...rest, labels, annotations, ownerReferences, finalizers }
}
