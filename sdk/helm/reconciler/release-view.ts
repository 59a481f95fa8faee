import type { Client } from '../../engine/client/client.js'
import type { DeployedRelease } from '../../engine/inspector/pair-model.js'
import type { DriftView, ReleaseView } from '../../engine/inspector/release-view.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Clock } from '../../engine/time/clock.js'
import { latestOf } from '../release/history.js'
import { recordedObjects } from '../release/recorded-objects.js'
import { ReleaseStore } from '../release/release-store.js'
import type { StoredRelease } from '../release/stored-release.js'
import type { ServedKinds } from './objects/capabilities.js'
import type { DriftFinder } from './objects/drift-finder.js'
import { LiveObjects } from './objects/live-objects.js'
import { mapLimited } from './objects/map-limited.js'
import { isRunning, mayStop } from './objects/readiness.js'
import {
  belongsTo,
  markObject,
  objectName,
  placeObjects,
  type ReleaseObject,
  type ReleaseOwner,
} from './objects/release-object.js'
import { revisionViews } from './revision-views.js'

/** The time limit for reading a release and its objects, in milliseconds. */
const timeoutMs = 10_000

/** Options of {@link readReleaseView}. */
export interface ReleaseViewOptions extends ReleaseOwner {
  client: Client
  clock: Clock
  kinds: ServedKinds
  drift: DriftFinder
  /** Whether another program installed the release, so that its objects name no owner. Default: false. */
  isForeign?: boolean
}

/**
 * Reads the revisions of a release and compares its objects with the deployed one, for the inspector. Nothing is
 * written.
 */
export async function readReleaseView(options: ReleaseViewOptions): Promise<ReleaseView> {
  const { client, clock, release, target, owner } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const store = new ReleaseStore(client, () => clock.date().getTime())
  const revisions = await store.revisions(release.namespace, release.name, signal)
  const latest = latestOf(revisions)
  const objects = latest ? await releaseObjects(latest, options) : []
  const isDeployed = latest?.release.info.status === 'deployed'
  const live = new LiveObjects(client, signal)
  const revisionList = await revisionViews(revisions)
  return {
    ...release,
    cluster: target.cluster,
    isOwn: latest?.owner === owner.uid,
    latest: revisionList.find(({ revision }) => revision === latest?.release.version) ?? null,
    stage: isDeployed ? null : (latest?.written?.stage ?? null),
    objects: objects.map(objectName),
    drift: isDeployed ? await readDrift(objects, options, live) : null,
    notReady: isDeployed ? await findNotReady(objects, options, live) : null,
    revisions: revisionList,
  }
}

/** The objects of a revision as they should be in the cluster. */
async function releaseObjects(
  { release }: StoredRelease,
  { kinds, isForeign = false, ...owner }: ReleaseViewOptions,
): Promise<ReleaseObject[]> {
  const objects = await placeObjects(await recordedObjects(release), kinds, owner.release.namespace)
  return isForeign ? objects : objects.map((value) => markObject(value, owner))
}

/** The fields that are shown of an object that belongs to another release or to none. */
const ownership = ['metadata.labels', 'metadata.annotations']

/** Reads the objects, and returns those that differ from the revision. */
async function readDrift(
  objects: readonly ReleaseObject[],
  { drift, release }: ReleaseViewOptions,
  live: LiveObjects,
): Promise<DriftView[]> {
  const views = await mapLimited(objects, async (object) => {
    const liveObject = await live.read(object)
    if (liveObject && !belongsTo(liveObject, release)) return { object, paths: ownership }
    return drift.findDrift(object, liveObject)
  })
  return views.flatMap((view) => (view ? [{ object: objectName(view.object), fields: [...view.paths] }] : []))
}

/** Names the objects that do not run. */
async function findNotReady(
  objects: readonly ReleaseObject[],
  { release }: ReleaseViewOptions,
  live: LiveObjects,
): Promise<string[]> {
  const checked = objects.filter(mayStop)
  const areRunning = await mapLimited(checked, async (object) => {
    const liveObject = await live.latest(object)
    return isRunning(object, liveObject && belongsTo(liveObject, release) ? liveObject : undefined)
  })
  return checked.filter((_, index) => !areRunning[index]).map(objectName)
}

/** The release that the status of an object names. Users can write anything there, so the rest counts as none. */
export function deployedRelease(object: KubeObject): DeployedRelease | null {
  const { status } = object as { status?: { deployedRelease?: unknown } }
  const deployed = status?.deployedRelease
  if (!isJsonObject(deployed)) return null
  const { name, namespace, revision, chart } = deployed
  const isText = [name, namespace, chart].every((value) => typeof value === 'string')
  if (!isText || !(typeof revision === 'number' || typeof revision === 'bigint')) return null
  return {
    name: String(name),
    namespace: String(namespace),
    revision: Number(revision),
    chart: String(chart),
  }
}
