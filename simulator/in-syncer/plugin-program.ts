import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { ChannelCredentials, type Client } from '@grpc/grpc-js'
import {
  type Channel,
  GRPCBrokerClient,
  GRPCControllerClient,
  GRPCStdioClient,
} from '../../sdk/remote/proto/gen/go-plugin.js'
import { HealthClient, ServingStatus } from '../../sdk/remote/proto/gen/health.js'
import { type MutateRequest, type MutateResponse, PluginClient } from '../../sdk/remote/proto/gen/v2.js'
import { callUnary } from '../../sdk/remote/v1/call.js'
import { systemClock } from '../../sdk/time/clock.js'
import { shownByGoPlugin } from './go-plugin-log.js'
import { type Handshake, parseHandshake } from './handshake.js'
import { PrintedLines, type PrintListener } from './printed-lines.js'

/** Options of {@link startPluginProgram}. */
export interface PluginProgramOptions {
  /**
   * The program, which is started without arguments. A module (`.ts`, `.js`) is started with the Node and the
   * flags of this process.
   */
  file: string
  /**
   * Its environment, to which the variables of a vcluster process are added; default `PATH`, `HOME` and `TMPDIR` of
   * this process.
   */
  env?: Readonly<Record<string, string | undefined>>
  /** Time limit for the program to print its address, in milliseconds; default 60,000. */
  startTimeoutMs?: number
}

interface ConnectOptions extends Pick<PluginProgramOptions, 'startTimeoutMs'> {
  onPrint?: PrintListener | undefined
}

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
 * line, one connection without TLS, standard streams read. Made by {@link startPluginProgram}.
 *
 * @example
 * ```ts
 * const program: PluginProgram = await startPluginProgram({ file: 'dist/my-plugin/plugin' })
 * console.log(await program.getPluginConfig(), program.lines)
 * await program.kill()
 * ```
 */
export class PluginProgram {
  readonly network: Handshake['network']
  /** Resolves with the exit status, or the name of the signal that ended the program. */
  readonly exited: Promise<number | string>
  readonly #child: ChildProcess
  readonly #printed: PrintedLines
  readonly #plugin: PluginClient
  readonly #health: HealthClient
  readonly #controller: GRPCControllerClient
  #endStreams = () => {}

  /** Does not connect; {@link startPluginProgram} starts the program first. */
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

  /** Its process id. */
  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The lines that the program has caused in vcluster's own log so far. */
  get lines(): readonly string[] {
    return this.#printed.all
  }

  /** Resolves with the first of these lines, past or future, that contains `text`. */
  line(text: string): Promise<string> {
    return this.#printed.with(text)
  }

  /** Calls `Initialize` with the JSON of `initializePayload`, without a deadline. */
  async initialize(config: string): Promise<void> {
    await callUnary(this.#plugin.initialize.bind(this.#plugin), { config }, never)
  }

  /** The hooks and interceptors of the plugin, as JSON. */
  async getPluginConfig(): Promise<string> {
    return (await callUnary(this.#plugin.getPluginConfig.bind(this.#plugin), {}, never)).config
  }

  /** Calls the plugin's hooks; default deadline 10 s. */
  mutate(request: MutateRequest, options?: { timeoutMs?: number }): Promise<MutateResponse> {
    return callUnary(this.#plugin.mutate.bind(this.#plugin), request, options)
  }

  /** Tells the plugin that this vcluster process leads. */
  async setLeader(): Promise<void> {
    await callUnary(this.#plugin.setLeader.bind(this.#plugin), {}, never)
  }

  /** Checks the plugin's health. */
  async ping(): Promise<void> {
    const { status } = await callUnary(this.#health.check.bind(this.#health), { service: 'plugin' })
    if (status !== ServingStatus.SERVING)
      throw new Error(`the health check of the plugin answered status ${status}`)
  }

  /**
   * Closes the connection as the end of a vcluster process does. The program gets no message and continues to
   * run.
   */
  disconnect(): void {
    this.#endStreams()
    this.#plugin.close()
  }

  /** Sends SIGTERM to the program, and kills it after 2 s. */
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

/**
 * Starts a plugin's program and waits until it prints its address. Throws go-plugin's error if the program
 * prints another line, exits, or prints nothing in time.
 *
 * @example
 * ```ts
 * const program = await startPluginProgram({
 *   file: 'dist/my-plugin/plugin',
 *   env: programEnvironment({ color: 'blue' }),
 * })
 * await program.ping()
 * await program.kill()
 * ```
 */
export function startPluginProgram(options: PluginProgramOptions): Promise<PluginProgram> {
  const { PATH, HOME, TMPDIR } = process.env
  const isModule = /\.[cm]?[jt]s$/.test(options.file)
  const [command, args] = isModule
    ? [process.execPath, [...process.execArgv, options.file]]
    : [options.file, []]
  const child = spawn(command, args, {
    env: { ...withoutUndefined(options.env ?? { PATH, HOME, TMPDIR }), ...cookie },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return connectPluginProgram(child, options)
}

/**
 * Connects to a program that was just started, with pipes for its two outputs and {@link cookie} in its
 * environment. `onPrint` gets each line that the program prints through the connection.
 */
export async function connectPluginProgram(
  child: ChildProcess,
  { startTimeoutMs, onPrint }: ConnectOptions = {},
): Promise<PluginProgram> {
  const printed = new PrintedLines(onPrint)
  if (child.stderr) printed.follow(child.stderr, shownByGoPlugin)
  try {
    const handshake = parseHandshake(await firstLine(child, startTimeoutMs))
    return new PluginProgram(child, printed, handshake)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** The variable that tells a plugin that a vcluster process started it. */
export const cookie = {
  VCLUSTER_PLUGIN: 'vcluster',
  PLUGIN_MIN_PORT: '10000',
  PLUGIN_MAX_PORT: '25000',
  PLUGIN_PROTOCOL_VERSIONS: '1',
}

/** The rest of standard output is read and dropped. */
function firstLine(child: ChildProcess, startTimeoutMs = 60_000): Promise<string> {
  let inTime = () => {}
  return new Promise<string>((resolve, reject) => {
    const late = () => reject(new Error('timeout while waiting for plugin to start'))
    inTime = systemClock.schedule(startTimeoutMs, late)
    if (child.stdout) createInterface({ input: child.stdout }).once('line', resolve)
    child.once('error', reject)
    child.once('close', () => reject(new Error('plugin exited before we could connect')))
  }).finally(() => inTime())
}

async function endOf(child: ChildProcess): Promise<number | string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode ?? 0
}

function withoutUndefined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
