import type { Cluster } from '../../engine/cluster/cluster.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { formatResource, type Resource } from '../../engine/kube/resource.js'
import { selectedBy } from '../../engine/store/selectors.js'
import { Applier } from '../apply/applier.js'
import type { Adoption } from '../apply/apply-request.js'
import { FinalizerContest } from '../finalizer/finalizer-contest.js'
import { ForgottenKinds } from '../prune/forgotten-kinds.js'
import type { OwnedKind } from '../prune/owned-kind.js'
import { PruneScope } from '../prune/prune-scope.js'
import { StatusManagers } from '../status/status-managers.js'
import { UnknownFields } from '../status/unknown-fields.js'
import { type DeclaredScope, declaredScopes } from './declared-scopes.js'
import type { ControllerOptions } from './definition.js'
import { type ControllerEnvironment, clusterNamed } from './environment.js'
import { FailedRuns } from './failed-runs.js'
import { finalizerName } from './finalizer-name.js'
import { FinishedJobs } from './finished-jobs.js'
import { OptionalKinds } from './optional-kinds.js'
import { asOwned } from './owned.js'
import { ScopedCluster } from './scoped-cluster.js'
import { SeenKeys } from './seen-keys.js'
import { type Selection, selectionOf } from './selection.js'
import { plainWatched, type Watched } from './watch.js'

/** A kind that a controller owns, in its cluster. */
export interface WiredOwned extends OwnedKind {
  /** Whether the cache may hold an object. */
  selects(object: KubeObject): boolean
  adopt?: Adoption<KubeObject>
  readonly optional?: boolean
  predicate?(object: KubeObject, before: KubeObject): boolean
}

/** A kind that a controller watches, in its cluster. */
export interface WiredWatch extends Omit<Watched, 'cluster'> {
  readonly cluster: Cluster
}

/** A controller with the clusters of its program. */
export interface WiredController<T extends KubeObject = KubeObject> {
  readonly name: string
  readonly resource: Resource<T>
  readonly options: ControllerOptions<T>
  readonly environment: ControllerEnvironment
  readonly cluster: Cluster
  /** The clusters of the program, with the scopes of this controller. */
  readonly clusters: readonly Cluster[]
  /** Undefined if the controller selects every object. */
  readonly selection: Selection | undefined
  readonly owns: readonly WiredOwned[]
  readonly watches: readonly WiredWatch[]
  readonly optionalKinds: OptionalKinds
  readonly fieldManager: string
  /** The field manager and its former names. */
  readonly fieldManagers: readonly string[]
  /** The finalizer of this controller. */
  readonly finalizer: string
  /** Whether objects get the finalizer: there is something that the garbage collector does not clean up. */
  readonly needsFinalizer: boolean
  readonly finalizerContest: FinalizerContest
  readonly applier: Applier
  /** Which owned objects it may delete, if it shares its kind; undefined if all of them. */
  readonly pruneScope: PruneScope | undefined
  /** Kinds that earlier releases owned. */
  readonly forgotten: ForgottenKinds
  readonly statusManagers: StatusManagers
  /** The status fields that the installed definition lacks. */
  readonly unknownStatusFields: UnknownFields
  /** Why the last run of a key ended early, by `formatKey`. */
  readonly waits: Map<string, { readonly message: string }>
  readonly failedRuns: FailedRuns
  readonly finishedJobs: FinishedJobs
  /** The mistakes of the controller that were logged already. */
  readonly reported: Set<string>
  /** Undefined if nothing is to be done for objects that are gone. */
  readonly seen: SeenKeys | undefined
}

/** A controller without the clusters of its program. */
export interface NamedController<T extends KubeObject> {
  readonly name: string
  readonly resource: Resource<T>
  readonly options: ControllerOptions<T>
}

/** Finds the clusters of a controller. Throws `PluginError` `UNKNOWN_CLUSTER`. */
export function wireController<T extends KubeObject>(
  controller: NamedController<T>,
  environment: ControllerEnvironment,
): WiredController<T> {
  const { name, resource, options } = controller
  const places = placesOf(controller, environment)
  const { cluster, owns } = places
  return {
    name,
    resource,
    options,
    environment,
    ...places,
    ...writersOf(controller, environment, places),
    ...emptyRecords(options, environment),
    selection: selectionOf(options),
    finalizer: finalizerName(resource, { name, finalizer: options.finalizer }),
    needsFinalizer:
      options.finalize !== undefined ||
      Object.keys(options.effects ?? {}).length > 0 ||
      owns.some((kind) => kind.cluster !== cluster),
  }
}

