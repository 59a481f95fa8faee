import type { Probes } from '../../engine/health/probes.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { explainFailure } from '../../engine/manager/explain-failure.js'
import { stopOnSignals } from '../../engine/manager/stop-on-signals.js'
import { processMemory } from '../../engine/observe/memory.js'
import { endGuardedProcess, guardProcess } from './guard-process.js'
import type { Plugin } from './plugin.js'
import type { InitOptions, PluginOptions } from './plugin-options.js'
import { createPluginRuntime } from './plugin-runtime.js'
import { vclusterOptions } from './vcluster-options.js'

const initOptionTypes: OptionTypes<InitOptions> = {
  name: 'any',
  labelMode: 'any',
  shards: 'any',
  standby: 'any',
  missingPermissions: 'any',
}

/**
 * The plugin of a process. It does nothing until it is used, because importing the ready-made `plugin` must change
 * nothing in the process.
 */
export class ProcessPlugin implements Plugin {
  readonly #options: PluginOptions
  #made: Plugin | undefined
  #isStarted = false
  /** Set when a signal arrives before `start`. */
  #exits = false
  #ignoreSignals: () => void = () => {}

  constructor(options: PluginOptions) {
    this.#options = options
  }

  async init(options?: InitOptions): ReturnType<Plugin['init']> {
    checkOptions('plugin.init', options, initOptionTypes)
    this.#ignoreSignals()
    this.#ignoreSignals = stopOnSignals(() => void this.#onSignal())
    guardProcess(this.#env)
    // A program that only imports the SDK does not load the code that serves metrics.
    const { Probes } = await import('../../engine/health/probes.js')
    this.#made ??= this.#make(new Probes(this.#env))
    return this.#watched(this.#made.init(options))
  }

  register(...runnables: Parameters<Plugin['register']>): void {
    this.#plugin.register(...runnables)
  }

  async start(): Promise<void> {
    const ended = this.#plugin.start()
    this.#isStarted = true
    await this.#watched(ended)
    this.#ignoreSignals()
  }

  whenRunning(): Promise<void> {
    return this.#plugin.whenRunning()
  }

  isIdle(): boolean {
    return this.#plugin.isIdle()
  }

  stop(): Promise<void> {
    return this.#plugin.stop()
  }

  get #plugin(): Plugin {
    this.#made ??= this.#make()
    return this.#made
  }

  get #env(): Readonly<Record<string, string | undefined>> {
    return this.#options.env ?? process.env
  }

  #make(probes?: Probes): Plugin {
    return createPluginRuntime({
      memory: processMemory(),
      ...vclusterOptions(this.#env),
      ...this.#options,
      ...(probes && { probes }),
    })
  }

  /** Stops the plugin. Before `start` the process ends here, because nothing that the program waits for can succeed. */
  async #onSignal(): Promise<void> {
    this.#exits = !this.#isStarted
    await this.#plugin.stop().catch(() => {}) // `start` rejects, too.
    if (this.#exits) process.exit(0)
  }

  #explain(failure: unknown): void {
    if (guardProcess(this.#env)) endGuardedProcess(failure)
    else explainFailure(failure)
  }

  async #watched<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise
    } catch (error) {
      if (this.#exits) return new Promise(() => {})
      this.#ignoreSignals()
      this.#explain(error)
      throw error
    }
  }
}
