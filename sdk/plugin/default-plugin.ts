import { describes } from './description.js'
import { createPlugin, type InitOptions, type Plugin, type PluginOptions } from './plugin.js'

/** How long the last log lines may take to leave the process, in milliseconds. */
const flushMs = 50

/**
 * The plugin of this process, inert until `init` is called. It also minds the process: SIGTERM and SIGINT stop
 * it well (a second one at once), and what makes it fail is said in one sentence before the process ends with
 * status 1, so that whoever runs it starts it again.
 */
class ProcessPlugin implements Plugin {
  #made: Plugin | undefined

  async init(options?: InitOptions): ReturnType<Plugin['init']> {
    this.#stopOnSignals()
    const inspect = await inspectOf(process.env)
    this.#made ??= createPlugin(inspect ? { inspect } : {})
    return this.#orEnd(this.#plugin.init(options))
  }

  register(...args: Parameters<Plugin['register']>): void {
    this.#plugin.register(...args)
  }

  async start(): Promise<void> {
    await this.#orEnd(this.#plugin.start())
    process.exit(0)
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
    this.#made ??= createPlugin()
    return this.#made
  }

  #stopOnSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, () => {
        process.on(signal, () => process.exit(1))
        void this.#stopAndExit()
      })
    }
  }

  async #stopAndExit(): Promise<void> {
    await this.#orEnd(this.#plugin.stop())
    process.exit(0)
  }

  async #orEnd<T>(promise: Promise<T>): Promise<T> {
    try {
      return await promise
    } catch (error) {
      console.error(`plugin: ${error instanceof Error ? error.message : String(error)}`)
      await new Promise((resolve) => setTimeout(resolve, flushMs))
      process.exit(1)
    }
  }
}

/**
 * Where health and metrics are served: `METRICS_ADDRESS`, by default loopback on a free port; `0` is nowhere, as with
 * controller-runtime.
 */
async function inspectOf(env: NodeJS.ProcessEnv): Promise<PluginOptions['inspect']> {
  const { METRICS_ADDRESS: address = '127.0.0.1:0' } = env
  if (describes(env) || address === '0') return undefined
  const { createPrometheusMetrics } = await import('../inspect/prometheus-metrics.js')
  return { address, metrics: createPrometheusMetrics() }
}

/** The plugin of this process: `await plugin.init()`, `plugin.register(...)`, `await plugin.start()`. */
export const plugin: Plugin = new ProcessPlugin()
