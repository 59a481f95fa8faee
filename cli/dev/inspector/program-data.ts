import { resolve } from 'node:path'
import type { Client } from '../../../sdk/engine/client/client.js'
import type { ControllerExplanation } from '../../../sdk/engine/inspector/controller-explanation.js'
import { eventsOf } from '../../../sdk/engine/inspector/events-of.js'
import type { Explanation } from '../../../sdk/engine/inspector/explanation-view.js'
import { type InspectorData, problem, type Reply } from '../../../sdk/engine/inspector/inspector-pages.js'
import { inspectorPath, type Overview, type ProcessView } from '../../../sdk/engine/inspector/model.js'
import type { RunMessage } from '../../../sdk/engine/inspector/parent-channel.js'
import type { WorkHistory } from '../../../sdk/engine/inspector/work-history.js'
import { parseApiVersion } from '../../../sdk/engine/kube/api-version.js'
import type { Clock } from '../../../sdk/engine/time/clock.js'
import { shellWord } from '../../terminal/shell-word.js'
import { editorAddress } from './editor-address.js'
import type { ProgramRecords } from './program-records.js'

/** A cluster of the program, as `dev` reaches it. */
export interface InspectedCluster {
  readonly name: string
  /** The beginning of a kubectl command for this cluster, such as `kubectl --kubeconfig FILE`. */
  readonly kubectl: string
  readonly client: Client
}

/** Options of {@link ProgramData}. */
export interface ProgramDataOptions {
  readonly records: ProgramRecords
  readonly clock: Clock
  /** The `host:port` at which the program serves its own inspector. */
  readonly programAddress: string
  /** The process of the program that runs now, or ran last. */
  process(): ProcessView
  clusters(): readonly InspectedCluster[]
  /** Asks the process to run a key; returns false if no process is connected. */
  run(message: RunMessage): boolean
}

/** Time limit for an answer of the program, in milliseconds. */
const timeoutMs = 10_000
/** The maximum number of kept answers, which are repeated while the program does not answer. */
const maxKeptAnswers = 100

/** Makes the path of the kubeconfig in a kubectl command absolute, so that the command works in any folder. */
const withAbsolutePath = (kubectl: string) =>
  kubectl.replace(
    /--kubeconfig (?:'([^']*)'|(\S+))/,
    (_, quoted?: string, plain = '') => `--kubeconfig ${shellWord(resolve(quoted ?? plain))}`,
  )

type AnyExplanation = Explanation | ControllerExplanation

/**
 * The inspector's data in `dev`. The current state is read from the program at each request. The runs and processes so
 * far come from `ProgramRecords`, which outlive the process. While the program does not answer, its last answers are
 * repeated, together with the current records.
 */
export class ProgramData implements InspectorData {
  readonly #options: ProgramDataOptions
  readonly #lastAnswers = new Map<string, unknown>()
  /** The requests under way, by name and query. */
  readonly #pending = new Map<string, Promise<Reply>>()
  /** The process that gave the last answer. */
  #answeringProcess: ProcessView | undefined
  readonly unavailable = undefined

  constructor(options: ProgramDataOptions) {
    this.#options = options
  }

  get history(): WorkHistory {
    return this.#options.records.history
  }

  async overview(): Promise<Overview | undefined> {
    const { records, clock, process, clusters } = this.#options
    const askedProcess = process()
    const { data, isLatest } = await this.#ask<Overview>('overview', '')
    if (!data) return undefined
    if (isLatest && data.plugin.isRunning) this.#answeringProcess = askedProcess
    const overview = records.withRecords(data)
    const dev = {
      process: this.#processView(isLatest),
      kubectl: Object.fromEntries(clusters().map(({ name, kubectl }) => [name, withAbsolutePath(kubectl)])),
      ...editorAddress(),
    }
    if (isLatest) return { ...overview, dev }
    const plugin = { ...overview.plugin, isRunning: false }
    return { ...overview, dev, plugin, progress: null, atMs: clock.date().getTime() }
  }

