import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Clock, sleep, systemClock } from '../../sdk/engine/time/clock.js'
import { type Failure, isFailureMessage } from './failure.js'
import { type HeartbeatListener, HeartbeatMonitor, isHeartbeat } from './heartbeat.js'
import { mainThreadOf } from './main-thread.js'
import { pluginEnvironment } from './plugin-environment.js'
import { readPluginLine } from './plugin-log.js'
import { runsFromSources, typescriptFlags } from './typescript-flags.js'

/** Options of {@link spawnPlugin}. */
export interface SpawnPluginOptions {
  /** Absolute path of the plugin's program. */
  entry: string
  /**
   * Variables in addition to those of this process. Clusters that this process can reach are not passed on; see {@link
   * pluginEnvironment}.
   */
  env: Readonly<Record<string, string>>
  /** The port of loopback on which a debugger may attach; default none. */
  inspect?: number | undefined
  /** Called with each line that the plugin writes. */
  onLine: (line: string) => void
  /** Called when the process is blocked, and when it answers again; default none. A debugger blocks it, too. */
  heartbeats?: HeartbeatListener | undefined
}

/** How a plugin's process ended. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  /** The error that the process reported; undefined if it reported none. */
  failure: Failure | undefined
}

/** A plugin's process, which leads its own process group. */
export interface PluginProcess {
  readonly pid: number
  /** Resolves when the process has exited and its output is read. */
  readonly exited: Promise<Exit>
  /** Sends SIGTERM, then kills the process group after a grace period. */
  terminate(clock: Clock): Promise<void>
  /** Kills the process group. */
  kill(): void
}

/** A plugin's process with its child process, for callers that need the streams. */
export interface SpawnedPlugin extends PluginProcess {
  readonly child: ChildProcess
}

const graceMs = 3000

/** Starts the plugin's program with this process's Node; the program may be TypeScript. */
export function spawnPlugin({ entry, env, onLine, inspect, heartbeats }: SpawnPluginOptions): SpawnedPlugin {
  const preload = new URL(runsFromSources ? './preload.ts' : './preload.js', import.meta.url)
  const debugging = inspect === undefined ? [] : [`--inspect=127.0.0.1:${inspect}`]
  const args = [...debugging, ...typescriptFlags(entry), '--import', preload.href, entry]
  const child = spawn(process.execPath, args, {
    env: { ...pluginEnvironment(process.env), ...env },
    // Ctrl-C signals the terminal's whole process group, but `dev` stops the plugin in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (heartbeats && inspect === undefined) monitor(child, heartbeats)
  return new ChildPlugin(child, onLine)
}

function monitor(child: ChildProcess, listener: HeartbeatListener): void {
  const heartbeats = new HeartbeatMonitor(systemClock, listener, () => mainThreadOf(child.pid ?? 0))
  child.on('message', (message) => {
    if (!isHeartbeat(message)) return
    // A process that a debugger has stopped sends nothing.
    if (message.isDebugged) heartbeats.stop()
    else heartbeats.beat()
  })
  child.once('exit', () => heartbeats.stop())
}

class ChildPlugin implements SpawnedPlugin {
  readonly exited: Promise<Exit>
  readonly child: ChildProcess

  constructor(child: ChildProcess, onLine: (line: string) => void) {
    this.child = child
    this.exited = watchProcess(child, onLine)
    // Its child processes end with it, as in a container; their open pipes would delay `close`.
    child.once('exit', () => this.#killGroup())
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  async terminate(clock: Clock): Promise<void> {
    this.child.kill('SIGTERM')
    const ended = new AbortController()
    const exited = this.exited.then(() => ended.abort())
    await Promise.race([exited, sleep(clock, graceMs, ended.signal).catch(() => {})])
    this.kill()
    await this.exited
  }

  kill(): void {
    this.#killGroup()
    this.child.stdout?.destroy()
    this.child.stderr?.destroy()
  }

  #killGroup(): void {
    if (this.child.pid === undefined) return
    try {
      process.kill(-this.child.pid, 'SIGKILL')
    } catch (error) {
      // No process of the group exists any more.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** The SDK's last log line before it exits. An unhandled rejection is logged too, but does not end the process. */
const fatalLine = /^plugin: (?!a promise was rejected)/

function watchProcess(child: ChildProcess, onLine: (line: string) => void): Promise<Exit> {
  let failure: Failure | undefined
  child.on('message', (message) => {
    if (isFailureMessage(message)) failure = message
  })
  readLines(child.stdout, onLine)
  readLines(child.stderr, (line) => {
    const { text = '' } = readPluginLine(line) ?? {}
    if (fatalLine.test(text)) failure ??= { message: text.replace(fatalLine, '') }
    else onLine(line)
  })
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve({ code: null, signal: null, failure: { message } }))
    child.once('close', (code, signal) => resolve({ code, signal, failure }))
  })
}

function readLines(output: Readable | null, onLine: (line: string) => void): void {
  if (output) createInterface({ input: output }).on('line', onLine)
}
