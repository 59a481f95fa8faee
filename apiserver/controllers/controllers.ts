import type { OpenObject } from '../base/object.js'
import type { OwnerParts } from '../server/context.js'
import type { Change } from '../store/entry.js'
import { aggregateClusterRoles, clusterRoles } from './aggregate-cluster-roles.js'
import { changesApiServerObject, keepApiServerObjects } from './api-server-objects.js'
import { CustomResources } from './custom-resources.js'
import { GarbageCollector } from './garbage-collector.js'
import { fillNamespace } from './namespace-defaults.js'
import { emptyNamespace } from './namespace-emptying.js'
import { checkedPolicies, checkPolicyTypes } from './policy-types.js'
import { changesUsage, countUsage } from './quota-status.js'
import { StepQueue } from './step-queue.js'
import { dropTokenSecrets, followTokenSecret, tokenSecret } from './token-secrets.js'
import { freesVolumes, freeVolumes } from './volume-protection.js'

/** Options of {@link Controllers}. */
export interface ControllersOptions {
  /** The authority's certificate, PEM, for every namespace's `kube-root-ca.crt`. */
  readonly authority: string
  /**
   * Whether garbage collection, the namespace controllers and volume protection run. The controllers of
   * CustomResourceDefinitions, and of the API server's own Service, always run.
   */
  readonly enabled: boolean
}

/** Runs the controllers of a control plane after each write, one turn of the event loop later. */
export class Controllers {
  readonly #server: OwnerParts
  readonly #options: ControllersOptions
  #collector: GarbageCollector
  #custom: CustomResources
  readonly #stop: () => void
  readonly #queue = new StepQueue()

  constructor(server: OwnerParts, options: ControllersOptions) {
    this.#server = server
    this.#options = options
    this.#collector = new GarbageCollector(server)
    this.#custom = new CustomResources(server)
    this.#stop = server.store.onChange((storage, change) => this.#observe(storage, change))
  }

  /** Starts again with the objects in the store, as a controller that lists before it watches. */
  relist(): void {
    this.#queue.clear()
    this.#collector = new GarbageCollector(this.#server)
    this.#custom = new CustomResources(this.#server)
    this.#server.registry.clearCustom()
    for (const [storage, entries] of this.#server.store.snapshot().entries) {
      for (const entry of entries) this.#observe(storage, { type: 'ADDED', entry })
    }
    this.#enqueueApiServerObjects()
    this.settle()
  }

  /** Runs all queued steps now, and the steps that they queue. */
  settle(): void {
    this.#queue.settle()
  }

  close(): void {
    this.#stop()
    this.#queue.clear()
  }

  #observe(storage: string, change: Change): void {
    const queue = this.#queue
    if (this.#custom.concerns(storage, change)) {
      queue.enqueue(`serve ${storage} ${change.entry.key}`, () => this.#custom.follow(storage, change))
    }
    if (this.#options.enabled) this.#observeObjects(storage, change)
    // After the count of quotas, which may forbid the Service.
    if (changesApiServerObject(storage, change)) this.#enqueueApiServerObjects()
    queue.retryLater()
  }

  #observeObjects(storage: string, change: Change): void {
    const [server, queue] = [this.#server, this.#queue]
    const { key, object } = change.entry
    const { namespace = '', name = '' } = object.metadata
    this.#collector.observe(storage, change)
    if (this.#concernsCollector(change)) {
      queue.enqueue(`collect ${storage} ${key}`, () => this.#collector.follow(storage, change))
    }
    this.#observeAccess(storage, change)
    if (changesUsage(storage, change)) this.#enqueueQuotaCount(namespace)
    if (storage === checkedPolicies) queue.enqueue(`check ${name}`, () => checkPolicyTypes(server, name))
    if (freesVolumes(storage, change))
      queue.enqueueOnce(`free ${namespace}`, () => freeVolumes(server, namespace))
    if (storage === 'namespaces') this.#enqueueNamespace(name)
    else if (this.#lacksDefaults(storage, name, change)) this.#enqueueNamespace(namespace)
    else if (change.type === 'DELETED' && namespace !== '') {
      queue.enqueueOnce(`empty ${namespace}`, () => emptyNamespace(server, namespace))
    }
  }

  #observeAccess(storage: string, { type, entry }: Change): void {
    const [server, queue] = [this.#server, this.#queue]
    if (storage === clusterRoles) queue.enqueueOnce('aggregate', () => aggregateClusterRoles(server))
    else if (storage === 'serviceaccounts' && type === 'DELETED') {
      queue.enqueue(`drop tokens ${entry.key}`, () => dropTokenSecrets(server, entry))
    } else if (
      storage === 'secrets' &&
      type !== 'DELETED' &&
      (entry.object as OpenObject).type === tokenSecret
    ) {
      const { authority } = this.#options
      queue.enqueue(`token ${entry.key}`, () => followTokenSecret(server, entry.key, authority))
    }
  }

  #enqueueApiServerObjects(): void {
    this.#queue.enqueueOnce('api server', () => keepApiServerObjects(this.#server))
  }

  /** Whether a change involves owner references; other changes skip the garbage collector. */
  #concernsCollector({ type, entry, previous }: Change): boolean {
    const { ownerReferences, deletionTimestamp, uid = '' } = entry.object.metadata
    if (ownerReferences !== undefined || previous?.object.metadata.ownerReferences !== undefined) return true
    return type === 'DELETED' ? this.#collector.owns(uid) : deletionTimestamp !== undefined
  }

  /** Counts the usage of a namespace's quotas again. */
  #enqueueQuotaCount(namespace: string): void {
    if (namespace === '' || this.#server.store.collection('resourcequotas').size === 0) return
    this.#queue.enqueueOnce(`count ${namespace}`, () => countUsage(this.#server, namespace))
  }

  #lacksDefaults(storage: string, name: string, { type }: Change): boolean {
    const lackingObject =
      storage === 'configmaps'
        ? name === 'kube-root-ca.crt'
        : storage === 'serviceaccounts' && name === 'default'
    return lackingObject && type !== 'ADDED'
  }

  #enqueueNamespace(namespace: string): void {
    this.#queue.enqueue(`follow ${namespace}`, () => this.#followNamespace(namespace))
  }

  #followNamespace(namespace: string): void {
    const entry = this.#server.store.collection('namespaces').get(namespace)
    if (entry === undefined) return
    const isDeleted = entry.object.metadata.deletionTimestamp !== undefined
    if (isDeleted) emptyNamespace(this.#server, namespace)
    else fillNamespace(this.#server, { namespace, authority: this.#options.authority })
  }
}
