import { PluginError } from '../../sdk/kube/error.js'
import { type Clock, sleep } from '../../sdk/time/clock.js'
import type { Exit, PluginProcess } from '../program/plugin-process.js'

/** Options of {@link PluginKeeper}. */
export interface PluginKeeperOptions {
  /** Which plugin it is, for messages. */
  folder: string
  /** Starts the plugin's process. */
  spawn: () => PluginProcess
  /** Hears of each process that starts. */
  onStart: (pid: number) => void
  /** Hears why a process ended by itself and when the next one starts, in milliseconds. */
  onCrash: (reason: string, delayMs: number) => void
  clock: Clock
}

const firstDelayMs = 1000
const maxDelayMs = 30_000
const forgetAfterMs = 10_000

/**
 * Keeps a plugin's process running as the kubelet does a container: started again at once after its first end,
 * then after 1 s, 2 s and so on up to 30 s, until it has run for 10 s. A plugin that ends before it ever came up
 * is not started again.
 */
export class PluginKeeper {
  readonly #options: PluginKeeperOptions
  readonly #stop = new AbortController()
  #process: PluginProcess | undefined
  #ended: Promise<void> | undefined
  #wake = new AbortController()
  #cameUp = false
  #delayMs = 0

  constructor(options: PluginKeeperOptions) {
    this.#options = options
  }

  /**
   * Starts the plugin. Resolves after {@link stop}; rejects with a `PluginError` `PLUGIN_FAILED` when the plugin
   * ended without ever having come up.
   */
  run(): Promise<void> {
    this.#ended ??= this.#keep()
    return this.#ended
  }

  /** Says that the plugin has come up: from now on its end is no longer the end. */
  cameUp(): void {
    this.#cameUp = true
  }

  /** Ends the process, if there is one, and starts the next at once. */
  async restart(): Promise<void> {
    this.#wake.abort()
    await this.#process?.terminate(this.#options.clock)
  }

  /** Ends the process for good. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'))
    this.#wake.abort()
    await this.#process?.terminate(this.#options.clock)
  }

  /** Ends the process for good, without letting it end its work. */
  kill(): void {
    this.#stop.abort(new Error('stopped'))
    this.#wake.abort()
    this.#process?.kill()
  }

  async #keep(): Promise<void> {
    const { clock, spawn, onStart } = this.#options
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController()
      const startedAtMs = clock.now()
      this.#process = spawn()
      onStart(this.#process.pid)
      const exit = await this.#process.exited
      this.#process = undefined
      if (clock.now() - startedAtMs > forgetAfterMs) this.#delayMs = 0
      // Whoever ended the process on purpose has spoken already.
      if (!this.#wake.signal.aborted) await this.#afterCrash(exit)
    }
  }

  async #afterCrash(exit: Exit): Promise<void> {
    const { clock, folder, onCrash } = this.#options
    if (!this.#cameUp)
      throw new PluginError('PLUGIN_FAILED', `the plugin in ${folder} failed at start: ${reasonOf(exit)}`)
    const delayMs = this.#delayMs
    this.#delayMs = Math.min(Math.max(delayMs * 2, firstDelayMs), maxDelayMs)
    onCrash(reasonOf(exit), delayMs)
    await sleep(clock, delayMs, this.#wake.signal).catch(() => {})
  }
}

function reasonOf({ code, signal, failure }: Exit): string {
  if (failure) return failure.message
  if (signal) return `it was killed by ${signal}`
  if (code === 0) return 'it exited with status 0; does its program call plugin.start()?'
  return `it exited with status ${code}`
}
