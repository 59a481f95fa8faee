/**
 * A controller that keeps a Helm release for each object of a kind. It runs in an operator or in a plugin of a
 * vcluster, next to other controllers. The records of the releases are its only state: every run reads them, and
 * continues what a run before it began.
 */
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Cluster } from '../../engine/cluster/cluster.js'
import { namespaces, secrets } from '../../engine/kube/builtin.js'
import { PluginError } from '../../engine/kube/error.js'
import { formatLabelSelector, labelSelectorRequirements } from '../../engine/kube/label-selector.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { plainOptions } from '../../engine/manager/plain-options.js'
import type { Unit } from '../../engine/manager/unit.js'
import type { AccessRule, UnitEnvironment } from '../../engine/manager/unit-source.js'
import {
  type ControllerPermission,
  rulesOfPermissions,
} from '../../operator/controller/controller-permission.js'
import type { ControllerOptions } from '../../operator/controller/definition.js'
import { clusterNamed } from '../../operator/controller/environment.js'
import { type ControllerDefinition, RegistrableController } from '../../operator/engine/controller.js'
import type { ReleaseReader } from '../../operator/engine/inspection.js'
import { pluralOf } from '../../operator/kind/define/plural.js'
import { namespaceWatch } from '../permissions/missing-permissions.js'
import type { WatchEntry } from '../watches/watch-entry.js'
import { checkHelmOptions, helmOptionTypes } from './options/check-helm-options.js'
import { findReleaseNeeds, type ReleaseNeeds } from './options/found-permissions.js'
import type { HelmControllerOptions } from './options/options.js'
import type { HelmResource } from './options/values-context.js'
import { ReleaseController } from './release-controller.js'
import { deployedRelease } from './release-view.js'
import { checkTarget, permissionLocations, targetNames } from './run/target-clusters.js'
import { releaseConditions } from './status/release-conditions.js'

/** The permissions for the records and the seeds of releases. */
const recordVerbs = ['create', 'delete', 'get', 'list', 'update', 'watch']

/**
 * Makes the controller of a kind whose objects get a release of a chart each. Register it as any other controller.
 * Throws `PluginError` `INVALID_REGISTRATION` for options that it does not support, and a `TypeError` for an option
 * that does not exist.
 *
 * @example
 * ```ts
 * const operator = createOperator({ name: 'memcached-operator' })
 * for (const entry of await loadWatches(new URL('watches.yaml', import.meta.url)))
 *   operator.register(helmController({ ...entry, translateValues: ({ size }) => ({ replicas: size }) }))
 * await operator.start()
 * ```
 */
export function helmController<T extends KubeObject = HelmResource>(
  options: HelmControllerOptions<T> & Partial<Omit<WatchEntry, keyof HelmControllerOptions>>,
): ControllerDefinition<HelmResource> {
  // The functions are called with objects of the kind.
  const given = options as HelmControllerOptions<KubeObject> as HelmControllerOptions
  checkHelmOptions(given)
  const anyOptions = plainOptions(given, helmOptionTypes)
  checkSupported(anyOptions)
  return new HelmController(anyOptions)
}

/** The controller that {@link helmController} makes. A program calls it by the interface of any controller. */
class HelmController extends RegistrableController<HelmResource> {
  readonly #releases: ReleaseController
  readonly #options: HelmControllerOptions
  #needs: ReleaseNeeds

  constructor(options: HelmControllerOptions) {
    const resource = resourceOf(options)
    const releases = new ReleaseController(options, resource, `${process.pid}-${randomUUID()}`)
    super(resource, controllerOptions(options, releases), options.definition)
    this.#releases = releases
    this.#options = options
    this.#needs = { permissions: [], writesTemporaryFiles: options.renderer?.writesTemporaryFiles === true }
  }

  override get accessRules(): readonly AccessRule[] {
    return [
      ...super.accessRules,
      ...permissionLocations(this.#options).flatMap((location) =>
        rulesOfPermissions(
          this.#needs.permissions
            .filter(({ resource }) => resource.namespaced || location.namespace === undefined)
            .map((permission) => ({ ...location, ...permission })),
          this.options.cluster,
        ),
      ),
    ]
  }

  override get writesTemporaryFiles(): boolean {
    return this.#needs.writesTemporaryFiles
  }

