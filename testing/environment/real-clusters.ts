import { setTimeout as sleep } from 'node:timers/promises'
import { RealCluster } from './real-cluster.js'
import { RealTimeWork } from './real-time-work.js'
import type { OperatorEnvironment, RunClusters, TestEnvironment } from './test-environment.js'

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
 * [envtest](https://book.kubebuilder.io/reference/envtest). Faults are injected between the clusters and the plugin;
 * the plugin's time stays virtual. No other program may use the clusters during a run.
 *
 * After a run, the objects that it created are deleted, except namespaces and definitions. If a later run of the same
 * environment creates one of these again, it is replaced; those that were there before are not touched.
 *
 * @example
 * ```ts
 * const environment = realClusters({ virtual: '/tmp/virtual.kubeconfig', host: '/tmp/host.kubeconfig' })
 * await exhaust({
 *   environment,
 *   register: (plugin, ctx) => plugin.register(mirrorDown(ctx, configMaps)),
 *   steps: {
 *     'a namespace is created': ({ virtual }) => virtual.create(namespaces, { metadata: { name: 'team' } }),
 *   },
 * }, { faults: ['crashes'] })
 * ```
 */
export function realClusters({ virtual, host, quietMs = 60 }: RealClustersOptions): TestEnvironment {
  const kept = new Set<string>()
  return {
    async open() {
      const clusters = {
        virtual: await RealCluster.open(virtual, kept),
        host: await RealCluster.open(host, kept),
      }
      return { ...clusters, ...runOn([clusters.host, clusters.virtual], quietMs) }
    },
  }
}

/** Options of {@link realOperatorClusters}. */
export interface RealOperatorClustersOptions extends Pick<RealClustersOptions, 'quietMs'> {
  /** Paths of administrators' kubeconfigs, by the names of the clusters. */
  kubeconfigs: Readonly<Record<string, string>>
}

/**
 * Runs the scenarios of an operator on existing clusters, as {@link realClusters} does for a plugin. The definitions of
 * a scenario are created once and kept.
 *
 * @example
 * ```ts
 * const scenario = operatorScenario({
 *   environment: realOperatorClusters({ kubeconfigs: { main: '/tmp/main.kubeconfig' } }),
 *   register: (operator) => operator.register(backupController),
 *   definitions: [crdOf(backups)],
 *   steps: { 'a backup is created': ({ client }) => client.create(backups, backup) },
 * })
 * await exhaust(scenario, { faults: ['crashes'] })
 * ```
 */
export function realOperatorClusters({
  kubeconfigs,
  quietMs = 60,
}: RealOperatorClustersOptions): OperatorEnvironment {
  const kept = new Set<string>()
  return {
    async open(names) {
      const opened: [string, RealCluster][] = []
      for (const name of names)
        opened.push([name, await RealCluster.open(kubeconfigOf(kubeconfigs, name), kept)])
      return {
        byName: Object.fromEntries(opened),
        ...runOn(
          opened.map(([, cluster]) => cluster),
          quietMs,
        ),
      }
    },
  }
}

function kubeconfigOf(kubeconfigs: Readonly<Record<string, string>>, name: string): string {
  const file = kubeconfigs[name]
  if (file !== undefined) return file
  throw new TypeError(`realOperatorClusters: kubeconfigs has no cluster ${name}, which the scenario names`)
}

function runOn(clusters: readonly RealCluster[], quietMs: number): RunClusters {
  const realTimeWork = new RealTimeWork()
  return {
    // A tick lasts until no request is pending, because a slow answer is not quiet.
    tick: async () => {
      do await sleep(tickMs)
      while (clusters.some(({ isBusy }) => isBusy) || realTimeWork.isPending())
    },
    quietTicks: Math.ceil(quietMs / tickMs),
    close: async () => {
      const closed = await Promise.allSettled(clusters.map((cluster) => cluster.close()))
      for (const result of closed) if (result.status === 'rejected') throw result.reason
    },
  }
}
