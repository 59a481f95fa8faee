import { PluginError } from '../engine/kube/error.js'
import type { KubeObject } from '../engine/kube/object.js'
import type { Resource } from '../engine/kube/resource.js'
import type { PluginMetadata } from './context/plugin-identity.js'
import type { ObjectVerb } from './context/verb.js'
import type { BackupHooks } from './hooks/backup-hooks.js'
import type { ClusterHooks } from './hooks/cluster-hooks.js'
import { checkHookMembers } from './hooks/hook-members.js'
import type { MetricsHook, PostgresHook, RestoreJobHook } from './hooks/instance-hooks.js'
import type { ObjectHandler, PodHook } from './hooks/object-hook.js'
import type { WalHooks } from './hooks/wal-hooks.js'
import { anyParameters } from './parameters/any-parameters.js'
import type { ParameterSchema } from './parameters/parameters.js'
import type { KindHooks, RegisteredHooks } from './services/registered-hooks.js'

/**
 * The groups whose objects the operator can read back from a patch: those of Kubernetes itself. A patch of any other
 * kind fails the reconciliation.
 */
const patchableGroups = new Set([
  '',
  'apps',
  'autoscaling',
  'batch',
  'networking.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
])

/** The members of hooks, and the verbs that they declare. */
const verbsOf: Readonly<Record<keyof PodHook<KubeObject>, readonly ObjectVerb[]>> = {
  instance: ['CREATE', 'EVALUATE'],
  create: ['CREATE'],
  update: ['UPDATE'],
  patch: ['PATCH'],
  delete: ['DELETE'],
  evaluate: ['EVALUATE'],
}

/** Collects the hooks of a plugin, and refuses those that contradict each other. */
export class HookRegistry<P> implements RegisteredHooks<P> {
  readonly metadata: PluginMetadata
  readonly schema: ParameterSchema<P>
  readonly hasParameters: boolean
  readonly kinds = new Map<string, KindHooks<P>>()
  readonly sidecars = { instances: false, jobs: false }
  cluster: ClusterHooks<P> = {}
  backups: BackupHooks<P> = {}
  wal: WalHooks<P> = {}
  restoreJob: RestoreJobHook<P> | undefined
  postgres: PostgresHook<P> | undefined
  metrics: MetricsHook<P> | undefined
  /** The sorts of hooks that were registered by {@link take}. */
  readonly #taken = new Set<string>()

  /** Without a schema, all parameters are texts. */
  constructor(metadata: PluginMetadata, schema: ParameterSchema<P> | undefined) {
    this.metadata = metadata
    this.hasParameters = schema !== undefined
    this.schema = schema ?? (anyParameters as unknown as ParameterSchema<P>)
  }

  get name(): string {
    return this.metadata.name
  }

  /** Adds hooks of a kind. Several hooks of one verb run one after the other, on the same draft. */
  addObjects<T extends KubeObject>(resource: Resource<T>, hook: PodHook<T, P>): void {
    const { group, kind } = resource
    checkHookMembers(kind === 'Pod' && group === '' ? 'pods' : 'objects', hook)
    if (!patchableGroups.has(group))
      throw invalidError(
        `the operator cannot read a changed ${kind}.${group} back: only kinds of Kubernetes itself can have hooks`,
      )
    if (hook.instance && (hook.create || hook.evaluate))
      throw invalidError(
        `the hook for ${kind} has instance, which is both create and evaluate: leave those out`,
      )
    const id = `${kind}.${group}`
    const hooks = this.kinds.get(id) ?? { resource: { group, kind }, handlers: new Map() }
    this.kinds.set(id, hooks)
    for (const [member, verbs] of Object.entries(verbsOf) as [
      keyof typeof verbsOf,
      readonly ObjectVerb[],
    ][]) {
      const handler = hook[member]?.bind(hook) as ObjectHandler<KubeObject, P> | undefined
      if (handler)
        for (const verb of verbs) hooks.handlers.set(verb, [...(hooks.handlers.get(verb) ?? []), handler])
    }
  }

  /** Takes hooks that may be registered once, such as `wal`. Throws `PluginError` `DUPLICATE_NAME` the second time. */
  take<Sort extends 'cluster' | 'backups' | 'wal' | 'restoreJob' | 'postgres' | 'metrics'>(
    sort: Sort,
    hooks: NonNullable<this[Sort]>,
  ): void {
    if (this.#taken.has(sort))
      throw new PluginError(
        'DUPLICATE_NAME',
        `plugin.${sort}() was called twice: put the hooks into one object`,
      )
    checkHookMembers(sort, hooks)
    this.#taken.add(sort)
    Object.assign(this, { [sort]: hooks })
  }
}

const invalidError = (message: string) => new PluginError('INVALID_REGISTRATION', message)
