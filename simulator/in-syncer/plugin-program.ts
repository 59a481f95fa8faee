import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { systemClock } from '../../sdk/engine/time/clock.js'
import { ConnectedProgram, type PluginProgram } from './connected-program.js'
import { shownByGoPlugin } from './go-plugin-log.js'
import { parseHandshake } from './handshake.js'
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
    return new ConnectedProgram(child, printed, handshake)
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** The variable by which a plugin knows that a vcluster process started it. */
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

function withoutUndefined(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
