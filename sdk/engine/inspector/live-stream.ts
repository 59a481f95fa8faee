import type { ServerResponse } from 'node:http'
import { stringifyJson } from '../kube/json.js'
import type { Clock } from '../time/clock.js'
import { safeHeaders } from './guard.js'
import type { Overview } from './model.js'
import type { RecentRun, WorkHistory } from './work-history.js'

/** The interval of updates, in milliseconds. */
const everyMs = 1000
/** The most pages that get updates. */
const maxListeners = 16
/** The most runs of before it was opened that a page gets. */
const maxEarlier = 300
/** The most bytes that may wait for a page that does not read. */
const maxUnreadBytes = 4 * 1024 * 1024

/** The data of {@link LiveStream}. */
export interface LiveSources {
  /** Why nothing can be sent now, in a sentence; undefined if something can. */
  readonly unavailable: string | undefined
  readonly history: Pick<WorkHistory, 'runs' | 'runsSince'>
  overview(): Promise<Overview | undefined>
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
  readonly #sources: LiveSources
  readonly #clock: Clock
  readonly #listeners = new Set<Listener>()
  #cancel = () => {}
  /** Whether a report to all pages is under way, which can take longer than the interval. */
  #isReporting = false

  constructor(sources: LiveSources, clock: Clock) {
    this.#sources = sources
    this.#clock = clock
  }

  /** Answers a request with the stream. Returns whether there was room for it. */
  open(response: ServerResponse): boolean {
    if (this.#listeners.size >= maxListeners) return false
    const { history } = this.#sources
    // A page that is opened later shows the runs of before, too.
    const listener = { response, runs: Math.max(0, history.runs - maxEarlier) }
    this.#listeners.add(listener)
    response.once('close', () => this.#close(listener))
    response.writeHead(200, { ...safeHeaders, 'content-type': 'text/event-stream; charset=utf-8' })
    response.write('retry: 1000\n\n')
    if (this.#listeners.size === 1) this.#schedule()
    void this.#report([listener])
    return true
  }

  #close(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size === 0) this.#cancel()
  }

  #schedule(): void {
    this.#cancel = this.#clock.schedule(everyMs, () => {
      this.#schedule()
      if (!this.#isReporting) void this.#reportToAll()
    })
  }

  async #reportToAll(): Promise<void> {
    this.#isReporting = true
    await this.#report([...this.#listeners])
    this.#isReporting = false
  }

  /** Never rejects: pages that get nothing now get the next overview. */
  async #report(listeners: readonly Listener[]): Promise<void> {
    try {
      const overview = await this.#sources.overview()
      if (overview) this.#send(overview, listeners)
    } catch {
      // The error may quote an object.
    }
  }

  #send(overview: Overview, listeners: readonly Listener[]): void {
    const { history } = this.#sources
    const text = eventText('overview', overview)
    for (const listener of listeners) {
      const { response, runs } = listener
      if (response.writableLength > maxUnreadBytes) response.destroy()
      if (response.destroyed) continue
      const ended: readonly RecentRun[] = history.runsSince(runs)
      listener.runs = history.runs
      response.write(ended.length > 0 ? text + eventText('runs', ended) : text)
    }
  }
}

/** JSON has no line ends of its own. */
const eventText = (name: string, data: unknown) => `event: ${name}\ndata: ${stringifyJson(data)}\n\n`
