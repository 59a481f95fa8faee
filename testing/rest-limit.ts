import type { Observable, Subscription } from 'rxjs'
import type { RunEnd } from '../sdk/controller/run-end.js'
import { PluginError } from '../sdk/kube/error.js'
import { formatKey } from '../sdk/kube/key.js'
import { systemClock } from '../sdk/time/clock.js'

/** How a run of a syncer went. */
export interface SyncerRun extends RunEnd {
  readonly syncer: string
}

/** A key that is due again within this time, in milliseconds, counts as work under way. */
const soonMs = 1000
/** So often in a row may a key ask to run again soon while no object changes. */
const mostRequeues = 8
/** So often may one key run in all, objects changing or not. */
const mostRuns = 2000
/** So long may no object change, in milliseconds of the machine's clock. */
const mostQuietMs = 60_000

interface KeyRuns {
  runs: number
  /** In a row, since an object changed last. */
  requeues: number
  last: SyncerRun
}

/** Ends the wait for a plugin that never comes to rest, with an error that names the syncer, the key and the result. */
export class RestLimit {
  readonly #keys = new Map<string, KeyRuns>()
  readonly #runs: Subscription
  #last: SyncerRun | undefined
  #changedMs = systemClock.now()

  constructor(runs$: Observable<SyncerRun>) {
    this.#runs = runs$.subscribe((run) => this.#ran(run))
  }

  /** An object of either cluster changed. */
  changed(): void {
    this.#changedMs = systemClock.now()
    for (const key of this.#keys.values()) key.requeues = 0
  }

  /** Throws `PluginError` `NOT_SETTLED` for a plugin that does not come to rest. */
  check(): void {
    for (const { runs, requeues, last } of this.#keys.values()) {
      if (requeues >= mostRequeues) throw requeuedAgain(last)
      if (runs >= mostRuns)
        throw noRest(`${runOf(last)} ran ${runs} times. Does it undo what another writes?`)
    }
    if (systemClock.now() - this.#changedMs < mostQuietMs) return
    const last = this.#last ? `the last run was of ${runOf(this.#last)}` : 'no run has ended'
    throw noRest(
      `no object changed for ${mostQuietMs / 1000} s, and ${last}. Is there a run that never ends?`,
    )
  }

  end(): void {
    this.#runs.unsubscribe()
  }

  #ran(run: SyncerRun): void {
    const id = `${run.syncer} ${formatKey(run.key)}`
    const { runs = 0, requeues = 0 } = this.#keys.get(id) ?? {}
    const isRequeue = run.result === 'requeue_after' && (run.nextInMs ?? 0) <= soonMs
    this.#keys.set(id, { runs: runs + 1, requeues: isRequeue ? requeues + 1 : 0, last: run })
    this.#last = run
  }
}

function requeuedAgain(last: SyncerRun): PluginError {
  return noRest(
    `${runOf(last)} asked to run again ${mostRequeues} times in a row, while no object changed. ` +
      'Return nothing to wait for a change, or a requeueAfterMs above 1000, which counts as rest.',
  )
}

function runOf({ syncer, key, result, nextInMs }: SyncerRun): string {
  const next = nextInMs === undefined ? '' : `, next run in ${Math.round(nextInMs)} ms`
  return `syncer ${syncer}, key ${formatKey(key)} (result ${result}${next})`
}

function noRest(why: string): PluginError {
  return new PluginError('NOT_SETTLED', `the plugin does not come to rest: ${why}`)
}
