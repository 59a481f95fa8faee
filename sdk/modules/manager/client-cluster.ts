// Implements the cluster of a Module with a client, whose writes all pass the write gate of the operator.

import type { Client } from '../../engine/client/client.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import { isConflict, isNotFound } from '../../engine/kube/error.js'
import { formatKey } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { type Clock, sleep } from '../../engine/time/clock.js'
import { mayRefer, type Owner, ownerReference } from '../../operator/owner/owner.js'
import { checkedTime } from './checked-time.js'
import { isReady } from './is-ready.js'
import type {
  ClusterCallOptions,
  KnownReplicas,
  ListQuery,
  ModuleCluster,
  ModuleObjectReference,
} from './module-cluster.js'
import { checkNamespaceLimit } from './namespace-limit.js'
import { type ScalingCluster, scaleDown, scaleUp, type WorkloadName } from './scaling.js'
import type { Target } from './target.js'
import { TargetFinder } from './target-finder.js'

/** The label of the objects of a Module: its UID. */
export const moduleLabel = 'forkspacer.com/module'

/** No object has this resourceVersion: an apply with it creates an object, and is refused if the object exists. */
const noResourceVersion = '1'

/** The interval of checks whether objects are ready, in milliseconds. */
const recheckMs = 1_000

/** Options of {@link clientCluster}. */
export interface ClientClusterOptions {
  /** Sends the calls. */
  readonly client: Client
  /** The cluster of the client. */
  readonly cluster: Pick<Cluster, 'name' | 'served'>
  /** The Module. */
  readonly owner: Owner
  /** The name under which the API server remembers the applied fields. */
  readonly fieldManager: string
  readonly clock: Clock
  /** The namespace that the manager may use. Default: all, and objects without one. */
  readonly namespace?: string | undefined
  /**
   * Called with the resource of each object that is applied or deleted and has no owner reference: Kubernetes does not
   * delete it with the Module. Default: nothing.
   */
  readonly onUnownedWrite?: ((resource: Resource) => void) | undefined
  /**
   * Called with the workloads that are about to be put to sleep; nothing is written before it resolves. Default:
   * nothing.
   */
  readonly onSleep?: ((workloads: readonly WorkloadName[]) => Promise<void>) | undefined
  /**
   * Whether a StatefulSet whose policy deletes its volumes keeps them during a sleep. Default: it is refused.
   */
  readonly keepVolumes?: boolean | undefined
}

/** Creates the cluster of a Module for its manager. */
export function clientCluster(options: ClientClusterOptions): ModuleCluster {
  return new ClientCluster(options)
}

class ClientCluster implements ModuleCluster {
  readonly #options: ClientClusterOptions
  readonly #targets: TargetFinder

  constructor(options: ClientClusterOptions) {
    this.#options = options
    this.#targets = new TargetFinder(options)
  }

  async get(
    reference: ModuleObjectReference,
    options: ClusterCallOptions = {},
  ): Promise<KubeObject | undefined> {
    return this.#read(await this.#targets.find(reference), options)
  }

