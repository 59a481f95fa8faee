import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { type Clock, sleep } from '../../sdk/time/clock.js'
import { type Failure, isFailure } from './failure.js'
import { readPluginLine } from './plugin-log.js'

/** Options of {@link spawnPlugin}. */
export interface SpawnPluginOptions {
  /** Absolute path of the plugin's program. */
  entry: string
  /** The plugin's whole environment. */
  env: NodeJS.ProcessEnv
  /** The port of loopback on which a debugger may attach; default none. */
  inspect?: number | undefined
  /** Hears each line that the plugin writes. */
  onLine: (line: string) => void
}

/** How a plugin's process ended. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
  /** What the process said about it; undefined when it ended without a word. */
  failure: Failure | undefined
}

/** A plugin's process, leader of a process group of its own. */
export interface PluginProcess {
  readonly pid: number
  /** Resolves when the process is gone and all it wrote was read. */
  readonly exited: Promise<Exit>
  /** Asks the process to end, and ends it with its group when it has not in time. */
  terminate(clock: Clock): Promise<void>
  /** Ends the process and its group at once. */
  kill(): void
}

/** A plugin's process, with the streams that whoever speaks with it needs. */
export interface SpawnedPlugin extends PluginProcess {
  readonly child: ChildProcess
}

/** Whether this is a clone that runs its sources, and not a package. */
export const runsFromSources = import.meta.url.endsWith('.ts')
const sourceCondition = '--conditions=vcluster-plugin-sdk:source'
const graceMs = 3000

/** Starts the plugin's program under the Node of this process, TypeScript included. */
export function spawnPlugin({ entry, env, onLine, inspect }: SpawnPluginOptions): SpawnedPlugin {
  const preload = new URL(runsFromSources ? './preload.ts' : './preload.js', import.meta.url)
  const debugging = inspect === undefined ? [] : [`--inspect=127.0.0.1:${inspect}`]
  const args = [
    ...debugging,
    '--enable-source-maps',
    '--import',
    import.meta.resolve('tsx'),
    '--import',
    preload.href,
    entry,
  ]
  const child = spawn(process.execPath, runsFromSources ? [sourceCondition, ...args] : args, {
    env,
    // A Ctrl-C reaches the terminal's whole process group; the plugin is to be stopped in order, by `dev`.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  return new ChildPlugin(child, onLine)
}

class ChildPlugin implements SpawnedPlugin {
  readonly exited: Promise<Exit>
  readonly child: ChildProcess

  constructor(child: ChildProcess, onLine: (line: string) => void) {
    this.child = child
    this.exited = watchOver(child, onLine)
    // What it started ends with it, as in a container; its open pipes would keep us waiting.
    child.once('exit', () => this.#killGroup())
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  async terminate(clock: Clock): Promise<void> {
    this.child.kill('SIGTERM')
    const ended = new AbortController()
    const gone = this.exited.then(() => ended.abort())
    await Promise.race([gone, sleep(clock, graceMs, ended.signal).catch(() => {})])
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
      // The whole group is gone already.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** What the SDK's own plugin prints before it gives up; that nobody caught a rejection ends none. */
const lastWords = /^plugin: (?!a promise was rejected)/

function watchOver(child: ChildProcess, onLine: (line: string) => void): Promise<Exit> {
  let failure: Failure | undefined
  child.on('message', (message) => {
    if (isFailure(message)) failure = message
  })
  readLines(child.stdout, onLine)
  readLines(child.stderr, (line) => {
    const { text = '' } = readPluginLine(line) ?? {}
    if (lastWords.test(text)) failure ??= { message: text.replace(lastWords, '') }
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
