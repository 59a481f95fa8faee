import { ContestedFields } from '../../../engine/controller/contested-fields.js'
import type { ReconcileResult } from '../../../engine/controller/reconcile-result.js'
import { formatKey, keyOf } from '../../../engine/kube/key.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { SyncContext } from '../../context/sync-context.js'
import { changedFields } from './changed-fields.js'
import { FieldExchange, type FieldMove } from './field-exchange.js'

/** A copy as it is, and the wanted copy. */
export interface WantedCopy {
  readonly copy: KubeObject | undefined
  readonly wanted: KubeObject
}

/** An original, its copy, and the fields to copy from one to the other. */
export interface FieldMoves {
  readonly virtual: KubeObject
  readonly host: KubeObject
  readonly moves: readonly FieldMove[]
}

/**
 * Detects two conflicts with other programs: a program of the host sets fields of a copy back each time, although the
 * original has not changed; or programs of both clusters undo each other's changes of a field that is synced in both
 * directions. Such fields are written more and more rarely, and an Event names them. A translator has one CopyContest;
 * it asks before each write of a copy, and records each write.
 */
export class CopyContest {
  readonly #resource: Resource
  readonly #contested: ContestedFields
  readonly #exchange: FieldExchange
  /** The resourceVersions of copies after their last write, by their originals. */
  readonly #written = new WeakMap<KubeObject, string | undefined>()

  constructor(resource: Resource, clock: Pick<Clock, 'now'>) {
    this.#resource = resource
    this.#contested = new ContestedFields(clock)
    this.#exchange = new FieldExchange(clock)
  }

  /** Records the copy after a write. */
  recordWrite(ctx: SyncContext, copy: KubeObject | undefined): void {
    const original = this.#originalOf(ctx)
    if (original) this.#written.set(original, copy?.metadata.resourceVersion)
  }

  /** Returns when to run again if the copy must not be written now; else undefined. */
  pause(ctx: SyncContext, { copy, wanted }: WantedCopy): ReconcileResult | undefined {
    const original = this.#originalOf(ctx)
    const written = original && this.#written.get(original)
    if (!copy || !original || written === undefined || written === copy.metadata.resourceVersion)
      return undefined
    const id = formatKey(keyOf(copy))
    const fields = changedFields(copy, wanted)
    return this.#pauseOf(ctx, { original, id, fields, message: resetMessage(id, fields) })
  }

  /** Returns when to run again if the fields must not be moved now; else records the moves, and returns undefined. */
  pauseExchange(ctx: SyncContext, { virtual, host, moves }: FieldMoves): ReconcileResult | undefined {
    const id = formatKey(keyOf(host))
    const fields = this.#exchange.fieldsSetBack(id, moves)
    const message = exchangeMessage({ id, original: formatKey(keyOf(virtual)), fields })
    const paused = this.#pauseOf(ctx, { original: virtual, id, fields, message })
    if (!paused) this.#exchange.recordMoves(id, moves)
    return paused
  }

  /** Returns the time until the fields may be written; undefined if they may be now. Writes the Event once. */
  #pauseOf(ctx: SyncContext, { original, id, fields, message }: Contested): ReconcileResult | undefined {
    if (fields.length === 0 || this.#contested.mayRepair(id, fields)) return undefined
    if (!this.#contested.hasMessage(id)) {
      this.#contested.recordMessage(id, message)
      ctx.logger.warn({ fields: fields.slice(0, maxNamed) }, message)
      ctx.events.warning(original, 'FieldContested', message)
    }
    const contest = this.#contested.find(id)
    return contest && { requeueAfterMs: Math.ceil(contest.resumeMs) }
  }

  #originalOf({ virtual, key }: SyncContext): KubeObject | undefined {
    return virtual.store(this.#resource).get(key)
  }
}

/** Fields that must not be written now. */
interface Contested {
  readonly original: KubeObject
  /** The key of the copy. */
  readonly id: string
  readonly fields: string[]
  readonly message: string
}

/** The maximum number of fields that a message names. */
const maxNamed = 10

/** Lists fields for a message: the first ones, and how many more there are. */
function namesOf(fields: readonly string[]): string {
  const more = fields.length - maxNamed
  return fields.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '')
}

const advice =
  'Let one of them decide: name the field in excludeFields, excludedLabels or excludedAnnotations of the syncer, or change ' +
  'the other program. Until then it is'

const resetMessage = (id: string, fields: readonly string[]) =>
  `another program of the host sets ${namesOf(fields)} of the copy ${id} to a different value each time. ${advice} put ` +
  'right more and more rarely.'

const exchangeMessage = ({
  id,
  original,
  fields,
}: {
  id: string
  original: string
  fields: readonly string[]
}) =>
  `programs of both clusters set ${namesOf(fields)} of ${original} and of its copy ${id} to different values each time. ` +
  `${advice} brought to the other side more and more rarely.`
