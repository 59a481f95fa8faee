import { createEventRecorder } from '../client/event-recorder.js'
import type { RunEnd } from '../controller/run-end.js'
import { type RunningSyncer, runSyncer } from '../controller/run-syncer.js'
import { StrayRejections } from '../controller/stray-rejections.js'
import type { Inspector } from '../inspector/inspector.js'
import type { ShardShare } from '../leader/shard-share.js'
import type { Logger } from '../observe/logger.js'
import type { House } from '../plugin/wire.js'
import type { Reconciler } from '../syncer/reconciler.js'
import { type Clock, sleep } from '../time/clock.js'

/** Options of {@link AtWork}. */
export interface AtWorkOptions {
  logger: Logger
  clock: Clock
  /** Closes the intake. */
  stop: AbortSignal
  /** Aborts what is under way. */
  abort: AbortSignal
  /** Is told how each run ended; default nobody. */
  inspector: Inspector | undefined
  /** Is told that a run has ended, and how. */
  onRun: (syncer: string, end: RunEnd) => void
}

/** The syncers of a plugin that are at work. */
export class AtWork {
  readonly #options: AtWorkOptions
  /** Undefined until rejections are contained: to know where each comes from makes every promise slower. */
  #strays: StrayRejections | undefined
  readonly #syncers: RunningSyncer[] = []

  constructor(options: AtWorkOptions) {
    this.#options = options
  }

  get syncers(): readonly RunningSyncer[] {
    return this.#syncers
  }

  /** Keeps rejections that a run did not wait for from ending the process. */
  containStrays(): void {
    this.#strays = new StrayRejections()
    this.#strays.contain(this.#options.abort)
  }

  /** Puts a syncer to work; where the work is shared, on the keys of our shards. */
  begin(syncer: Reconciler, { ctx, virtual }: House, share?: ShardShare): void {
    const { inspector, logger, clock, stop, abort, onRun } = this.#options
    const component = `${syncer.name}-syncer`
    const events = createEventRecorder({ client: virtual.client, component, clock, logger })
    const record = inspector?.recorder.attend(syncer, ctx, stop)
    const onRunEnd = (end: RunEnd) => {
      record?.(end)
      onRun(syncer.name, end)
    }
    const running = runSyncer(syncer, {
      ctx,
      events,
      stop,
      abort,
      ...(this.#strays && { strays: this.#strays }),
      onRunEnd,
      ...(share && { share }),
    })
    this.#syncers.push(running)
  }

  /** Whether no key is queued or under way. */
  isIdle(): boolean {
    return this.#syncers.every((syncer) => syncer.isIdle())
  }

  /** Looks at every key again. */
  ringAll(): void {
    for (const syncer of this.#syncers) syncer.ringAll()
  }

  /** Resolves when all have ended, and after `deadlineMs` milliseconds at the latest. */
  async end(deadlineMs: number): Promise<void> {
    const waiting = new AbortController()
    const ended = Promise.all(this.#syncers.map((syncer) => syncer.ended)).finally(() => waiting.abort())
    await Promise.race([ended, sleep(this.#options.clock, deadlineMs, waiting.signal).catch(() => {})])
  }
}
