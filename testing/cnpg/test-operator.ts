/**
 * Simulates the CloudNativePG operator for one plugin, in the same process: it loads the plugin, sends the objects of a Cluster
 * through the hooks, applies the patches by the rules of the operator, and restarts Pods as the operator would. There is no
 * API server, no Postgres and no other plugin.
 */
import type { Cluster } from '../../sdk/cnpg/cluster/cluster.js'
import { pluginEntry } from '../../sdk/cnpg/cluster/plugin-entry.js'
import type { CnpgPlugin } from '../../sdk/cnpg/cnpg-plugin.js'
import { PluginRuntime } from '../../sdk/cnpg/plugin.js'
import { IdentityService } from '../../sdk/cnpg/proto/gen/identity.js'
import {
  OperatorService,
  OperatorCapability_RPC_Type as OperatorType,
} from '../../sdk/cnpg/proto/gen/operator.js'
import {
  OperatorOperationType_Type as Operation,
  OperatorLifecycleService,
} from '../../sdk/cnpg/proto/gen/operator-lifecycle.js'
import {
  ReconcilerHooksResult_Behavior as Behavior,
  ReconcilerHooksCapability_Kind as Kind,
  ReconcilerHooksService,
} from '../../sdk/cnpg/proto/gen/reconciler.js'
import type { Pod } from '../../sdk/kube/builtin.js'
import { cloneJson, stringifyJson } from '../../sdk/kube/json.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import { Caller } from './caller.js'
import { earlyObjects, instanceObjects, instancePod } from './cluster-objects.js'
import { differentPart } from './different-part.js'
import { bytes, parsedSpec, patched, specAnnotation, withIdentity } from './documents.js'
import { type LoadedPlugin, loadPlugin, verbOf } from './loaded-plugin.js'
import {
  type AdmittedCluster,
  phases,
  type Reconciliation,
  type Rollout,
  refusalOf,
  stopped,
} from './reconciliation.js'

/** A simulated operator; see {@link testCnpgOperator}. */
export interface TestCnpgOperator {
  /** The Cluster, with the status that the operator and the plugin wrote; undefined before `create`. */
  readonly cluster: Cluster | undefined
  /** All objects of the Cluster after the hooks, by `Kind/name`. */
  readonly objects: ReadonlyMap<string, KubeObject>
  /** The Pods of the instances. */
  readonly pods: readonly Pod[]
  /** Restarts of Pods since `create`. */
  readonly rollouts: readonly Rollout[]
  /** Sends a Cluster through admission: its defaults, and the refusals of the plugin. `old` is the stored Cluster of a change. */
  admit(cluster: Cluster, old?: Cluster): Promise<AdmittedCluster>
  /** Admits a Cluster and reconciles it. Throws an `Error` with all refusals if it is not admitted. */
  create(cluster: Cluster): Promise<Reconciliation>
  /** Admits a change of the Cluster and reconciles it. Throws an `Error` with all refusals if it is not admitted. */
  change(edit: (cluster: Cluster) => void): Promise<Reconciliation>
  /** Reconciles the Cluster once. */
  reconcile(): Promise<Reconciliation>
}

/** Simulates the operator. */
export class SimulatedOperator implements TestCnpgOperator {
  cluster: Cluster | undefined
  readonly objects = new Map<string, KubeObject>()
  readonly rollouts: Rollout[] = []
  readonly #caller: Caller
  readonly #loaded: LoadedPlugin

  /** Made by {@link testCnpgOperator}. */
  constructor(caller: Caller, loaded: LoadedPlugin) {
    this.#caller = caller
    this.#loaded = loaded
  }

  get pods(): readonly Pod[] {
    return [...this.objects.values()].filter(({ kind }) => kind === 'Pod') as Pod[]
  }

