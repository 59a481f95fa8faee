import type { Observable, Subscription } from 'rxjs'
import type { RunEnd } from '../../sdk/engine/controller/run-end.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { formatKey } from '../../sdk/engine/kube/key.js'
import { systemClock } from '../../sdk/engine/time/clock.js'

/** The result of one reconcile. */
export interface SyncerRun extends RunEnd {
  readonly syncer: string
}

/** A requeue within this time counts as pending work, in milliseconds. A later one counts as settled. */
const earlyRequeueMs = 1000
/** The maximum number of early requeues of one key in a row while no object changes. */
const maxRequeues = 8
/** The maximum number of reconciles of one key. */
const maxRuns = 2000
/** The maximum time without a change of an object, in milliseconds of real time. */
const maxQuietMs = 60_000

/** The reconciles of one key. */
interface KeyRuns {
  runs: number
  /** The early requeues in a row since the last change of an object. */
  requeues: number
  /** The early requeues in a row, also across changes of objects. */
  requeuesInARow: number
  last: SyncerRun
}

/** The kind of program that must settle. */
export type SettlingProgram = 'plugin' | 'operator'

/** Detects a program that never settles and reports the syncer or controller, the key and what to do. */
export class SettleLimits {
  readonly #program: SettlingProgram
  readonly #keys = new Map<string, KeyRuns>()
  readonly #runs: Subscription
  #last: SyncerRun | undefined
  #changedMs = systemClock.now()

  constructor(runs$: Observable<SyncerRun>, program: SettlingProgram = 'plugin') {
    this.#program = program
    this.#runs = runs$.subscribe((run) => this.#record(run))
  }

  /** Notes that an object of either cluster changed. */
  recordChange(): void {
    this.#changedMs = systemClock.now()
    for (const key of this.#keys.values()) key.requeues = 0
  }

  /** Throws `PluginError` `NOT_SETTLED` if the program has exceeded a limit. */
  check(): void {
    for (const { runs, requeues, last } of this.#keys.values()) {
      if (requeues >= maxRequeues) throw this.#error(requeuedTooOften, last, requeues)
      if (runs >= maxRuns) throw this.#error(ranTooOften, last, runs)
    }
    if (systemClock.now() - this.#changedMs >= maxQuietMs) throw this.#error(stillBusy, this.#last)
  }

  /**
   * Throws `PluginError` `NOT_SETTLED` if no object changes any more and a key is still requeued early. Such a key
   * waits longer each time, so that the program seems to be idle.
   */
  checkIdle(): void {
    for (const { requeuesInARow, last } of this.#keys.values()) {
      if (last.isSoon) throw this.#error(requeuedTooOften, last, requeuesInARow)
    }
  }

  end(): void {
    this.#runs.unsubscribe()
  }

  #error(why: (unsettled: UnsettledRun) => string, last: SyncerRun | undefined, times = 0): PluginError {
    const program = this.#program
    return new PluginError('NOT_SETTLED', `the ${program} does not settle: ${why({ program, last, times })}`)
  }

  #record(run: SyncerRun): void {
    const id = `${run.syncer} ${formatKey(run.key)}`
    const { runs = 0, requeues = 0, requeuesInARow = 0 } = this.#keys.get(id) ?? {}
    const isRequeue = run.result === 'requeue_after' && (run.isSoon || (run.nextInMs ?? 0) <= earlyRequeueMs)
    const counts = isRequeue
      ? { requeues: requeues + 1, requeuesInARow: requeuesInARow + 1 }
      : { requeues: 0, requeuesInARow: 0 }
    this.#keys.set(id, { runs: runs + 1, ...counts, last: run })
    this.#last = run
  }
}

interface UnsettledRun {
  readonly program: SettlingProgram
  /** The last run of the key, or of the program; undefined if none has ended. */
  readonly last: SyncerRun | undefined
  readonly times: number
}

function requeuedTooOften({ program, last, times }: UnsettledRun): string {
  const change =
    program === 'operator'
      ? 'If it waits for a workload, call setReady, or pass runWorkloads.'
      : 'If it waits for a change that the test makes, make the change first.'
  return (
    `${writerOf(last, program)} asked ${times} times in a row to run again soon for ${keyOf(last)}, the last time in ` +
    `${Math.round(last?.nextInMs ?? 0)} ms, and no object changes. If it waits for an object, return nothing: a change of the ` +
    `object runs it again. If it has to look again after a time, return a requeueAfterMs above ${earlyRequeueMs}, for ` +
    `which a test does not wait. ${change}`
  )
}

function ranTooOften({ program, last, times }: UnsettledRun): string {
  return (
    `${writerOf(last, program)} ran ${times} times for ${keyOf(last)}, and objects go on changing. Look for two writers of one ` +
    'field, and for a value that is new in each run, such as a time.'
  )
}

function stillBusy({ program, last }: UnsettledRun): string {
  const lastRun = last
    ? `the last run that ended was that of ${writerOf(last, program)} for ${keyOf(last)}`
    : 'no run has ended'
  return (
    `no object changed for ${maxQuietMs / 1000} s, and ${lastRun}. Look for a run that never returns: pass ctx.signal to ` +
    'calls that wait, and check that each promise that it awaits is resolved.'
  )
}

const writerOf = (last: SyncerRun | undefined, program: SettlingProgram): string =>
  `${program === 'plugin' ? 'syncer' : 'controller'} ${last?.syncer}`

const keyOf = (last: SyncerRun | undefined): string => (last ? formatKey(last.key) : 'an object')
