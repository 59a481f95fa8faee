import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { ChannelCredentials, type Client } from '@grpc/grpc-js'
import { HealthClient, ServingStatus } from '../../sdk/engine/health/proto/gen/health.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import {
  type Channel,
  GRPCBrokerClient,
  GRPCControllerClient,
  GRPCStdioClient,
} from '../../sdk/vcluster/remote/proto/gen/go-plugin.js'
import { PluginClient } from '../../sdk/vcluster/remote/proto/gen/v2.js'
import { callUnary } from '../../sdk/vcluster/remote/v1/call.js'
import type { MutateRequest, MutateResult } from '../hook-call.js'
import type { Handshake } from './handshake.js'
import type { PrintedLines } from './printed-lines.js'

const limits = {
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  'grpc.default_authority': 'unused',
  'grpc.enable_http_proxy': 0,
}

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
  readonly #plugin: PluginClient
  readonly #health: HealthClient
  readonly #controller: GRPCControllerClient
  #endStreams = () => {}

  constructor(child: ChildProcess, printed: PrintedLines, { network, address }: Handshake) {
    this.#child = child
    this.#printed = printed
    this.network = network
    this.exited = endOf(child)
    this.#plugin = new PluginClient(address, ChannelCredentials.createInsecure(), limits)
    this.#health = this.#onSameConnection(HealthClient)
    this.#controller = this.#onSameConnection(GRPCControllerClient)
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
    await callUnary(this.#plugin.initialize.bind(this.#plugin), { config }, never)
  }

  async getPluginConfig(): Promise<string> {
    return (await callUnary(this.#plugin.getPluginConfig.bind(this.#plugin), {}, never)).config
  }

  mutate(request: MutateRequest, options?: { timeoutMs?: number }): Promise<MutateResult> {
    return callUnary(this.#plugin.mutate.bind(this.#plugin), request, options)
  }

  async setLeader(): Promise<void> {
    await callUnary(this.#plugin.setLeader.bind(this.#plugin), {}, never)
  }

  async ping(): Promise<void> {
    const { status } = await callUnary(this.#health.check.bind(this.#health), { service: 'plugin' })
    if (status !== ServingStatus.SERVING)
      throw new Error(`the health check of the plugin answered status ${status}`)
  }

  disconnect(): void {
    this.#endStreams()
    this.#plugin.close()
  }

  async kill(): Promise<void> {
    const spare = systemClock.schedule(killAfterMs, () => this.#child.kill('SIGKILL'))
    await callUnary(this.#controller.shutdown.bind(this.#controller), {}).catch(() =>
      this.#child.kill('SIGKILL'),
    )
    await this.exited
    spare()
    this.disconnect()
  }

  #onSameConnection<T extends Client>(
    kind: new (address: string, credentials: ChannelCredentials, options: object) => T,
  ): T {
    return new kind('', ChannelCredentials.createInsecure(), { channelOverride: this.#plugin.getChannel() })
  }

  /** Both streams stay open as long as the connection. A plugin does not have to serve them. */
  #openStreams(): void {
    const stdio = this.#onSameConnection(GRPCStdioClient).streamStdio({})
    const rests = new Map<Channel, string>()
    stdio.on('data', ({ channel, data }: { channel: Channel; data: Buffer }) => {
      const lines = ((rests.get(channel) ?? '') + data).split('\n')
      rests.set(channel, lines.pop() ?? '')
      for (const line of lines) this.#printed.print(line)
    })
    const broker = this.#onSameConnection(GRPCBrokerClient).startStream()
    for (const stream of [stdio, broker.resume()]) stream.on('error', () => {})
    this.#endStreams = () => {
      stdio.cancel()
      broker.cancel()
    }
  }
}

async function endOf(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode ?? 0
}