  override async findPermissions(): Promise<void> {
    this.#needs = await findReleaseNeeds(this.#options)
  }

  override get releases(): ReleaseReader {
    return { deployed: deployedRelease, read: (object) => this.#releases.view(object) }
  }

  override unitFor(environment: UnitEnvironment): Unit {
    const lookupContext = { clusters: environment.clusters, controller: this.name }
    const cluster: Cluster = clusterNamed(this.options.cluster, lookupContext)
    const targets = targetNames(this.#options).map((name) =>
      clusterNamed(name ?? cluster.name, lookupContext),
    )
    this.#releases.open({ cluster, targets }, environment)
    return super.unitFor(environment)
  }
}

/** The options of the controller behind a reconciler; the `ReleaseController` does the work of its runs. */
function controllerOptions(
  options: HelmControllerOptions,
  releases: ReleaseController,
): ControllerOptions<HelmResource> {
  const { name, cluster, selector, reconcilePeriodMs = 60_000, permissions = [] } = options
  const labelSelector = selector && formatLabelSelector(labelSelectorRequirements(selector))
  return {
    ...(name !== undefined && { name }),
    ...(cluster !== undefined && { cluster }),
    ...(labelSelector && { labelSelector }),
    ...(reconcilePeriodMs > 0 && { everyMs: reconcilePeriodMs }),
    concurrency: options.maxConcurrentReconciles ?? availableParallelism(),
    finalizer: 'uninstall-helm-release',
    conditions: mayPause(options) ? [...releaseConditions, 'Paused'] : [...releaseConditions],
    triggers$: releases.triggers$,
    permissions: [
      ...permissionLocations(options).map((location) => ({
        resource: secrets,
        verbs: recordVerbs,
        ...location,
      })),
      ...namespacePermissions(options),
      ...permissions,
    ],
    reconcile: (ctx, object) => releases.reconcile(ctx, object),
    finalize: (ctx, object) => releases.finalize(ctx, object),
    deleted: (_, key) => releases.forget(key),
  }
}

/**
 * The permissions to create the namespaces of releases, and to watch for their creation. Namespaces of custom resources
 * exist already.
 */
function namespacePermissions(options: HelmControllerOptions): ControllerPermission[] {
  const { target, targetNamespace, allow, createNamespace } = options
  const allowedNamespaces = typeof target === 'function' ? (allow?.namespaces ?? []) : []
  const names = new Set([...(targetNamespace === undefined ? [] : [targetNamespace]), ...allowedNamespaces])
  const permissions = [
    ...(createNamespace ? [{ resource: namespaces, verbs: ['get', 'create'] }] : []),
    ...[...names].map(namespaceWatch),
  ]
  return targetNames(options).flatMap((cluster) =>
    permissions.map((permission) => ({ ...permission, ...(cluster !== undefined && { cluster }) })),
  )
}

const mayPause = ({ onForeignRevision, paused }: HelmControllerOptions) =>
  onForeignRevision === 'hold' || paused !== undefined

/** The resource of the kind. Missing parts come from the definition, or are guessed. */
function resourceOf({ resource, definition }: HelmControllerOptions): Resource<HelmResource> {
  const { names, scope } = definition?.spec ?? {}
  return {
    group: resource.group,
    version: resource.version,
    kind: resource.kind,
    plural: resource.plural ?? names?.plural ?? pluralOf(resource.kind),
    namespaced: resource.namespaced ?? (scope === undefined || scope === 'Namespaced'),
  }
}

function checkSupported(options: HelmControllerOptions): void {
  const { resource, reconcilePeriodMs = 0, maxConcurrentReconciles = 1 } = options
  const throwInvalid = (problem: string) => {
    throw new PluginError('INVALID_REGISTRATION', `the reconciler of ${resource.kind} ${problem}`)
  }
  checkTarget(options)
  if (!(reconcilePeriodMs >= 0 && Number.isFinite(reconcilePeriodMs)))
    throwInvalid(`has reconcilePeriodMs ${reconcilePeriodMs}: use 0 or more`)
  if (!(Number.isInteger(maxConcurrentReconciles) && maxConcurrentReconciles >= 1))
    throwInvalid(`has maxConcurrentReconciles ${maxConcurrentReconciles}: use a whole number from 1 on`)
}
