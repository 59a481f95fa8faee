/**
 * The inspector of the program that `dev` runs. `dev` serves its page, so that it stays open while the program is
 * restarted, and keeps the history, the charts and the activity. The current state is read from the program, which
 * serves an inspector of its own.
 */
import type { ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { InspectorPages } from '../../../sdk/engine/inspector/inspector-pages.js'
import { inspectorPath, type ProcessView } from '../../../sdk/engine/inspector/model.js'
import { parentVariable, type RunMessage } from '../../../sdk/engine/inspector/parent-channel.js'
import { type Clock, systemClock } from '../../../sdk/engine/time/clock.js'
import type { InspectorAddress } from '../../inspector/inspector-address.js'
import type { Exit, SpawnedPlugin } from '../../program/plugin-process.js'
import { type InspectedCluster, ProgramData } from './program-data.js'
import { ProgramRecords } from './program-records.js'
import { proxy } from './proxy.js'

/** Options of {@link DevInspector.start}. */
export interface DevInspectorOptions {
  once: boolean
  /** A free port, on which the program serves its own inspector and its metrics. */
  programPort: number
  /** Default that of this process. */
  env?: NodeJS.ProcessEnv
  clock?: Clock
}

/** The inspector of `dev`; see the beginning of this file. */
export class DevInspector implements InspectorAddress {
  readonly url: string | undefined
  /** The environment variables with which the program serves its own inspector. */
  readonly env: Readonly<Record<string, string>>
  readonly #clock: Clock
  readonly #records: ProgramRecords
  readonly #server: Server | undefined
  #clusters: readonly InspectedCluster[] = []
  #child: ChildProcess | undefined
  #process: ProcessView

  /**
   * Starts to serve. With `once`, and if the user's environment says where the program serves its metrics, nothing is
   * served here.
   */
  static async start({
    once,
    programPort,
    env = process.env,
    clock = systemClock,
  }: DevInspectorOptions): Promise<DevInspector> {
    if (once) return new DevInspector(clock, {})
    const inspect = { VCLUSTER_PLUGIN_INSPECT: '1' }
    if (env.METRICS_ADDRESS !== undefined) return new DevInspector(clock, inspect)
    const server = createServer().unref()
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const programEnv = { ...inspect, [parentVariable]: '1', METRICS_ADDRESS: `127.0.0.1:${programPort}` }
    return new DevInspector(clock, programEnv, server)
  }

  private constructor(clock: Clock, env: Readonly<Record<string, string>>, server?: Server) {
    this.#clock = clock
    this.#records = new ProgramRecords(clock)
    this.#process = { state: 'starting', sinceMs: this.#nowMs, text: '' }
    this.env = env
    this.#server = server
    this.url = server && `http://127.0.0.1:${(server.address() as AddressInfo).port}${inspectorPath}`
    if (server) this.#serve(server, env.METRICS_ADDRESS ?? '')
  }

  /** Called when the clusters are open: the page shows kubectl commands for them, and their Events. */
  show(clusters: readonly InspectedCluster[]): void {
    this.#clusters = clusters
  }

  /** Called with each new process of the program. Its records are kept, and its end is shown. */
  follow({ child, pid, exited }: SpawnedPlugin): void {
    this.#child = child
    this.#recordProcess('starting', 'started', `process ${pid}`)
    child.on('message', (message) => {
      const { inspector, records } = Object(message)
      if (inspector === 'records' && Array.isArray(records))
        for (const record of records) this.#records.add(record)
    })
    void exited.then((exit) => {
      if (this.#child !== child) return
      this.#child = undefined
      this.#recordProcess('ended', 'ended', endText(pid, exit))
    })
  }

  /** Closes the server and all connections to it. */
  async close(): Promise<void> {
    const server = this.#server
    if (!server) return
    server.closeAllConnections()
    await new Promise<void>((closed) => server.close(() => closed()))
  }

  get #nowMs(): number {
    return this.#clock.date().getTime()
  }

  /** Records the start or the end of a process. */
  #recordProcess(state: ProcessView['state'], verb: 'started' | 'ended', text: string): void {
    const atMs = this.#nowMs
    this.#process = { state, sinceMs: atMs, text }
    this.#records.addProcess({ what: 'process', atMs, verb, text })
  }

  /** Serves the pages of the inspector, and passes requests for metrics and probes to the program. */
  #serve(server: Server, programAddress: string): void {
    const data = new ProgramData({
      records: this.#records,
      clock: this.#clock,
      programAddress,
      process: () => this.#process,
      clusters: () => this.#clusters,
      run: (message) => this.#run(message),
    })
    const pages = new InspectorPages(data, this.#clock)
    server.on('request', (request, response) => {
      if (pages.isFor(request.url?.split('?')[0] ?? '')) void pages.respond(request, response)
      else proxy(request, response, programAddress)
    })
  }

  /** Asks the program to run a key; returns false if no process is connected. */
  #run(message: RunMessage): boolean {
    if (!this.#child?.connected) return false
    this.#child.send(message, () => {})
    return true
  }
}

/** How a process ended. One that could not be started has neither a status nor a signal. */
function endText(pid: number, { code, signal, failure }: Exit): string {
  if (signal) return `process ${pid} was ended by ${signal}`
  if (code === null) return `its process could not be started: ${failure?.message ?? 'no reason is known'}`
  return `process ${pid} ended with status ${code}`
}
