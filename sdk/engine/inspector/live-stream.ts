import type { ServerResponse } from 'node:http'
import { stringifyJson } from '../kube/json.js'
import type { Clock } from '../time/clock.js'
import { safeHeaders } from './guard.js'
import type { Overview } from './model.js'
import type { Recorder } from './recorder.js'

/** The interval of updates, in milliseconds. */
const everyMs = 1000
/** The most pages that get updates. */
const maxListeners = 16
/** The most bytes that may wait for a page that does not read. */
const maxUnreadBytes = 4 * 1024 * 1024

/** Options of {@link LiveStream}. */
export interface LiveStreamOptions {
  clock: Clock
  recorder: Recorder
  overview: () => Promise<Overview | undefined>
}

interface Listener {
  readonly response: ServerResponse
  /** The number of runs that were sent to it. */
  runs: number
}

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): `overview` with the plugin at a
 * glance, and `runs` with the keys whose runs ended since the last one. Nothing is done without listeners.
 */
export class LiveStream {
  readonly #options: LiveStreamOptions
  readonly #listeners = new Set<Listener>()
  #cancel = () => {}

  constructor(options: LiveStreamOptions) {
    this.#options = options
  }

  /** Answers a request with the stream. Returns whether there was room for it. */
  open(response: ServerResponse): boolean {
    if (this.#listeners.size >= maxListeners) return false
    const listener = { response, runs: this.#options.recorder.runs }
    this.#listeners.add(listener)
    response.once('close', () => this.#close(listener))
    response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream; charset=utf-8' })
    response.write('retry: 1000\n\n')
    if (this.#listeners.size === 1) this.#schedule()
    void this.#tell([listener])
    return true
  }

  #close(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#cancel()
  }

  #schedule(): void {
    this.#cancel = this.#options.clock.schedule(everyMs, () => {
      this.#schedule()
      void this.#tell([...this.#listeners])
    })
  }

  async #tell(listeners: readonly Listener[]): Promise<void> {
    const overview = await this.#options.overview()
    if (!overview) return
    const { recorder } = this.#options
    const text = eventText('overview', overview)
    for (const listener of listeners) {
      const { response, runs } = listener
      if (response.writableLength > maxUnreadBytes) response.destroy()
      if (response.destroyed) continue
      const ended = recorder.runsSince(runs)
      listener.runs = recorder.runs
      response.write(ended.length > 0 ? text + eventText('runs', ended) : text)
    }
  }
}

/** JSON has no line ends of its own. */
const eventText = (name: string, data: unknown) => `event: ${name}\ndata: ${stringifyJson(data)}\n\n`
