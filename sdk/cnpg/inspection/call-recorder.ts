import { LagWindows } from '../../engine/inspector/lag-windows.js'
import { LatestErrors } from '../../engine/inspector/latest-errors.js'
import type { CallView } from '../../engine/inspector/model.js'
import type { Key } from '../../engine/kube/key.js'
import type { ErrorReport } from '../../engine/observe/error-report.js'
import type { Clock } from '../../engine/time/clock.js'

/** How many calls are remembered. */
const maxCalls = 50

/** A finished call, without secrets. */
export interface EndedCall extends Omit<CallView, 'atMs'> {
  readonly error?: ErrorReport
}

/** The message about a call to the parent process, which keeps the records. */
export interface CallRecord {
  readonly what: 'call'
  readonly call: EndedCall
}

/** The record of one method. */
export interface MethodRecord {
  /** The durations of its calls. */
  readonly windows: LagWindows
  readonly errors: LatestErrors
  /** The number of calls that refused an object. */
  refused: number
}

/** The object of an error that is not about a Cluster. */
const noObject: Key = { namespace: '', name: '' }

/**
 * Remembers the latest calls of a program that serves methods, in bounded memory. Exists only while the inspector is
 * on.
 */
export class CallRecorder {
  readonly #clock: Clock
  readonly #methods = new Map<string, MethodRecord>()
  readonly #recent: CallView[] = []

  constructor(clock: Clock, methods: readonly string[] = []) {
    this.#clock = clock
    for (const method of methods) this.ensureRecord(method)
  }

  /** The record of a method, made at its first use. */
  ensureRecord(method: string): MethodRecord {
    const record = this.#methods.get(method) ?? {
      windows: new LagWindows(this.#clock),
      errors: new LatestErrors(),
      refused: 0,
    }
    this.#methods.set(method, record)
    return record
  }

  /** The methods that are served, with their records. */
  get methods(): ReadonlyMap<string, MethodRecord> {
    return this.#methods
  }

  /** The latest first. */
  get recent(): readonly CallView[] {
    return [...this.#recent].reverse()
  }

  /** Records a finished call. The runner calls it through `onEnd` of the inspector. */
  add({ error, ...call }: EndedCall): void {
    const atMs = this.#clock.date().getTime()
    this.#recent.push({ atMs, ...call })
    if (this.#recent.length > maxCalls) this.#recent.shift()
    const record = this.ensureRecord(call.method)
    record.windows.add(error !== undefined, call.durationMs)
    if (call.refused.length > 0) record.refused++
    if (error) record.errors.add(error, { key: call.cluster ?? noObject, atMs })
  }
}