  async read(name: string, query: URLSearchParams): Promise<Reply | undefined> {
    if (name === 'overview') return this.#reply(await this.overview())
    if (name !== 'pairs' && name !== 'why') return undefined
    const { data, reply } = await this.#ask<unknown>(name, query.toString())
    if (data === undefined) return reply ?? this.#reply(undefined)
    if (name === 'pairs') return { status: 200, data }
    return {
      status: 200,
      data: await Promise.all(
        (data as AnyExplanation[]).map((explanation) => this.#withTimeline(explanation)),
      ),
    }
  }

  /** Called by the page's button that runs a key now. Answers 404 for an unknown syncer, 503 without a process. */
  async runAgain(query: URLSearchParams): Promise<Reply> {
    const [syncer, namespace, name] = ['syncer', 'namespace', 'name'].map(
      (parameter) => query.get(parameter) ?? '',
    )
    if (!syncer || !name) return problem(400, 'The request needs the parameters syncer and name.')
    if (!(await this.#mayHaveSyncer(syncer)))
      return problem(404, `The program has no syncer or controller ${syncer}.`)
    const message = { inspector: 'run', syncer, namespace, name } as RunMessage
    if (this.#options.run(message)) return { status: 200, data: {} }
    return problem(503, this.#notRunning)
  }

  /** Whether the program has a syncer or controller with this name; true if the program has not answered yet. */
  async #mayHaveSyncer(syncer: string): Promise<boolean> {
    const { data } = await this.#ask<Overview>('overview', '')
    return !data || [...data.syncers, ...data.controllers].some(({ name }) => name === syncer)
  }

  /** The process with its state: `running` if it answers now, `not answering` if it only answered before. */
  #processView(isAnswering: boolean): ProcessView {
    const current = this.#options.process()
    if (current.state === 'ended' || this.#answeringProcess !== current) return current
    return { ...current, state: isAnswering ? 'running' : 'not answering' }
  }

  get #notRunning(): string {
    const { state, text } = this.#processView(false)
    if (state === 'ended') return `The program does not run: ${text}. The terminal of dev says why.`
    if (state === 'not answering') return `The program does not answer: ${text}. A breakpoint may hold it.`
    return 'The program starts.'
  }

  #reply(data: unknown): Reply {
    return data === undefined ? problem(503, this.#notRunning) : { status: 200, data }
  }

  /**
   * The program's answer, or the last answer to the same request if the program does not answer now. `isLatest` says
   * whether the program answered now; `reply` is an error for the page, such as 404.
   */
  async #ask<T>(
    name: string,
    query: string,
  ): Promise<{ data: T | undefined; isLatest: boolean; reply?: Reply }> {
    const address = `${name}?${query}`
    try {
      const { status, data } = await this.#fetch(address)
      if (status !== 200 && status !== 503)
        return { data: undefined, isLatest: true, reply: { status, data } }
      if (status === 200) {
        this.#keepAnswer(address, data)
        return { data: data as T, isLatest: true }
      }
    } catch {
      // The program ends, starts, or does not answer: the state of its process says more than this error.
    }
    return { data: this.#lastAnswers.get(address) as T | undefined, isLatest: false }
  }

  /** One request at a time for the same data: a program at a breakpoint answers none of them. */
  #fetch(path: string): Promise<Reply> {
    const pending = this.#pending.get(path)
    if (pending) return pending
    const reply = this.#send(path).finally(() => this.#pending.delete(path))
    this.#pending.set(path, reply)
    return reply
  }

  async #send(path: string): Promise<Reply> {
    const url = `http://${this.#options.programAddress}${inspectorPath}api/${path}`
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, data: await response.json() }
  }

  /** Keeps an answer, and drops the oldest one if there are too many. */
  #keepAnswer(path: string, data: unknown): void {
    this.#lastAnswers.delete(path)
    this.#lastAnswers.set(path, data)
    const [oldest] = this.#lastAnswers.keys()
    if (this.#lastAnswers.size > maxKeptAnswers && oldest !== undefined) this.#lastAnswers.delete(oldest)
  }

  /** An explanation with the runs and processes of before the current process. */
  async #withTimeline(explanation: AnyExplanation): Promise<AnyExplanation> {
    const { records } = this.#options
    const timeline = records.history.timeline(explanation.syncer, explanation, explanation.recorded)
    return { ...(await this.#withEvents(explanation)), timeline: records.withProcesses(timeline) }
  }

  /** Adds the Events that the program has no permission to read: `dev` reads them as the user of the cluster. */
  async #withEvents(explanation: AnyExplanation): Promise<AnyExplanation> {
    const { eventsError, ...otherFacts } = explanation
    const cluster = this.#options.clusters().find(({ name }) => name === (explanation.cluster ?? 'virtual'))
    if (eventsError === undefined || !cluster) return explanation
    const group = parseApiVersion(explanation.apiVersion)?.group ?? ''
    const { kind, namespace, name } = explanation
    return {
      ...otherFacts,
      ...(await eventsOf(cluster, { group, kind }, { namespace, name })),
    } as AnyExplanation
  }
}
