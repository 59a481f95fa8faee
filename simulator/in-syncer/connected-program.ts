import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { GrpcClient } from '../../sdk/engine/grpc/client.js'
import { methodsOf } from '../../sdk/engine/grpc/service.js'
import { HealthDefinition, ServingStatus } from '../../sdk/engine/health/proto/gen/health.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import {
  type Channel,
  GRPCBrokerDefinition,
  GRPCControllerDefinition,
  GRPCStdioDefinition,
  type StdioData,
} from '../../sdk/vcluster/remote/proto/gen/go-plugin.js'
import { PluginDefinition } from '../../sdk/vcluster/remote/proto/gen/v2.js'
import type { MutateRequest, MutateResult } from '../hook-call.js'
import type { Handshake } from './handshake.js'
import type { PrintedLines } from './printed-lines.js'

const { initialize, getPluginConfig, mutate, setLeader } = methodsOf(PluginDefinition)
const { check } = methodsOf(HealthDefinition)
const { shutdown } = methodsOf(GRPCControllerDefinition)
const { streamStdio } = methodsOf(GRPCStdioDefinition)
const { startStream } = methodsOf(GRPCBrokerDefinition)

/** Time after SIGTERM until the program is killed, in milliseconds. */
const killAfterMs = 2000

const never = { timeoutMs: Number.POSITIVE_INFINITY }

/**
 * A plugin's program, started and called as github.com/hashicorp/go-plugin does it for vcluster: cookie, handshake
 * line, one connection without TLS, standard streams read. Made by `startPluginProgram`.
 *
 * @example
 * ```ts
 * const program: PluginProgram = await startPluginProgram({ file: 'dist/my-plugin/plugin' })
 * console.log(await program.getPluginConfig(), program.lines)
 * await program.kill()
 * ```
 */
export interface PluginProgram {
  /** How the program is connected: over a socket file, or a loopback port. */
  readonly network: 'unix' | 'tcp'
  /** Resolves with the exit status, or the name of the signal that ended the program. */
  readonly exited: Promise<number | string>
  /** Its process id. */
  readonly pid: number
  /** The lines that the program has caused in vcluster's own log so far. */
  readonly lines: readonly string[]
  /** Resolves with the first of these lines, past or future, that contains `text`. */
  line(text: string): Promise<string>
  /** Calls `Initialize` with vcluster's configuration as JSON, without a deadline. */
  initialize(config: string): Promise<void>
  /** The hooks and interceptors of the plugin, as JSON. */
  getPluginConfig(): Promise<string>
  /** Calls the plugin's hooks; default deadline 10 s. */
  mutate(request: MutateRequest, options?: { timeoutMs?: number }): Promise<MutateResult>
  /** Tells the plugin that this vcluster process leads. */
  setLeader(): Promise<void>
  /** Checks the plugin's health. */
  ping(): Promise<void>
  /**
   * Closes the connection as the end of a vcluster process does. The program gets no message and continues to
   * run.
   */
  disconnect(): void
  /** Sends SIGTERM to the program, and kills it after 2 s. */
  kill(): Promise<void>
}

/** A program that is connected by gRPC. */
export class ConnectedProgram implements PluginProgram {
  readonly network: PluginProgram['network']
  readonly exited: Promise<number | string>
  readonly #child: ChildProcess
  readonly #printed: PrintedLines
  readonly #client: GrpcClient
  #endStreams = () => {}

  constructor(child: ChildProcess, printed: PrintedLines, { network, address }: Handshake) {
    this.#child = child
    this.#printed = printed
    this.network = network
    this.exited = endOf(child)
    const target = { address, authority: 'unused' }
    this.#client = new GrpcClient(target, { maxMessageBytes: Number.POSITIVE_INFINITY })
    this.#openStreams()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get lines(): readonly string[] {
    return this.#printed.all
  }

  line(text: string): Promise<string> {
    return this.#printed.waitFor(text)
  }

  async initialize(config: string): Promise<void> {
    await this.#client.call(initialize, { config }, never)
  }

  async getPluginConfig(): Promise<string> {
    return (await this.#client.call(getPluginConfig, {}, never)).config
  }

  mutate(request: MutateRequest, options?: { timeoutMs?: number }): Promise<MutateResult> {
    return this.#client.call(mutate, request, options)
  }

  async setLeader(): Promise<void> {
    await this.#client.call(setLeader, {}, never)
  }

  async ping(): Promise<void> {
    const { status } = await this.#client.call(check, { service: 'plugin' })
    if (status !== ServingStatus.SERVING)
      throw new Error(`the health check of the plugin answered status ${status}`)
  }

  disconnect(): void {
    this.#endStreams()
    this.#client.close()
  }

  async kill(): Promise<void> {
    const spare = systemClock.schedule(killAfterMs, () => this.#child.kill('SIGKILL'))
    await this.#client.call(shutdown, {}).catch(() => this.#child.kill('SIGKILL'))
    await this.exited
    spare()
    this.disconnect()
  }

  /** Both streams stay open as long as the connection. A plugin does not have to serve them. */
  #openStreams(): void {
    const rests = new Map<Channel, string>()
    const endStdio = this.#client.stream(streamStdio, {}, ({ channel, data }: StdioData) => {
      const lines = ((rests.get(channel) ?? '') + data).split('\n')
      rests.set(channel, lines.pop() ?? '')
      for (const line of lines) this.#printed.print(line)
    })
    const endBroker = this.#client.stream(startStream, {} as never, () => {})
    this.#endStreams = () => {
      endStdio()
      endBroker()
    }
  }
}

async function endOf(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode ?? 0
}
