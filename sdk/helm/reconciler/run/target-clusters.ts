import type { Cluster } from '../../../engine/cluster/cluster.js'
import { isDnsLabel } from '../../../engine/kube/dns-label.js'
import { PluginError } from '../../../engine/kube/error.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { UnitEnvironment, UnitVCluster } from '../../../engine/manager/unit-source.js'
import { KnownReleases } from '../../release/known-releases.js'
import { LeastRecent } from '../../render/least-recent.js'
import type { LocationRules } from '../../target/requested-location.js'
import { ServedKinds } from '../objects/capabilities.js'
import { DriftFinder } from '../objects/drift-finder.js'
import type { IgnoredFields } from '../objects/ignored-fields.js'
import type { ReleaseOwner } from '../objects/release-object.js'
import type { HelmControllerOptions } from '../options/options.js'
import { RecordContest } from './record-contest.js'

/** The number of records for which the writes of digests are counted, for each cluster. */
const maxCounted = 10_000

/** The clusters of the objects and of their releases. */
export interface ReleaseClusters {
  readonly cluster: Cluster
  readonly targets: readonly Cluster[]
}

/** A cluster that releases go to, while its program runs. */
export interface TargetCluster {
  readonly cluster: Cluster
  readonly kinds: ServedKinds
  readonly drift: DriftFinder
  readonly recordContest: RecordContest
  /** The writes of digests of deployed revisions, by the states of their records. */
  readonly digestWrites: LeastRecent<number>
  /** The records that were read last. */
  readonly records: KnownReleases
  /** The vcluster, for releases on its host. */
  readonly vcluster: UnitVCluster | undefined
  /** The name of the release of the vcluster, if releases are on its host. */
  readonly reservedName: string | undefined
}

/** The parts of a program that the releases of a kind depend on. */
type Program = Pick<UnitEnvironment, 'clock' | 'vcluster'>

/** Opens the clusters that the releases of a kind go to, by their names. */
export function openTargets(
  { cluster: ofObjects, targets }: ReleaseClusters,
  { ignored, clock, vcluster }: Program & { ignored: IgnoredFields },
): ReadonlyMap<string, TargetCluster> {
  const open = (cluster: Cluster): TargetCluster => ({
    cluster,
    kinds: new ServedKinds(cluster, clock),
    drift: new DriftFinder(ignored, clock),
    recordContest: new RecordContest(clock),
    digestWrites: new LeastRecent(maxCounted),
    records: new KnownReleases(),
    vcluster: cluster !== ofObjects && cluster.name === 'host' ? vcluster : undefined,
    reservedName: cluster.name === 'host' ? vcluster?.name : undefined,
  })
  return new Map(targets.map((cluster) => [cluster.name, open(cluster)]))
}

/** Forgets a release whose object is gone. */
export function forgetRelease(
  { drift, recordContest }: TargetCluster,
  release: ReleaseOwner['release'],
): void {
  drift.forget(release)
  recordContest.forget(release)
}

/** The rules for the locations of the releases of a kind. */
export function locationRules(
  { cluster, targets }: ReleaseClusters,
  options: HelmControllerOptions,
  { resource, vcluster }: Pick<LocationRules, 'resource'> & { vcluster: UnitVCluster | undefined },
): LocationRules {
  // The functions are called with objects of the kind.
  const { target, releaseName, targetNamespace, allow } = options as HelmControllerOptions<KubeObject>
  return {
    resource,
    target,
    releaseName,
    targetNamespace,
    allow,
    cluster: cluster.name,
    clusters: targets.map(({ name }) => name),
    host: vcluster && { vcluster: vcluster.name, namespace: vcluster.targetNamespace },
  }
}

/** The names of the clusters that releases may go to; undefined for the only one of an operator. */
export function targetNames({
  cluster,
  target,
  targets,
}: Pick<HelmControllerOptions, 'cluster' | 'target' | 'targets'>): readonly (string | undefined)[] {
  if (typeof target === 'string') return [target]
  return typeof target === 'function' && targets ? [...new Set(targets)] : [cluster]
}

/** The clusters and namespaces that a program writes releases to, for its permissions. */
export function permissionLocations(
  options: HelmControllerOptions,
): { readonly cluster?: string; readonly namespace?: string }[] {
  const { target, allow: { namespaces = [] } = {} } = options
  return targetNames(options).flatMap((cluster) => {
    const inCluster = cluster === undefined ? {} : { cluster }
    // On the host, a plugin has the permissions of a Role in its own namespace.
    const others = typeof target === 'function' && cluster === 'host' ? namespaces : []
    return [inCluster, ...others.map((namespace) => ({ ...inCluster, namespace }))]
  })
}

/**
 * Throws `PluginError` `INVALID_REGISTRATION` for options of the target that do not fit each other, or name no
 * namespace.
 */
export function checkTarget(options: HelmControllerOptions): void {
  const problem = problemOfLists(options) ?? problemOfClusters(options) ?? problemOfNamespaces(options)
  if (problem !== undefined)
    throw new PluginError('INVALID_REGISTRATION', `the reconciler of ${options.resource.kind} ${problem}`)
}

/** Finds a problem of the clusters and namespaces that are listed. */
function problemOfLists({ target, targets, allow }: HelmControllerOptions): string | undefined {
  if (targets !== undefined && typeof target !== 'function')
    return 'has targets: they are for a function as target; otherwise set target'
  if (targets?.length === 0) return 'has no targets: name the clusters that the function target answers'
  const odd = allow?.namespaces?.find((name) => !isDnsLabel(name))
  if (odd !== undefined)
    return `allows the namespace ${JSON.stringify(odd)}, which cannot be the name of one: list each namespace, patterns are not supported`
  return undefined
}

/** Finds a problem of releases in another cluster than that of the objects. */
function problemOfClusters(options: HelmControllerOptions): string | undefined {
  const { target, cluster, targetNamespace, adopt } = options
  const elsewhere = clustersElsewhere(options)
  if (elsewhere.length > 0 && cluster === undefined)
    return `has the target ${JSON.stringify(elsewhere[0])}: name the cluster of its objects with \`cluster\` as well`
  const isAsked = typeof target === 'function'
  if (!isAsked && elsewhere.some((name) => name !== 'host') && targetNamespace === undefined)
    return `has the target ${JSON.stringify(elsewhere[0])}: set targetNamespace`
  if (elsewhere.includes('host') && adopt === 'always')
    return 'has the target "host" and adopt: always, which would take over releases of others'
  return undefined
}

/** Finds a problem of the namespaces of the releases, or of the names of their objects in them. */
function problemOfNamespaces(options: HelmControllerOptions): string | undefined {
  const { resource, target, cluster, targetNamespace } = options
  const { createNamespace = false, virtualNames = false } = options
  const isAsked = typeof target === 'function'
  if (createNamespace && targetNamespace === undefined && !isAsked)
    return 'has createNamespace: set targetNamespace, because the namespace of its objects exists'
  const hasHost = targetNames(options).includes('host')
  if (virtualNames && !(cluster === 'virtual' && hasHost && resource.namespaced !== false))
    return "has virtualNames: that is for objects with a namespace in the cluster 'virtual' with the target 'host'"
  const isOnlyHere = clustersElsewhere(options).length === 0
  if (resource.namespaced === false && targetNamespace === undefined && !isAsked && isOnlyHere)
    return 'is of a kind without a namespace: set targetNamespace'
  return undefined
}

const clustersElsewhere = (options: HelmControllerOptions): (string | undefined)[] =>
  targetNames(options).filter((name) => name !== undefined && name !== options.cluster)
