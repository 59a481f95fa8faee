import { describes } from '../../engine/manager/describes.js'
import { createLogger } from '../../engine/observe/create-logger.js'
import { processMemory } from '../../engine/observe/memory.js'
import { hclogForm } from '../remote/v2/hclog-form.js'
import { guardProcess } from './guard-process.js'
import type { Plugin } from './plugin.js'
import type { InitOptions, PluginRuntimeOptions } from './plugin-options.js'
import { createPluginRuntime } from './plugin-runtime.js'

/** How long the last log lines may take to leave the process, in milliseconds. */
const flushMs = 50
/** How long a plugin may take to end after the process that started it, in milliseconds. */
const goneMs = 15_000

/**
 * The plugin of this process, inert until `init` is called. It also handles the process: SIGTERM and SIGINT
 * stop it gracefully (a second one at once), and a failure is reported in one sentence before the process
 * ends with status 1, so that its supervisor restarts it.
 */
class ProcessPlugin implements Plugin {
  #made: Plugin | undefined

  async init(options?: InitOptions): ReturnType<Plugin['init']> {
    const inSyncer = inSyncerOptions(process.env)
    this.#stopOnSignals()
    const inspect = await inspectOf(process.env)
    this.#made ??= createPluginRuntime({
      ...inSyncer,
      memory: processMemory(),
      ...(inspect && { inspect }),
    })
    return this.#orEnd(this.#plugin.init(options))
  }

  register(...runnables: Parameters<Plugin['register']>): void {
    this.#plugin.register(...runnables)
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
    this.#made ??= createPluginRuntime(inSyncerOptions(process.env))
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
 * How a program that a vcluster process has started communicates with it; empty in the other modes. Takes over the
 * standard streams unless the preload has done so already.
 */
function inSyncerOptions(env: NodeJS.ProcessEnv): Pick<PluginRuntimeOptions, 'logger' | 'openSession'> {
  const streams = guardProcess(env)
  if (!streams) return {}
  return {
    logger: createLogger(env, hclogForm(streams)),
    openSession: async (options) => {
      const { openInSyncer } = await import('./in-syncer.js')
      return openInSyncer(options, { streams, onGone: endSoon })
    },
  }
}

/** Ends the process, whatever its program still waits for. */
function endSoon(): void {
  setTimeout(() => process.exit(1), goneMs).unref()
}

/**
 * The address of health and metrics: `METRICS_ADDRESS`, by default loopback on a free port; `0` serves none,
 * as with controller-runtime. The inspector is served there too if `VCLUSTER_PLUGIN_INSPECT` is `1`.
 */
async function inspectOf(env: NodeJS.ProcessEnv): Promise<PluginRuntimeOptions['inspect']> {
  const { METRICS_ADDRESS: address = '127.0.0.1:0' } = env
  if (describes(env) || address === '0') return undefined
  const { createPrometheusMetrics } = await import('../../engine/health/prometheus-metrics.js')
  return { address, metrics: createPrometheusMetrics(), inspector: env.VCLUSTER_PLUGIN_INSPECT === '1' }
}

/** The plugin of this process: `await plugin.init()`, `plugin.register(...)`, `await plugin.start()`. */
export const plugin: Plugin = new ProcessPlugin()
