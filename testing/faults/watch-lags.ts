import { WatchLag } from './watch-lag.js'

/** The lags of all watches of a run: of each cluster, and of each kind in it. */
export class WatchLags {
  readonly #lags = new Map<string, WatchLag>()
  readonly #kinds = new Set<string>()
  #wereBroken = false

  constructor(clusters: Iterable<string>) {
    for (const cluster of clusters) this.#lags.set(cluster, new WatchLag())
  }

  /** The kinds that were watched, for example `main/deployments`, in the order of their first watch. */
  get kinds(): readonly string[] {
    return [...this.#kinds]
  }

  /** Whether events of any watch are withheld. */
  get areWithheld(): boolean {
    return [...this.#lags.values()].some(({ mode }) => mode === 'hold')
  }

  /** The lag of a cluster, `host`, or of a kind in it, `main/deployments`. Throws for an unknown cluster. */
  at(scope: string): WatchLag {
    const existing = this.#lags.get(scope)
    if (existing) return existing
    const [cluster = ''] = scope.split('/')
    if (cluster === scope || !this.#lags.has(cluster)) {
      const clusters = [...this.#lags.keys()].filter((name) => !name.includes('/'))
      throw new Error(`there is no cluster ${cluster} to lag; there are ${clusters.join(', ')}`)
    }
    const lag = new WatchLag()
    this.#lags.set(scope, lag)
    return lag
  }

  /** Delivers the withheld events of all watches. */
  releaseAll(): void {
    for (const lag of this.#lags.values()) lag.release()
  }

  /** Stops repeating the events of any watch. */
  stopRepeating(): void {
    for (const lag of this.#lags.values()) lag.stopRepeating()
  }

  /** Breaks the connections of all watches. */
  breakAll(): void {
    this.#wereBroken = true
    for (const lag of this.#lags.values()) lag.break()
  }

  /** Whether all watches were broken since the last call. */
  takeBroken(): boolean {
    const wereBroken = this.#wereBroken
    this.#wereBroken = false
    return wereBroken
  }

  /** Passes on the chunks of one watch, by the lags of its cluster and of its kind. */
  pass(cluster: string, plural: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const scope = `${cluster}/${plural}`
    this.#kinds.add(scope)
    return this.at(cluster).pass(this.at(scope).pass(chunks))
  }
}
