import { type Observable, Subject } from 'rxjs'
import type { Key } from '../kube/key.js'
import type { KeyAssignment } from '../queue/key-assignment.js'
import { shardOf } from './shard-of.js'

/** Options of {@link ShardAssignment}. */
export interface ShardAssignmentOptions {
  /** How many shards there are. */
  count: number
  /** The monotonic time after which the work of a shard must not write; see {@link Leadership.deadline}. */
  deadline: (shard: number) => number
  /** The last known holder of a shard's Lease; `''` if it has none. */
  holder: (shard: number) => string
  /** Called when the last run of a shard that is no longer served ends. */
  onQuiet: () => void
}

/** The shards of this process: their keys, their runs, and the deadline of their writes. */
export class ShardAssignment implements KeyAssignment {
  readonly #options: ShardAssignmentOptions
  readonly #held = new Set<number>()
  readonly #running: number[]
  readonly #gained$ = new Subject<(key: Key) => boolean>()
  readonly #first$ = new Subject<void>()

  constructor(options: ShardAssignmentOptions) {
    this.#options = options
    this.#running = Array.from({ length: options.count }, () => 0)
  }

  get gained$(): Observable<(key: Key) => boolean> {
    return this.#gained$
  }

  /** The number of shards of all replicas. */
  get count(): number {
    return this.#options.count
  }

  /** The shards that are served now, in order. */
  get shards(): readonly number[] {
    return [...this.#held].sort((a, b) => a - b)
  }

  readonly holds = (key: Key): boolean => this.#held.has(shardOf(key, this.count))

  async run<T>(key: Key, work: (deadline: () => number) => Promise<T>): Promise<T> {
    const shard = shardOf(key, this.count)
    this.#count(shard, 1)
    try {
      return await work(() => this.deadline(shard))
    } finally {
      this.#count(shard, -1)
      if (this.isQuiet(shard) && !this.#held.has(shard)) this.#options.onQuiet()
    }
  }

  /** The monotonic time until which the work of a shard may write. */
  deadline(shard: number): number {
    return this.#options.deadline(shard)
  }

  /** The last known holder of a shard's Lease; `''` if it has none. */
  holder(shard: number): string {
    return this.#options.holder(shard)
  }

  /**
   * The latest deadline of all shards. It is the deadline of work that each replica does for itself, such as `init`.
   */
  readonly latestDeadline = (): number => {
    return Math.max(...this.#running.map((_, shard) => this.deadline(shard)))
  }

  /** Resolves when shard 0 is served. Work that is not tied to a key waits for this. */
  async whenFirst(): Promise<void> {
    if (this.#held.has(0)) return
    await new Promise<void>((resolve) => this.#first$.subscribe(resolve))
  }

  /** Begins to serve a shard. */
  gain(shard: number): void {
    this.#held.add(shard)
    if (shard === 0) this.#first$.next()
    this.#gained$.next((key) => shardOf(key, this.count) === shard)
  }

  /** Begins no further run in a shard; runs in progress continue. */
  leave(shard: number): void {
    this.#held.delete(shard)
  }

  /** Whether a shard has no run in progress. */
  isQuiet(shard: number): boolean {
    return this.#running[shard] === 0
  }

  #count(shard: number, by: number): void {
    this.#running[shard] = (this.#running[shard] ?? 0) + by
  }
}
