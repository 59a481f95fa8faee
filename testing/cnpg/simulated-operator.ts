/**
 * Simulates the CloudNativePG operator for plugins: it loads them, sends the objects of a Cluster through their hooks,
 * applies the patches by the rules of the operator, and restarts Pods as the operator would. There is no API server and
 * no Postgres.
 */
import type { CnpgCluster } from '../../sdk/cnpg/cluster/cluster.js'
import type { ObjectVerb } from '../../sdk/cnpg/context/verb.js'
import { OperatorOperationType_Type as Operation } from '../../sdk/cnpg/proto/gen/operator-lifecycle.js'
import type { Pod } from '../../sdk/engine/kube/builtin.js'
import { cloneJson, stringifyJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { instanceObjects, instancePod, objectsBeforePods } from './cluster-objects.js'
import { differentPart } from './different-part.js'
import { evaluatedSpec, specAnnotation, withServerFields } from './documents.js'
import { missedSockets } from './late-sockets.js'
import type { CallablePlugin, LoadedPlugins } from './loaded-plugins.js'
import { admitCluster, reconcilerHooks, runHooks, writeStatuses } from './plugin-calls.js'
import {
  type AdmittedCluster,
  endedIn,
  phases,
  type Reconciliation,
  RefusedError,
  type Rollout,
} from './reconciliation.js'

/** When the operator reconciles again by itself, in seconds. */
const retryAfterSeconds = { unknownPlugin: 10, failedPlugin: 15 }

/** The plugins of an operator; see {@link LoadedPlugins}. */
export type OperatorPlugins = Pick<LoadedPlugins, 'load' | 'of' | 'close'>

/** The operator behind `testCnpgOperator`. */
export class SimulatedOperator {
  cluster: CnpgCluster | undefined
  readonly objects = new Map<string, KubeObject>()
  readonly rollouts: Rollout[] = []
  readonly logged: string[] = []
  readonly #plugins: OperatorPlugins

  constructor(plugins: OperatorPlugins) {
    this.#plugins = plugins
  }

  get pods(): readonly Pod[] {
    return [...this.objects.values()].filter(({ kind }) => kind === 'Pod') as Pod[]
  }

  async admit(cluster: CnpgCluster, old?: CnpgCluster): Promise<AdmittedCluster> {
    return admitCluster(await this.#plugins.load(), cluster, old)
  }

  async create(cluster: CnpgCluster): Promise<Reconciliation> {
    return this.#store(await this.admit(withServerFields(cluster)))
  }

  async change(edit: (cluster: CnpgCluster) => void): Promise<Reconciliation> {
    const old = this.#stored()
    const next = cloneJson(old)
    edit(next)
    return this.#store(await this.admit(next, old))
  }

  async reconcile(): Promise<Reconciliation> {
    const cluster = this.#stored()
    const ended = await this.#reconcileIfLoaded(cluster)
    const { phaseReason: _, ...status } = cluster.status ?? {}
    const reason = ended.phaseReason === undefined ? {} : { phaseReason: ended.phaseReason }
    cluster.status = { ...status, phase: ended.phase, ...reason }
    return ended
  }

  async hook<T extends KubeObject>(verb: ObjectVerb, object: T): Promise<T> {
    const cluster = this.#stored()
    const { plugins } = await this.#plugins.of(cluster)
    return runHooks(plugins, cluster, { object, type: Operation[`TYPE_${verb}`] })
  }

  close(): void {
    this.#plugins.close()
  }

  #stored(): CnpgCluster {
    if (this.cluster) return this.cluster
    throw new Error('there is no Cluster yet: call create')
  }

  async #store({ cluster, refusals }: AdmittedCluster): Promise<Reconciliation> {
    if (refusals.length > 0) {
      const texts = refusals.map(
        ({ path, value, message }) => `${path}: Invalid value: ${JSON.stringify(value)}: ${message}`,
      )
      throw new RefusedError(`Cluster ${cluster.metadata.name} is refused: ${texts.join(', ')}`)
    }
    this.cluster = cluster
    return this.reconcile()
  }

  async #reconcileIfLoaded(cluster: CnpgCluster): Promise<Reconciliation> {
    const plugins = await this.#plugins.of(cluster).catch((error: unknown) => error as Error)
    if (plugins instanceof Error)
      return endedIn(phases.failedPlugin, {
        phaseReason: `Error while discovering plugins: ${plugins.message}`,
      })
    if (plugins.unknown !== undefined)
      return endedIn(phases.unknownPlugin, {
        phaseReason: `Unknown plugin: '${plugins.unknown}'. This may be caused by the plugin not being loaded correctly by the operator.`,
        requeueAfterSeconds: retryAfterSeconds.unknownPlugin,
      })
    return this.#reconcileObjects(cluster, plugins.plugins).catch((error: unknown) =>
      endedIn(phases.failedPlugin, {
        phaseReason: `Encountered an error while interacting with plugins: ${(error as Error).message}`,
        requeueAfterSeconds: retryAfterSeconds.failedPlugin,
      }),
    )
  }

  /** Reconciles in the order of the operator. */
  async #reconcileObjects(cluster: CnpgCluster, plugins: readonly CallablePlugin[]): Promise<Reconciliation> {
    // Operators up to 1.30 write all entries again, without the status of the plugin.
    cluster.status = {
      ...cluster.status,
      pluginStatus: plugins.map(({ name, version }) => ({ name, version })),
    }
    for (const object of objectsBeforePods(cluster)) await this.#write(cluster, plugins, object)
    const before = await reconcilerHooks(plugins, cluster, 'pre')
    if (before) return before
    for (let instance = 1; instance <= (cluster.spec.instances ?? 1); instance++)
      await this.#instance(cluster, plugins, instance)
    const missed = this.pods.flatMap((pod) => missedSockets(pod, plugins))
    this.logged.push(...missed.filter((message) => !this.logged.includes(message)))
    if (missed.length > 0)
      return endedIn(phases.waiting, { phaseReason: 'Some instances are not yet active. Please wait.' })
    const after = await reconcilerHooks(plugins, cluster, 'post')
    if (after) return after
    await writeStatuses(plugins, cluster)
    return endedIn(phases.healthy)
  }

  async #write(cluster: CnpgCluster, plugins: readonly CallablePlugin[], object: KubeObject): Promise<void> {
    const id = `${object.kind}/${object.metadata.name}`
    // A RoleBinding is created at every reconciliation, and "already exists" is ignored.
    if (this.objects.has(id) && object.kind !== 'RoleBinding') return
    this.objects.set(id, await runHooks(plugins, cluster, { object, type: Operation.TYPE_CREATE }))
  }

  async #instance(cluster: CnpgCluster, plugins: readonly CallablePlugin[], instance: number): Promise<void> {
    for (const object of instanceObjects(cluster, instance)) await this.#write(cluster, plugins, object)
    const object = instancePod(cluster, instance)
    const id = `Pod/${object.metadata.name}`
    const running = this.objects.get(id) as Pod | undefined
    const evaluated = runHooks(plugins, cluster, { object, type: Operation.TYPE_EVALUATE })
    const desiredPod = await (running ? this.#logFailure(evaluated) : evaluated)
    const changedPart = running && desiredPod && differentPart(evaluatedSpec(running), desiredPod.spec)
    if (!desiredPod || (running && !changedPart)) return
    if (changedPart) this.rollouts.push({ pod: desiredPod.metadata.name ?? '', part: changedPart })
    // The spec after EVALUATE is kept in an annotation, and is what the next reconciliation compares.
    const { annotations } = desiredPod.metadata
    desiredPod.metadata.annotations = { ...annotations, [specAnnotation]: stringifyJson(desiredPod.spec) }
    this.objects.set(
      id,
      await runHooks(plugins, cluster, { object: desiredPod, type: Operation.TYPE_CREATE }),
    )
  }

  /** Logs a failure of the hooks for a running Pod: it does not make the Cluster unhealthy. */
  async #logFailure(evaluated: Promise<Pod>): Promise<Pod | undefined> {
    return evaluated.catch((error: unknown) => {
      this.logged.push(`while checking if pod needs rollout: ${(error as Error).message}`)
      return undefined
    })
  }
}