/** The parts that write objects and statuses, and the names of their field managers. */
function writersOf<T extends KubeObject>(
  { name, resource, options }: NamedController<T>,
  { logger, clock, program, appliedFields }: ControllerEnvironment,
  { cluster, owns }: Pick<WiredController<T>, 'cluster' | 'owns'>,
) {
  const fieldManager = `${program}.${name}`
  const former = options.formerFieldManagers ?? []
  const managers = [fieldManager, ...former]
  const scope = options.shared ? new PruneScope(managers) : undefined
  const renamed = renamedManagers(former, fieldManager)
  return {
    fieldManager,
    fieldManagers: managers,
    pruneScope: scope,
    applier: new Applier({ fieldManager, formerFieldManagers: former, appliedFields, logger, clock }),
    forgotten: new ForgottenKinds({ owns, clock, logger, scope, managers, cluster: cluster.name }),
    statusManagers: new StatusManagers({ program, resource, logger, renamed }),
  }
}

/** The records that runs of the controller keep for later ones. */
function emptyRecords<T extends KubeObject>(
  { deleted }: ControllerOptions<T>,
  { stop, clock, logger }: ControllerEnvironment,
) {
  return {
    finalizerContest: new FinalizerContest({ clock, logger }),
    optionalKinds: new OptionalKinds(stop),
    waits: new Map<string, { readonly message: string }>(),
    failedRuns: new FailedRuns(),
    finishedJobs: new FinishedJobs(),
    reported: new Set<string>(),
    seen: deleted && new SeenKeys(),
    unknownStatusFields: new UnknownFields(),
  }
}

/** The cluster of each kind of a controller. */
function placesOf<T extends KubeObject>(
  controller: NamedController<T>,
  environment: ControllerEnvironment,
): Pick<WiredController<T>, 'cluster' | 'clusters' | 'owns' | 'watches'> {
  const { name, options } = controller
  const clusters = scopedClusters(controller, environment)
  const inClusters = { clusters, controller: name }
  const cluster = clusterNamed(options.cluster, inClusters)
  const clusterOf = (clusterName: string | undefined) =>
    clusterName === undefined ? cluster : clusterNamed(clusterName, inClusters)
  const owns = (options.owns ?? []).map((declared) => {
    const kind = asOwned(declared)
    return { ...kind, selects: selectedBy(kind), cluster: clusterOf(kind.cluster) }
  })
  const watches = (options.watches ?? []).map((watched) => ({
    ...plainWatched(watched),
    cluster: clusterOf(watched.cluster),
  }))
  return { cluster, clusters, owns, watches }
}

/** The present names of the former field managers of a controller, and of those of its effects. */
function renamedManagers(former: readonly string[], now: string): Map<string, string> {
  const pairs = former.flatMap((name): [string, string][] => [
    [name, now],
    [`${name}.effects`, `${now}.effects`],
  ])
  return new Map(pairs)
}

/** The clusters of a program, each with the scopes that a controller declares for its kinds. */
function scopedClusters<T extends KubeObject>(
  { name, resource, options }: NamedController<T>,
  { clusters, clock, stop }: ControllerEnvironment,
): readonly Cluster[] {
  const primary = clusterNamed(options.cluster, { clusters, controller: name }).name
  const declared = declaredScopes(name, resource, options)
  const isIn = (cluster: string) => (one: DeclaredScope) => (one.cluster ?? primary) === cluster
  const { namespaces } = options
  return clusters.map((cluster) => {
    const here = declared.filter(isIn(cluster.name))
    const scopes = new Map(here.map((one) => [formatResource(one.resource), one.scope]))
    return new ScopedCluster(cluster, {
      scopes,
      others: cluster.name === primary && namespaces ? { namespaces } : {},
      clock,
      stop,
    })
  })
}

/** The owned kind with this resource and cluster. */
export function ownedKind(
  { owns }: Pick<WiredController, 'owns'>,
  cluster: string,
  resource: Resource,
): WiredOwned | undefined {
  const wanted = formatResource(resource)
  return owns.find((kind) => kind.cluster.name === cluster && formatResource(kind.resource) === wanted)
}

/** The owned or watched kind with this resource and cluster. */
export function declaredKind(
  wired: Pick<WiredController, 'owns' | 'watches'>,
  cluster: string,
  resource: Resource,
): WiredOwned | WiredWatch | undefined {
  const wanted = formatResource(resource)
  const isSame = (kind: WiredWatch) =>
    kind.cluster.name === cluster && formatResource(kind.resource) === wanted
  return ownedKind(wired, cluster, resource) ?? wired.watches.find(isSame)
}
