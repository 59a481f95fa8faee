import type { Transport } from '../../sdk/engine/transport/transport.js'

/** A Backup in an event of a watch. */
interface ObservedBackup {
  readonly metadata: { readonly name: string }
  readonly status?: { readonly observedGeneration?: number }
}

/** Knows from its own watch which generation of each object the operator has handled, and when. */
export class Observer {
  readonly #transport: Transport
  readonly #path: string
  readonly #ended = new AbortController()
  readonly #handled = new Map<string, number>()
  readonly #waiting = new Map<string, (() => boolean)[]>()
  #wanted: { count: number; resolve: (atMs: number) => void } | undefined

  constructor(transport: Transport, path: string) {
    this.#transport = transport
    this.#path = path
  }

  /** Begins to watch. */
  start(): void {
    void this.#watch().catch((error: unknown) => {
      if (!this.#ended.signal.aborted) throw error
    })
  }

  stop(): void {
    this.#ended.abort()
  }

  /** The time, by `performance.now()`, at which so many objects have been handled. */
  whenHandled(count: number): Promise<number> {
    return new Promise((resolve) => {
      this.#wanted = { count, resolve }
    })
  }

  /** The time, by `performance.now()`, at which a generation of an object, or a later one, has been handled. */
  whenGeneration(name: string, generation: number): Promise<number> {
    return new Promise((resolve) => {
      const isHandled = () => {
        if ((this.#handled.get(name) ?? 0) < generation) return false
        resolve(performance.now())
        return true
      }
      if (!isHandled()) this.#waiting.set(name, [...(this.#waiting.get(name) ?? []), isHandled])
    })
  }

  async #watch(): Promise<void> {
    const { chunks } = await this.#transport.stream({
      method: 'GET',
      path: `${this.#path}?watch=1&resourceVersion=0`,
      signal: this.#ended.signal,
    })
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#take((JSON.parse(line) as { object: ObservedBackup }).object)
    }
  }

  #take({ metadata: { name }, status }: ObservedBackup): void {
    const generation = status?.observedGeneration
    if (generation === undefined) return
    this.#handled.set(name, generation)
    const waiting = (this.#waiting.get(name) ?? []).filter((isHandled) => !isHandled())
    this.#waiting.set(name, waiting)
    if (this.#handled.size === this.#wanted?.count) this.#wanted.resolve(performance.now())
  }
}