  async list(
    { apiVersion, kind, namespace, labelSelector }: ListQuery,
    options: ClusterCallOptions = {},
  ): Promise<KubeObject[]> {
    const resource = await this.#targets.resourceOf(apiVersion, kind)
    checkNamespaceLimit(this.#options, { resource, namespace })
    const { items } = await this.#options.client.listAll(resource, {
      ...(namespace !== undefined && { namespace }),
      ...(labelSelector !== undefined && { labelSelector }),
      ...callOf(options),
    })
    return items.map((item) => ({ ...item, apiVersion, kind }))
  }

  async apply(objects: readonly KubeObject[], options: ClusterCallOptions = {}): Promise<KubeObject[]> {
    const applied: KubeObject[] = []
    for (const object of objects) applied.push(await this.#apply(object, options))
    return applied
  }

  async delete(objects: readonly ModuleObjectReference[], options: ClusterCallOptions = {}): Promise<void> {
    for (const object of [...objects].reverse()) await this.#delete(await this.#targets.find(object), options)
  }

  async scaleDown(
    objects: ModuleObjectReference | readonly ModuleObjectReference[],
    options: ClusterCallOptions & { readonly known?: unknown } = {},
  ): Promise<KnownReplicas[]> {
    return scaleDown(this.#scaling, asList(objects), options)
  }

  async scaleUp(
    workloads: unknown,
    options: ClusterCallOptions & { readonly known?: unknown } = {},
  ): Promise<void> {
    await scaleUp(this.#scaling, workloads, options)
  }

  get #scaling(): ScalingCluster {
    const { client, owner, keepVolumes, onSleep } = this.#options
    return {
      calls: { client, keepVolumes },
      namespace: owner.key.namespace,
      onSleep,
      targetOf: (reference) => this.#targets.find(reference),
      read: (target, options) => this.#read(target, options),
      checkOwn: (target, live) => this.#checkOwn(target, live),
    }
  }

  async wait(
    objects: ModuleObjectReference | readonly ModuleObjectReference[],
    { timeoutMs, ...options }: ClusterCallOptions & { readonly timeoutMs: number },
  ): Promise<void> {
    const { clock } = this.#options
    const endMs = clock.now() + checkedTime(timeoutMs, 'cluster.wait: timeoutMs')
    const waiting = await Promise.all(asList(objects).map((one) => this.#targets.find(one)))
    for (;;) {
      const [first] = waiting
      if (!first) return
      const live = await this.#read(first, options)
      if (live && isReady(live, first.resource)) waiting.shift()
      else if (clock.now() >= endMs)
        throw new Error(
          `${nameOf(first)} is not ready after ${timeoutMs / 1000} s; look at its status and Events, or raise timeoutMs if it only needs more time`,
        )
      else await sleep(clock, Math.min(recheckMs, endMs - clock.now()), options.signal)
    }
  }

  async #apply(object: KubeObject, options: ClusterCallOptions): Promise<KubeObject> {
    const { apiVersion = '', kind = '', metadata } = object
    const target = await this.#targets.find({
      apiVersion,
      kind,
      metadata: { ...metadata, name: metadata.name ?? '' },
    })
    this.#noteWrite(target)
    const live = await this.#read(target, options)
    if (live) this.#checkOwn(target, live)
    if (live?.metadata.deletionTimestamp)
      throw new Error(`${nameOf(target)} is being deleted; it is applied again when it is gone`)
    const { client, fieldManager } = this.#options
    const ownMetadata = this.#ownMetadata(object, target)
    const precondition = live ? { uid: live.metadata.uid } : { resourceVersion: noResourceVersion }
    return client.patch(target.resource, target.key, {
      type: 'apply',
      fieldManager,
      force: true,
      body: { ...object, metadata: { ...ownMetadata, ...precondition } },
      ...callOf(options),
    })
  }

  #ownMetadata({ metadata }: KubeObject, target: Target): KubeObject['metadata'] {
    const { key } = target
    const { owner } = this.#options
    const { name, annotations, finalizers, labels } = metadata
    return {
      ...(name !== undefined && { name }),
      ...(key.namespace && { namespace: key.namespace }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      labels: { ...labels, [moduleLabel]: owner.uid },
      ...(this.#isOwned(target) && {
        ownerReferences: [{ ...ownerReference(owner), blockOwnerDeletion: false }],
      }),
    }
  }

  /** Whether an object gets an owner reference to the Module. */
  #isOwned({ key }: Target): boolean {
    const { owner, cluster } = this.#options
    return mayRefer(owner, { cluster: cluster.name, namespace: key.namespace })
  }

  #noteWrite(target: Target): void {
    if (!this.#isOwned(target)) this.#options.onUnownedWrite?.(target.resource)
  }

  async #delete(target: Target, options: ClusterCallOptions): Promise<void> {
    this.#noteWrite(target)
    const live = await this.#read(target, options)
    if (!live || !this.#isOwn(live)) return
    const { uid = '' } = live.metadata
    const call = { uid, propagationPolicy: 'Background', ...callOf(options) } as const
    await this.#options.client.delete(target.resource, target.key, call).catch((error: unknown) => {
      if (!isNotFound(error) && !isConflict(error)) throw error
    })
  }

  async #read({ resource, key }: Target, options: ClusterCallOptions): Promise<KubeObject | undefined> {
    return this.#options.client.get(resource, key, callOf(options)).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
  }

  #isOwn({ metadata }: KubeObject): boolean {
    return metadata.labels?.[moduleLabel] === this.#options.owner.uid
  }

  #checkOwn(target: Target, live: KubeObject): void {
    if (this.#isOwn(live)) return
    throw new Error(
      `${nameOf(target)} exists and does not belong to Module ${formatKey(this.#options.owner.key)}: ` +
        'it is left alone. Delete it, or use another name.',
    )
  }
}

const callOf = ({ signal }: ClusterCallOptions) => (signal ? { signal } : {})

const nameOf = ({ resource, key }: Target) => `${resource.kind} ${formatKey(key)}`

function asList(
  objects: ModuleObjectReference | readonly ModuleObjectReference[],
): readonly ModuleObjectReference[] {
  return Array.isArray(objects) ? objects : [objects as ModuleObjectReference]
}
