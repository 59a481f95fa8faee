import type { Client } from '../../../engine/client/client.js'
import type { Cluster } from '../../../engine/cluster/cluster.js'
import type { Resource } from '../../../engine/kube/resource.js'
import type { ControllerContext } from '../../../operator/controller/context.js'
import { ReleaseStore } from '../../release/release-store.js'
import type { Lookup, LookupQuery } from '../../render/renderer.js'
import { LiveObjects } from '../objects/live-objects.js'
import type { HelmControllerOptions } from '../options/options.js'
import type { HelmResource } from '../options/values-context.js'
import { askServed } from '../problem/api-unavailable.js'
import type { LookedUp } from './looked-up.js'
import { ReleaseSeed } from './random-seed.js'
import { digestsIn, isOlderThanDigests } from './recorded-digests.js'
import { redactedContext } from './redacted-context.js'
import { notedLookup, releaseLookup } from './release-lookup.js'
import type { ReconcileRun } from './release-run.js'
import { SecretTexts } from './secret-texts.js'
import type { TargetCluster } from './target-clusters.js'

/** Options of {@link runOf}. */
export interface RunOfOptions
  extends Pick<ReconcileRun, 'annotations' | 'holder' | 'owner' | 'release' | 'reportedRandom'> {
  readonly ctx: ControllerContext<HelmResource>
  readonly options: HelmControllerOptions
  /** The cluster of the objects. */
  readonly cluster: Cluster
  /** The cluster of the release. */
  readonly target: TargetCluster
  /** Sends the calls to that cluster. */
  readonly client: Client
}

/** Makes the parts of one run of one key. `ReleaseController` calls it at the beginning of each run. */
export function runOf(options: RunOfOptions): ReconcileRun {
  const { ctx, target, client, release, owner, cluster: _, ...rest } = options
  const { cluster, kinds, drift, recordContest, digestWrites, records, vcluster, reservedName } = target
  const { signal } = ctx
  const nowMs = () => ctx.clock.date().getTime()
  const secretTexts = new SecretTexts(release.name, release.namespace, ctx.key.name, ctx.key.namespace)
  const reference = vcluster?.owner()
  const looked: LookedUp[] = []
  return {
    ...rest,
    release,
    owner,
    kinds,
    drift,
    recordContest,
    digestWrites,
    secretTexts,
    looked,
    ...digestsOf(options),
    ctx: redactedContext(ctx, secretTexts),
    options: optionsFor(options.options, target),
    target: { cluster: cluster.name, reference, vcluster: vcluster?.name, reservedName, client, signal },
    store: new ReleaseStore(client, nowMs, records),
    seed: new ReleaseSeed(client, { release, owner }, nowMs),
    live: new LiveObjects(client, signal),
    readiness: {},
    lookup: notedLookup(lookupOf(options, looked), secretTexts),
  }
}

/**
 * The parts of the status that vouch for records; none for an object in another cluster, because people may write its
 * status who may do less in the cluster of the release.
 */
function digestsOf({
  ctx,
  cluster,
  target,
  release,
  owner,
}: RunOfOptions): Pick<ReconcileRun, 'digests' | 'isOlderThanDigests'> {
  if (cluster !== target.cluster) return {}
  return {
    digests: digestsIn(ctx.status),
    isOlderThanDigests: isOlderThanDigests(ctx.status, { release, owner }),
  }
}

/** The options with stricter defaults on the host, where tenants must not choose what is installed or taken over. */
function optionsFor(options: HelmControllerOptions, { vcluster }: TargetCluster): HelmControllerOptions {
  if (!vcluster) return options
  const { allow = {}, target, releaseName } = options
  const mayBeNamed = typeof target === 'function' || typeof releaseName === 'function'
  const { adopt = mayBeNamed ? 'never' : 'same-chart' } = options
  return { ...options, allow, adopt }
}

/** Looks up objects for templates, and adds them to `looked`. */
function lookupOf({ ctx, options, cluster, target, release }: RunOfOptions, looked: LookedUp[]): Lookup {
  const { allow, virtualNames = false } = options
  const onRefused = (reason: string) => ctx.events.warning('LookupRefused', reason)
  const lookupCluster = (readCluster: Cluster) => ({
    client: readCluster === cluster ? ctx.client : ctx.cluster(readCluster.name).client,
    served: (apiVersion: string) => askServed(readCluster, apiVersion),
  })
  const noteLookup = (readCluster: Cluster) => (query: LookupQuery, resource: Resource) =>
    looked.push({ cluster: readCluster, resource, namespace: query.namespace, name: query.name })
  if (virtualNames && target.vcluster) {
    const { namespace } = ctx.key
    return releaseLookup({
      cluster: lookupCluster(cluster),
      release: { ...release, namespace },
      policy: undefined,
      onRefused,
      onAllowed: noteLookup(cluster),
    })
  }
  // Tenants write the values, and a template could print what it finds on the host.
  const policy = target.vcluster && !allow ? { kinds: [] } : allow
  const onAllowed = noteLookup(target.cluster)
  return releaseLookup({ cluster: lookupCluster(target.cluster), release, policy, onRefused, onAllowed })
}
