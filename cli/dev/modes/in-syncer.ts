import type { Clock } from '../../../sdk/time/clock.js'
import {
  programEnvironment,
  startVClusterWithPlugins,
  type VClusterWithPlugins,
} from '../../../simulator/in-syncer/vcluster-with-plugins.js'
import type { DevClusters } from '../../clusters/clusters.js'
import type { KubeconfigFiles } from '../../clusters/kubeconfigs.js'
import { writePluginKubeconfigs } from '../../clusters/plugin-kubeconfigs.js'
import type { Exit, PluginProcess, SpawnedPlugin } from '../../program/plugin-process.js'
import { mirrorsOf, withoutHooks } from './own-syncers.js'
import type { PluginPlace, PluginPlaceParts } from './plugin-runner.js'

/**
 * A program that the vcluster process starts in its own container: vcluster's plugin protocol v2. Each start of the plugin
 * is one of the vcluster process, too.
 */
export function insideVCluster(parts: PluginPlaceParts): PluginPlace {
  const { launch, env, restartPlugin } = parts
  let clusters: OpenInside | undefined
  return {
    isPatient: false,
    async open(opened: DevClusters) {
      clusters = { ...opened, files: await writePluginKubeconfigs(opened) }
      return `starts the plugin inside its container${withoutHooks(opened.host)}`
    },
    start() {
      if (!clusters) throw new Error('the plugin was started before its clusters')
      const { PLUGIN_CONFIG } = env
      const plugin = launch({
        ...programEnvironment(),
        ...(PLUGIN_CONFIG !== undefined && { PLUGIN_CONFIG }),
      })
      return new InsidePlugin(plugin, clusters, parts)
    },
    async restartVCluster() {
      await restartPlugin()
      return 'restarted with the plugin'
    },
  }
}

interface OpenInside extends DevClusters {
  files: KubeconfigFiles
}

class InsidePlugin implements PluginProcess {
  readonly exited: Promise<Exit>
  readonly #plugin: SpawnedPlugin
  #vcluster: VClusterWithPlugins | undefined

  constructor(plugin: SpawnedPlugin, clusters: OpenInside, parts: PluginPlaceParts) {
    this.#plugin = plugin
    const refused = this.#startVCluster(clusters, parts).then(
      () => undefined,
      (error: Error) => error,
    )
    this.exited = this.#untilExited(refused)
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

  async #startVCluster(clusters: OpenInside, parts: PluginPlaceParts): Promise<void> {
    const { plugin, vclusterName: name, onLine, onPlaceLine, onUp } = parts
    const vcluster = await startVClusterWithPlugins({
      programs: [{ folder: plugin.path, child: this.#plugin.child, onPrint: onLine }],
      virtualKubeconfigFile: clusters.files.virtual,
      hostKubeconfig: clusters.host.pluginKubeconfig,
      ownHostKubeconfig: clusters.host.ownKubeconfig,
      name,
      currentNamespace: clusters.targetNamespace,
      ...mirrorsOf(clusters.host),
    })
    this.#vcluster = vcluster
    const { interceptBy, url } = clusters.virtual
    interceptBy?.((request, response) => vcluster.intercept(request, response))
    await vcluster.lead()
    onPlaceLine(`leads; interceptors see requests to ${interceptBy ? url : vcluster.url}`)
    onUp()
  }

  /** What vcluster has against the plugin is the reason of its end where the plugin does not name one. */
  async #untilExited(refused: Promise<Error | undefined>): Promise<Exit> {
    const exit = await this.#plugin.exited
    const refusal = await refused
    await this.#vcluster?.stop()
    return { ...exit, failure: exit.failure ?? (refusal && { message: refusal.message }) }
  }
}