  async admit(cluster: Cluster, old?: Cluster): Promise<AdmittedCluster> {
    const isDeclared = (type: OperatorType) => this.#loaded.operator.includes(type)
    let admitted = cloneJson(cluster)
    if (isDeclared(OperatorType.TYPE_MUTATE_CLUSTER)) {
      const { jsonPatch } = await this.#caller.call(OperatorService.mutateCluster, {
        definition: bytes(cluster),
      })
      admitted = patched(admitted, jsonPatch)
    }
    const errors =
      old && isDeclared(OperatorType.TYPE_VALIDATE_CLUSTER_CHANGE)
        ? await this.#caller.call(OperatorService.validateClusterChange, {
            oldCluster: bytes(old),
            newCluster: bytes(admitted),
          })
        : !old && isDeclared(OperatorType.TYPE_VALIDATE_CLUSTER_CREATE)
          ? await this.#caller.call(OperatorService.validateClusterCreate, { definition: bytes(admitted) })
          : { validationErrors: [] }
    return { cluster: admitted, refusals: errors.validationErrors.map(refusalOf) }
  }

  async create(cluster: Cluster): Promise<Reconciliation> {
    return this.#store(await this.admit(withIdentity(cluster)))
  }

  async change(edit: (cluster: Cluster) => void): Promise<Reconciliation> {
    const old = this.#stored()
    const next = cloneJson(old)
    edit(next)
    return this.#store(await this.admit(next, old))
  }

  async reconcile(): Promise<Reconciliation> {
    const cluster = this.#stored()
    const ended = await this.#reconcile(cluster)
    cluster.status = {
      ...cluster.status,
      phase: ended.phase,
      ...(ended.phaseReason !== undefined && { phaseReason: ended.phaseReason }),
    }
    return ended
  }

  #stored(): Cluster {
    if (this.cluster) return this.cluster
    throw new Error('there is no Cluster yet: call create')
  }

  async #store({ cluster, refusals }: AdmittedCluster): Promise<Reconciliation> {
    if (refusals.length > 0) {
      const texts = refusals.map(
        ({ path, value, message }) => `${path}: Invalid value: ${JSON.stringify(value)}: ${message}`,
      )
      throw new Error(`Cluster ${cluster.metadata.name} is refused: ${texts.join(', ')}`)
    }
    this.cluster = cluster
    return this.reconcile()
  }

  async #reconcile(cluster: Cluster): Promise<Reconciliation> {
    const { name } = this.#loaded
    const unknown = (cluster.spec.plugins ?? []).find((one) => one.enabled !== false && one.name !== name)
    if (unknown)
      return stopped(
        phases.unknownPlugin,
        `Unknown plugin: '${unknown.name}'. This may be caused by the plugin not being loaded correctly by the operator.`,
      )
    if (pluginEntry(cluster, name)?.isEnabled !== true) return stopped(phases.healthy)
    try {
      return await this.#pass(cluster)
    } catch (error) {
      return stopped(
        phases.failedPlugin,
        `Encountered an error while interacting with plugins: ${(error as Error).message}`,
      )
    }
  }

  /** The order of one reconciliation of the operator. */
  async #pass(cluster: Cluster): Promise<Reconciliation> {
    await this.#caller.call(IdentityService.probe, {})
    this.#showPlugin(cluster)
    for (const object of earlyObjects(cluster)) await this.#write(cluster, object)
    const before = await this.#hook(cluster, 'pre')
    if (before) return before
    for (let instance = 1; instance <= (cluster.spec.instances ?? 1); instance++)
      await this.#instance(cluster, instance)
    const after = await this.#hook(cluster, 'post')
    if (after) return after
    await this.#status(cluster)
    return stopped(phases.healthy)
  }

  /** Operators up to 1.30 write the entry anew, without the status of the plugin. */
  #showPlugin(cluster: Cluster): void {
    const { name, version } = this.#loaded
    cluster.status = { ...cluster.status, pluginStatus: [{ name, version }] }
  }

  async #write(cluster: Cluster, object: KubeObject): Promise<void> {
    const id = `${object.kind}/${object.metadata.name}`
    // A RoleBinding is created at every reconciliation, and "already exists" is ignored.
    if (this.objects.has(id) && object.kind !== 'RoleBinding') return
    this.objects.set(id, await this.#hooked(cluster, object, Operation.TYPE_CREATE))
  }

  async #instance(cluster: Cluster, instance: number): Promise<void> {
    for (const object of instanceObjects(cluster, instance)) await this.#write(cluster, object)
    const wanted = await this.#hooked(cluster, instancePod(cluster, instance), Operation.TYPE_EVALUATE)
    const id = `Pod/${wanted.metadata.name}`
    const running = this.objects.get(id) as Pod | undefined
    const part = running && differentPart(parsedSpec(running), wanted.spec)
    if (running && !part) return
    if (part) this.rollouts.push({ pod: wanted.metadata.name ?? '', part })
    // The spec after EVALUATE is kept in an annotation, and is what the next reconciliation compares.
    const { annotations } = wanted.metadata
    wanted.metadata.annotations = { ...annotations, [specAnnotation]: stringifyJson(wanted.spec) }
    this.objects.set(id, await this.#hooked(cluster, wanted, Operation.TYPE_CREATE))
  }

  async #hooked<T extends KubeObject>(cluster: Cluster, object: T, type: Operation): Promise<T> {
    const group = object.apiVersion?.includes('/') ? object.apiVersion.split('/')[0] : ''
    if (!this.#loaded.hooked.has(`${group}/${object.kind} ${verbOf(type)}`)) return object
    const { jsonPatch } = await this.#caller.call(OperatorLifecycleService.lifecycleHook, {
      operationType: { type },
      clusterDefinition: bytes(cluster),
      objectDefinition: bytes(object),
    })
    return patched(object, jsonPatch)
  }

  async #hook(cluster: Cluster, call: 'pre' | 'post'): Promise<Reconciliation | undefined> {
    if (!this.#loaded.reconciled.includes(Kind.KIND_CLUSTER)) return undefined
    const definition = bytes(cluster)
    const { behavior, requeueAfter } = await this.#caller.call(ReconcilerHooksService[call], {
      clusterDefinition: definition,
      resourceDefinition: definition,
    })
    const phase = call === 'post' ? phases.healthy : (cluster.status?.phase ?? '')
    if (behavior === Behavior.BEHAVIOR_REQUEUE)
      return { phase, phaseReason: undefined, requeueAfterSeconds: requeueAfter }
    return behavior === Behavior.BEHAVIOR_TERMINATE ? stopped(phase) : undefined
  }

  async #status(cluster: Cluster): Promise<void> {
    if (!this.#loaded.operator.includes(OperatorType.TYPE_SET_STATUS_IN_CLUSTER)) return
    const { jsonStatus } = await this.#caller.call(OperatorService.setStatusInCluster, {
      cluster: bytes(cluster),
    })
    const [shown] = cluster.status?.pluginStatus ?? []
    if (jsonStatus.length > 0 && shown) shown.status = jsonStatus.toString()
  }
}

/**
 * Loads a plugin as the operator does, in the same process. `plugin.start` is not called. Hooks of `EVALUATE` must be
 * deterministic and idempotent: make the plugin with {@link testCnpgPlugin}, and they are tried at each call.
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
export async function testCnpgOperator<P>(plugin: CnpgPlugin<P>): Promise<TestCnpgOperator> {
  if (!(plugin instanceof PluginRuntime))
    throw new TypeError('testCnpgOperator needs a plugin of createPlugin or testCnpgPlugin')
  const caller = new Caller(plugin as unknown as PluginRuntime<never>)
  return new SimulatedOperator(caller, await loadPlugin(caller))
}
