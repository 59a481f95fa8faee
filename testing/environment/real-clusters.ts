import { setTimeout as sleep } from 'node:timers/promises'
import { RealCluster } from './real-cluster.js'
import { RealTimeWork } from './real-time-work.js'
import type { TestEnvironment } from './test-environment.js'

/** Options of {@link realClusters}. */
export interface RealClustersOptions {
  /** Path of an administrator's kubeconfig for the cluster that acts as the virtual cluster. */
  virtual: string
  /** Path of an administrator's kubeconfig for the host cluster. */
  host: string
  /**
   * The time without events after which the clusters count as quiet, in milliseconds of real time; default
   * 60.
   */
  quietMs?: number
}

const tickMs = 5

/**
 * Runs scenarios on two existing clusters, for example two API servers of
 * [envtest](https://book.kubebuilder.io/reference/envtest). Faults are injected between the clusters and the plugin; the
 * plugin's time stays virtual. No other program may use the clusters during a run.
 *
 * After a run, the objects that it created are deleted. The target namespace on the host is created once and kept.
 *
 * @example
 * ```ts
 * const environment = realClusters({ virtual: '/tmp/virtual.kubeconfig', host: '/tmp/host.kubeconfig' })
 * await exhaustCrashes({
 *   environment,
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: {
 *     'a namespace is created': ({ virtual }) => virtual.create(namespaces, { metadata: { name: 'team' } }),
 *   },
 * })
 * ```
 */
export function realClusters({ virtual, host, quietMs = 60 }: RealClustersOptions): TestEnvironment {
  return {
    async open() {
      const realTimeWork = new RealTimeWork()
      const clusters = { virtual: await RealCluster.open(virtual), host: await RealCluster.open(host) }
      return {
        ...clusters,
        // A tick lasts until no request is pending, because a slow answer is not quiet.
        tick: async () => {
          do await sleep(tickMs)
          while (clusters.virtual.isBusy || clusters.host.isBusy || realTimeWork.isPending())
        },
        quietTicks: Math.ceil(quietMs / tickMs),
        close: async () => {
          await clusters.host.close()
          await clusters.virtual.close()
        },
      }
    },
  }
}
