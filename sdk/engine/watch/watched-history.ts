import type { ObjectMeta } from '../kube/object.js'
import { isEarlier } from '../kube/resource-version.js'
import type { Clock } from '../time/clock.js'
import type { RevisionHistory } from './revision-history.js'
import type { WatchScope } from './watch-scope.js'
import { witnessOf } from './witness.js'

/** The minimum time that a restore takes until the API server is up again, in milliseconds. */
const minRestoreMs = 1000

/** Options of {@link WatchedHistory}. */
export interface WatchedHistoryOptions {
  scope: WatchScope
  history: RevisionHistory
  clock: Clock
  /** Called when the watch must list again at once. */
  restart: () => void
  /** Resolves when the API server has answered after the last doubt. */
  settle: (signal: AbortSignal) => Promise<void>
  /** Called when the cluster's revision is lower than an earlier one. */
  onSetBack: (revision: string) => void
  onLeave: () => void
}

/** How a watch can go on: from a revision, or with a list for one of two reasons. */
export type Continuation =
  | { readonly from: string | undefined }
  /** The cluster was restored, or the API server cannot tell whether it was. */
  | { readonly list: 'restored' | 'expired' }

/**
 * The part of one watch in the history of its cluster: it adds changes, and decides from where the watch may resume.
 */
export class WatchedHistory {
  readonly #options: WatchedHistoryOptions
  #epoch: number
  /** When and how the watch ended, if the cluster may have changed since. */
  #ended: { atMs: number; cleanly: boolean } | undefined

  constructor(options: WatchedHistoryOptions) {
    this.#options = options
    this.#epoch = options.history.epoch
  }

  /** Records that a list begins, which shows the cluster's present state. */
  recordListStart(): void {
    this.#epoch = this.#options.history.epoch
    this.#ended = undefined
  }

  /** Records that an object was listed, changed or deleted. */
  recordChange(metadata: ObjectMeta, deleted: boolean): void {
    const { scope, history } = this.#options
    if (!this.#isCurrent || !history.isNewer(metadata.resourceVersion)) return
    const witness = witnessOf(scope, metadata, deleted)
    if (witness) history.recordChange(witness)
  }

  /** Records the revision of a list or bookmark. */
  recordRevision(resourceVersion: string): void {
    const { scope, history } = this.#options
    if (this.#isCurrent && resourceVersion !== '')
      history.recordRevision(scope.resource, scope.namespace, resourceVersion)
  }

  /** Reports that a list has a lower revision than an earlier list. */
  reportSetBack(revision: string): void {
    if (this.#isCurrent) this.#options.onSetBack(revision)
  }

  /**
   * Records that the watch, or a try to open it, ended for a reason other than its time limit; `cleanly` if the API
   * server ended it in order.
   */
  recordEnd(cleanly: boolean): void {
    this.#ended = { atMs: this.#options.clock.now(), cleanly }
    this.#options.history.doubt()
  }

  /** How a watch continues from a revision; rejects if the API server does not answer. */
  async continuation(from: string | undefined, signal: AbortSignal): Promise<Continuation> {
    const { history, settle } = this.#options
    await settle(signal)
    if (!this.#isCurrent) return { list: 'restored' }
    if (from === undefined || this.#ended === undefined || this.#hasJustEnded(from)) return { from }
    if (history.verified === undefined) return { list: 'expired' }
    return { from: isEarlier(history.verified, from) ? history.verified : from }
  }

  /** Called when the watch must list again at once. */
  restart(): void {
    this.#options.restart()
  }

  leave(): void {
    this.#options.onLeave()
  }

  /** Whether the cluster still has the history that this watch has listed. */
  get #isCurrent(): boolean {
    return this.#epoch === this.#options.history.epoch
  }

  /** Whether the watch ended in order so recently that no restore can have happened since. */
  #hasJustEnded(from: string): boolean {
    const { clock, history } = this.#options
    if (!this.#ended?.cleanly || history.revision === undefined) return false
    return clock.now() - this.#ended.atMs <= minRestoreMs && !isEarlier(history.revision, from)
  }
}
