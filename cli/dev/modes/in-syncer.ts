import type { Clock } from '../../../sdk/engine/time/clock.js'
import { programEnvironment } from '../../../simulator/in-syncer/start-program.js'
import {
  startInterceptingVCluster,
  type VClusterWithPlugins,
} from '../../../simulator/in-syncer/vcluster-with-plugins.js'
import type { DevClusters } from '../../clusters/clusters.js'
import type { KubeconfigFiles } from '../../clusters/kubeconfigs.js'
import { writePluginKubeconfigs } from '../../clusters/plugin-kubeconfigs.js'
import type { Exit, PluginProcess, SpawnedPlugin } from '../../program/plugin-process.js'
import { hooksNote, ownSyncersOf } from './own-syncers.js'
import type { PluginRunner, PluginRunnerOptions } from './plugin-runner.js'

/**
 * Runs a program that the vcluster process starts in its own container: vcluster's plugin protocol v2. Each start of
 * the plugin also starts the vcluster process.
 */
export function inSyncerRunner(options: PluginRunnerOptions): PluginRunner {
  const { launch, env, restartPlugin } = options
  let clusters: OpenClusters | undefined
  return {
    startsBeforeClusters: false,
    async open(opened: DevClusters) {
      clusters = { ...opened, files: await writePluginKubeconfigs(opened) }
      return `starts the plugin inside its container${hooksNote(opened.host)}`
    },
    start() {
      if (!clusters) throw new Error('start() was called before open()')
      const { PLUGIN_CONFIG } = env
      const plugin = launch({
        ...programEnvironment(),
        ...(PLUGIN_CONFIG !== undefined && { PLUGIN_CONFIG }),
      })
      return new InSyncerPlugin(plugin, clusters, options)
    },
    async restartVCluster() {
      await restartPlugin()
      return 'restarted with the plugin'
    },
  }
}

/** The clusters of a run, with the kubeconfigs of the plugin. */
interface OpenClusters extends DevClusters {
  files: KubeconfigFiles
}

/** The plugin's process together with the simulated vcluster process that started it. */
class InSyncerPlugin implements PluginProcess {
  readonly exited: Promise<Exit>
  readonly #plugin: SpawnedPlugin
  #vcluster: VClusterWithPlugins | undefined

  constructor(plugin: SpawnedPlugin, clusters: OpenClusters, options: PluginRunnerOptions) {
    this.#plugin = plugin
    const refusal = this.#startVCluster(clusters, options).then(
      () => undefined,
      (error: Error) => error,
    )
    this.exited = this.#untilExited(refusal)
  }

  get pid(): number {
    return this.#plugin.pid
  }

  async terminate(clock: Clock): Promise<void> {
    await this.#plugin.terminate(clock)
    await this.exited
  }

  kill(): void {
    this.#plugin.kill()
  }

  /** Starts the vcluster process, and lets requests to the virtual cluster pass through the interceptors. */
  async #startVCluster(clusters: OpenClusters, options: PluginRunnerOptions): Promise<void> {
    const { plugin, vclusterName: name, onLine, onMessage, onUp } = options
    const vcluster = await startInterceptingVCluster({
      programs: [{ folder: plugin.path, child: this.#plugin.child, onPrint: onLine }],
      virtualKubeconfigFile: clusters.files.virtual,
      hostKubeconfig: clusters.host.pluginKubeconfig,
      ownHostKubeconfig: clusters.host.ownKubeconfig,
      name,
      currentNamespace: clusters.targetNamespace,
      ...ownSyncersOf(clusters.host),
    })
    this.#vcluster = vcluster
    const { interceptBy, url } = clusters.virtual
    interceptBy?.((request, response) => vcluster.intercept(request, response))
    await vcluster.lead()
    onMessage(`leads; interceptors see requests to ${interceptBy ? url : vcluster.url}`)
    onUp()
  }

  /** Resolves with the plugin's exit; its failure is vcluster's error if the plugin reports none. */
  async #untilExited(vclusterError: Promise<Error | undefined>): Promise<Exit> {
    const exit = await this.#plugin.exited
    const refusal = await vclusterError
    await this.#vcluster?.stop()
    return { ...exit, failure: exit.failure ?? (refusal && { message: refusal.message }) }
  }
}
