import { PluginError } from '../../sdk/engine/kube/error.js'
import { type Clock, sleep } from '../../sdk/engine/time/clock.js'
import type { Failure } from '../program/failure.js'
import type { Exit, PluginProcess } from '../program/plugin-process.js'

/** Options of {@link PluginSupervisor}. */
export interface PluginSupervisorOptions {
  /** The plugin's folder, for messages. */
  folder: string
  /** Starts the plugin's process. */
  spawn: () => PluginProcess
  /** Called after the start of each process. */
  onStart: (pid: number) => void
  /** Called after a crash, with the reason and the delay of the restart in milliseconds. */
  onCrash: (reason: string, delayMs: number) => void
  /**
   * Called after the end of a process whose sources cannot be loaded; then the supervisor waits for {@link
   * PluginSupervisor.restart}. Default: such an end is a crash.
   */
  onUnloadable?: ((failure: Failure) => void) | undefined
  clock: Clock
}

/** The delay of the restart after the second crash, in milliseconds; it doubles with each further one. */
const firstDelayMs = 1000
const maxDelayMs = 30_000
/** The time without a crash after which the delay is reset, in milliseconds. */
const forgetAfterMs = 10_000

/**
 * Keeps a plugin's process running like the kubelet keeps a container running. It restarts the process at once after
 * the first crash, then after 1 s, 2 s and so on up to 30 s; the delay is reset after 10 s without a crash. A plugin
 * that exits before it first came up is not restarted. A plugin whose sources cannot be loaded is restarted when one of
 * them is saved.
 */
export class PluginSupervisor {
  readonly #options: PluginSupervisorOptions
  readonly #stop = new AbortController()
  #process: PluginProcess | undefined
  #ended: Promise<void> | undefined
  /** Ends the wait after a crash; aborted by a deliberate stop or restart. */
  #wake = new AbortController()
  #cameUp = false
  #delayMs = 0

  constructor(options: PluginSupervisorOptions) {
    this.#options = options
  }

  /**
   * Starts the plugin. Resolves after {@link stop}. Rejects with a `PluginError` `PLUGIN_FAILED` if the plugin exits
   * before it first came up.
   */
  run(): Promise<void> {
    this.#ended ??= this.#runProcesses()
    return this.#ended
  }

  /** Records that the plugin has come up, so it is restarted from now on. */
  cameUp(): void {
    this.#cameUp = true
  }

  /** Stops the process and starts the next one at once. */
  async restart(): Promise<void> {
    this.#wake.abort()
    await this.#process?.terminate(this.#options.clock)
  }

  /** Stops the process without a restart. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'))
    this.#wake.abort()
    await this.#process?.terminate(this.#options.clock)
  }

  /** Kills the process without a restart. */
  kill(): void {
    this.#stop.abort(new Error('stopped'))
    this.#wake.abort()
    this.#process?.kill()
  }

  /** Starts one process after the other until the supervisor is stopped. */
  async #runProcesses(): Promise<void> {
    const { clock, spawn, onStart } = this.#options
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController()
      const startedAtMs = clock.now()
      this.#process = spawn()
      onStart(this.#process.pid)
      const exit = await this.#process.exited
      this.#process = undefined
      if (clock.now() - startedAtMs > forgetAfterMs) this.#delayMs = 0
      // A deliberate stop or restart is not a crash.
      if (!this.#wake.signal.aborted) await this.#afterCrash(exit)
    }
  }

  /** Waits until the next process may start: for the delay, or for a save of sources that cannot be loaded. */
  async #afterCrash(exit: Exit): Promise<void> {
    const { clock, folder, onCrash, onUnloadable } = this.#options
    if (onUnloadable && exit.failure?.isUnloadable) {
      onUnloadable(exit.failure)
      return untilAborted(this.#wake.signal)
    }
    if (!this.#cameUp)
      throw new PluginError('PLUGIN_FAILED', `the program in ${folder} failed at start: ${reasonOf(exit)}`)
    const delayMs = this.#delayMs
    this.#delayMs = Math.min(Math.max(delayMs * 2, firstDelayMs), maxDelayMs)
    onCrash(reasonOf(exit), delayMs)
    await sleep(clock, delayMs, this.#wake.signal).catch(() => {})
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function reasonOf({ code, signal, failure }: Exit): string {
  if (failure) return failure.message
  if (signal) return `it was killed by ${signal}`
  if (code === 0) return 'it exited with status 0; does it call start()?'
  return `it exited with status ${code}`
}
