/**
 * Detects that a cluster was restored from a backup, or that another cluster answers in its place, and makes every
 * watch of it list again.
 *
 * A kube-apiserver does not report a restore to a watch. A watch from a revision that the restored cluster has not
 * reached gets neither events nor bookmarks. Once the cluster reaches that revision, the watch goes on as if nothing
 * had happened. So the detector asks the API server whether it still has the last change that was seen: once a minute,
 * and before a watch resumes that did not end by its own time limit; all watches share one question. A watch resumes
 * from a revision up to which both histories are known to be the same. docs/adr/0025-restored-clusters.md has the
 * reasons and the costs.
 */

import { type Logger, silentLogger } from '../observe/logger.js'
import { orAborted } from '../time/cancellation.js'
import { type Clock, systemClock } from '../time/clock.js'
import type { Transport } from '../transport/transport.js'
import type { HistoryAnswer } from './ask-history.js'
import { RevisionHistory } from './revision-history.js'
import { revisionSpace } from './revision-space.js'
import type { WatchScope } from './watch-scope.js'
import { WatchedHistory } from './watched-history.js'

/** Options of {@link RestoreDetector}. */
export interface RestoreDetectorOptions {
  transport: Transport
  /** The name of the cluster, for logs: `virtual` or `host`; default none. */
  cluster?: string
  /** Default silent. */
  logger?: Logger
  /** Default the machine's clock. */
  clock?: Clock
  /** The interval at which the API server is asked while nothing happens, in milliseconds; default 60,000. */
  intervalMs?: number
}

/** One space of revisions (see {@link revisionSpace}) with the watches that share it. */
interface Space {
  readonly history: RevisionHistory
  readonly watches: Set<WatchedHistory>
  asking: Promise<void> | undefined
}

/** Detects restores of one cluster; the comment at the start of this file explains how. */
export class RestoreDetector {
  readonly #transport: Transport
  readonly #cluster: string
  readonly #logger: Logger
  readonly #clock: Clock
  readonly #intervalMs: number
  readonly #spaces = new Map<string, Space>()
  #cancelRound = () => {}
  #stop = new AbortController()
  /** The number of questions so far, which chooses the space to ask about next. */
  #questionCount = 0
  /** The last restore that a warning was logged for, and the spaces that have detected it. */
  #restore: { atMs: number; spaces: Set<Space> } | undefined

  constructor(options: RestoreDetectorOptions) {
    const {
      transport,
      cluster = '',
      logger = silentLogger,
      clock = systemClock,
      intervalMs = 60_000,
    } = options
    this.#transport = transport
    this.#cluster = cluster
    this.#logger = logger
    this.#clock = clock
    this.#intervalMs = intervalMs
  }

  /** Adds a watch; `restart` is called when it must list again at once. */
  join(scope: WatchScope, restart: () => void): WatchedHistory {
    const space = this.#getOrAddSpace(revisionSpace(scope.resource))
    const watched = new WatchedHistory({
      scope,
      restart,
      history: space.history,
      clock: this.#clock,
      settle: (signal) => this.#settle(space, signal),
      onSetBack: (revision) => this.#handleRestore(space, revision),
      onLeave: () => this.#leave(space, watched),
    })
    if (this.#isIdle) this.#begin()
    space.watches.add(watched)
    return watched
  }

  get #isIdle(): boolean {
    return [...this.#spaces.values()].every(({ watches }) => watches.size === 0)
  }

  #getOrAddSpace(name: string): Space {
    const existing = this.#spaces.get(name)
    if (existing) return existing
    const space: Space = { history: new RevisionHistory(), watches: new Set(), asking: undefined }
    this.#spaces.set(name, space)
    return space
  }

  /** Begins the regular questions, for the first watch. */
  #begin(): void {
    this.#stop = new AbortController()
    this.#cancelRound = this.#clock.schedule(this.#intervalMs, () => this.#askNextSpace())
  }

  #leave(space: Space, watched: WatchedHistory): void {
    space.watches.delete(watched)
    if (!this.#isIdle) return
    this.#cancelRound()
    this.#stop.abort(new Error('no watch is left'))
  }

  /** Asks about one space in turn, so that a cluster is asked once a minute however many spaces there are. */
  #askNextSpace(): void {
    this.#cancelRound = this.#clock.schedule(this.#intervalMs, () => this.#askNextSpace())
    const spaces = [...this.#spaces.values()].filter(({ watches }) => watches.size > 0)
    const space = spaces[this.#questionCount++ % spaces.length]
    if (space === undefined || space.asking || space.history.isInDoubt) return
    this.#ask(space, { brief: true }).catch((error: unknown) =>
      this.#logger.debug(
        { error },
        'the API server was not asked whether the cluster was restored; trying again',
      ),
    )
  }

  /** Resolves when the API server has answered since the last doubt. All waiting callers share one question. */
  async #settle(space: Space, signal: AbortSignal): Promise<void> {
    while (space.history.isInDoubt) {
      space.asking ??= this.#ask(space, {}).finally(() => {
        space.asking = undefined
      })
      await orAborted(space.asking, signal)
    }
  }

  /** Asks the API server about a space, and handles a restore. */
  async #ask(space: Space, askOptions: { brief?: boolean }): Promise<void> {
    const options = {
      ...askOptions,
      transport: this.#transport,
      clock: this.#clock,
      signal: this.#stop.signal,
    }
    const answer: HistoryAnswer | undefined = await space.history.ask(options)
    if (answer?.history === 'restored') this.#handleRestore(space, answer.revision)
  }

  /** Forgets the history of the space, and makes all its watches list again. */
  #handleRestore(space: Space, revision: string | undefined): void {
    const { history, watches } = space
    const { latest } = history
    history.forget()
    this.#warn(space, { revision, latest })
    for (const watched of watches) watched.restart()
  }

  /** Each space detects a restore by itself; one warning is logged for all. */
  #warn(space: Space, fields: { revision: string | undefined; latest: string | undefined }): void {
    const nowMs = this.#clock.now()
    const lastRestore = this.#restore
    const isNew = !lastRestore || lastRestore.spaces.has(space) || nowMs - lastRestore.atMs > this.#intervalMs
    if (isNew) this.#restore = { atMs: nowMs, spaces: new Set([space]) }
    else lastRestore.spaces.add(space)
    const clusterText = this.#cluster === '' ? 'the cluster' : `the ${this.#cluster} cluster`
    this.#logger[isNew ? 'warn' : 'info'](
      { cluster: this.#cluster, ...fields },
      `${clusterText} was restored from a backup or replaced by another: listing all its kinds again`,
    )
  }
}
