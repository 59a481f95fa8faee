import type { CnpgCluster } from '../../sdk/cnpg/cluster/cluster.js'
import type { CnpgPlugin } from '../../sdk/cnpg/cnpg-plugin.js'
import type { ObjectVerb } from '../../sdk/cnpg/context/verb.js'
import { PluginRuntime } from '../../sdk/cnpg/plugin.js'
import type { Pod } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { type Clock, systemClock } from '../../sdk/engine/time/clock.js'
import type { PluginCaller } from './caller.js'
import { InProcessCaller } from './in-process-caller.js'
import { LoadedPlugins } from './loaded-plugins.js'
import type { AdmittedCluster, Reconciliation, Rollout } from './reconciliation.js'
import { type PluginAddress, type PluginSocket, RemoteCaller } from './remote-caller.js'
import { SimulatedOperator } from './simulated-operator.js'

/** A simulated operator; see {@link testCnpgOperator}. */
export interface TestCnpgOperator {
  /** The Cluster, with the status that the operator and the plugins wrote; undefined before `create`. */
  readonly cluster: CnpgCluster | undefined
  /** All objects of the Cluster after the hooks, by `Kind/name`. */
  readonly objects: ReadonlyMap<string, KubeObject>
  /** The Pods of the instances. */
  readonly pods: readonly Pod[]
  /** Restarts of Pods since `create`. */
  readonly rollouts: readonly Rollout[]
  /**
   * Errors that the operator and the instances only log: `EVALUATE` failed for a Pod that runs, and the Cluster stays
   * healthy; or an instance does not find the socket of a sidecar, and the Cluster waits for it.
   */
  readonly logged: readonly string[]
  /**
   * Sends a Cluster through admission: its defaults, and the refusals of the plugins. `old` is the stored Cluster of a
   * change.
   */
  admit(cluster: CnpgCluster, old?: CnpgCluster): Promise<AdmittedCluster>
  /** Admits a Cluster and reconciles it. Throws an `Error` with all refusals if it is not admitted. */
  create(cluster: CnpgCluster): Promise<Reconciliation>
  /** Admits a change of the Cluster and reconciles it. Throws an `Error` with all refusals if it is not admitted. */
  change(edit: (cluster: CnpgCluster) => void): Promise<Reconciliation>
  /** Reconciles the Cluster once. */
  reconcile(): Promise<Reconciliation>
  /**
   * Sends one object through the hooks of a verb, and returns the changed object. Throws an `Error` with the text of
   * the plugin.
   */
  hook<T extends KubeObject>(verb: ObjectVerb, object: T): Promise<T>
  /** Closes the connections to plugins at a socket or an address. */
  close(): void
}

/** A plugin for the simulated operator: in this process, at a socket, or behind mutual TLS. */
export type CnpgPluginTarget<P = never> = CnpgPlugin<P> | PluginSocket | PluginAddress

/** Options of {@link testCnpgOperator}. */
export interface TestCnpgOperatorOptions {
  /** Measures the 5 s in which plugins must be loaded and probed; default the machine's clock. */
  clock?: Clock
}

/**
 * Loads plugins as the operator does. A plugin in this process needs no `start`: make it with `testCnpgPlugin`, and its
 * hooks of `EVALUATE` are tried at each call. A plugin at a socket or an address may be any program that runs. Several
 * plugins are called in alphabetical order, each on the output of the one before. Rejects if a plugin cannot be loaded.
 *
 * @example
 * ```ts
 * const plugin = testCnpgPlugin({ name: 'hello.example.org', version: '0.1.0' })
 * plugin.pods({
 *   instance(_ctx, pod) {
 *     pod.metadata.labels = { ...pod.metadata.labels, greeting: 'hello' }
 *   },
 * })
 * const operator = await testCnpgOperator(plugin)
 * const spec = { plugins: [{ name: 'hello.example.org' }] }
 * await operator.create({ metadata: { name: 'db' }, spec })
 * console.log(operator.pods[0]?.metadata.labels?.greeting) // hello
 * ```
 */
export async function testCnpgOperator<P>(
  plugins: CnpgPluginTarget<P> | readonly CnpgPluginTarget<P>[],
  { clock = systemClock }: TestCnpgOperatorOptions = {},
): Promise<TestCnpgOperator> {
  const targets = Array.isArray(plugins) ? (plugins as readonly CnpgPluginTarget<P>[]) : [plugins]
  const loaded = new LoadedPlugins(
    targets.map((target) => callerOf(target as CnpgPluginTarget<P>)),
    clock,
  )
  try {
    await loaded.load()
  } catch (error) {
    loaded.close()
    throw error
  }
  return new SimulatedOperator(loaded)
}

function callerOf<P>(target: CnpgPluginTarget<P>): PluginCaller {
  if (target instanceof PluginRuntime) return new InProcessCaller(target as unknown as PluginRuntime<never>)
  if ('socket' in target || 'serverName' in target) return new RemoteCaller(target)
  throw new TypeError(
    'testCnpgOperator needs a plugin of createCnpgPlugin or testCnpgPlugin, a socket or an address',
  )
}
