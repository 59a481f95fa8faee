import { identityMethods } from '../../sdk/cnpg/calls/methods.js'
import type { CnpgCluster } from '../../sdk/cnpg/cluster/cluster.js'
import type { Method } from '../../sdk/engine/grpc/service.js'
import { type Clock, sleep } from '../../sdk/engine/time/clock.js'
import type { PluginCaller } from './caller.js'
import { type LoadedPlugin, loadPlugin } from './loaded-plugin.js'

/** A loaded plugin whose methods the operator can call. */
export interface CallablePlugin extends LoadedPlugin {
  call<Request, Response>(method: Method<Request, Response>, request: Request): Promise<Response>
}

/** The time in which all plugins of a Cluster must be loaded and probed together, in milliseconds. */
const loadMs = 5000

/** The plugins of an operator. Each is loaded once, and again after a call could not reach it. */
export class LoadedPlugins {
  readonly #callers: readonly PluginCaller[]
  readonly #clock: Clock
  readonly #loaded = new Map<PluginCaller, CallablePlugin>()

  constructor(callers: readonly PluginCaller[], clock: Clock) {
    this.#callers = callers
    this.#clock = clock
  }

  /** Loads what is not loaded, and returns the plugins in alphabetical order of their names. */
  async load(): Promise<readonly CallablePlugin[]> {
    const all = await this.#inTime(Promise.all(this.#callers.map((caller) => this.#loadOne(caller))))
    return all.toSorted((first, second) => (first.name < second.name ? -1 : 1))
  }

  /** The enabled plugins of a Cluster, after a probe of each, and the first name in the Cluster that no plugin has. */
  async of(
    cluster: CnpgCluster,
  ): Promise<{ plugins: readonly CallablePlugin[]; unknown: string | undefined }> {
    const names = pluginNames(cluster)
    const all = await this.load()
    const plugins = all.filter(({ name }) => names.has(name))
    await this.#inTime(Promise.all(plugins.map((plugin) => this.#probe(plugin))))
    const unknown = [...names].find((name) => !all.some((plugin) => plugin.name === name))
    return { plugins, unknown }
  }

  /** Closes all connections. */
  close(): void {
    for (const caller of this.#callers) caller.close()
  }

  async #loadOne(caller: PluginCaller): Promise<CallablePlugin> {
    const loaded = this.#loaded.get(caller)
    if (loaded) return loaded
    const plugin = { ...(await loadPlugin(caller)), call: caller.call.bind(caller) as PluginCaller['call'] }
    this.#loaded.set(caller, plugin)
    return plugin
  }

  /** If the probe of a connection fails, the operator drops the connection and loads the plugin again. */
  async #probe(plugin: CallablePlugin): Promise<void> {
    try {
      await plugin.call(identityMethods.probe, {})
    } catch (error) {
      for (const [caller, loaded] of this.#loaded) if (loaded === plugin) this.#loaded.delete(caller)
      throw error
    }
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const done = new AbortController()
    const late = sleep(this.#clock, loadMs, done.signal).then(
      () => Promise.reject(new Error('context deadline exceeded')),
      () => new Promise<never>(() => {}),
    )
    return Promise.race([work, late]).finally(() => done.abort(new Error('done')))
  }
}

/** The names of the enabled plugins of a Cluster, in `spec.plugins` and in `spec.externalClusters`. */
function pluginNames({ spec }: CnpgCluster): Set<string> {
  const external = (spec.externalClusters ?? []).flatMap(({ plugin }) => plugin ?? [])
  const entries = [...(spec.plugins ?? []), ...external]
  return new Set(entries.filter(({ enabled }) => enabled !== false).map(({ name }) => name))
}
