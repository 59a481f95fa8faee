import { catchError, defer, EMPTY, merge, type Observable, retry, tap, timer } from 'rxjs'
import { type KeyMapping, keysOfObject, withoutWriter } from '../../engine/controller/keys-of-change.js'
import type { NameConflicts } from '../../engine/controller/name-conflicts.js'
import { jsonEqual } from '../../engine/kube/json.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { lazyLogger } from '../../engine/observe/lazy-logger.js'
import { flattenMap } from '../../engine/store/flatten-map.js'
import type { Change } from '../../engine/store/store.js'
import { isLimitedJob } from '../controller/finished-jobs.js'
import { labelsChanged, type Predicate } from '../controller/predicate.js'
import type { WiredController, WiredOwned, WiredWatch } from '../controller/wired-controller.js'
import { labelledOwner } from '../owner/owner-labels.js'
import { claimOf } from '../owner/ownership.js'
import { passingKeys } from './passing-keys.js'

/** The longest time until a failed `triggers$` is subscribed to again, in milliseconds. */
const maxRetryMs = 60_000

/**
 * The keys that changes trigger: those of primary objects, of the primaries that owned objects belong to, and those
 * that the watches of the controller map to. A key that has written the object itself is left out. Only the key travels
 * on, never the change.
 */
export function triggersOf<T extends KubeObject>(
  wired: WiredController<T>,
  conflicts: NameConflicts,
): Observable<Key> {
  const { cluster, resource, owns, watches, options, optionalKinds } = wired
  const toOwnKey = mappingOf(wired, (object: T) => [keyOf(object)])
  return merge(
    cluster.changes$(resource).pipe(
      tap((change) => noteSeen(wired, change)),
      flattenMap((change) => triggered(wired, change, toOwnKey, options.predicate)),
    ),
    ...owns.map((kind) => ownersOf(wired, kind, conflicts)),
    ...watches.map((watched) => mappedKeys(wired, watched)),
    optionalKinds.appeared$.pipe(flattenMap(() => cluster.store(resource).list().map(keyOf))),
    furtherTriggers(wired),
  )
}

/** An object that is gone without a previous state was deleted by a run, which knows of it. */
function noteSeen<T extends KubeObject>(
  { seen }: WiredController<T>,
  { key, gone, previous }: Change<T>,
): void {
  if (!gone || previous) seen?.add(key)
}

function ownersOf<T extends KubeObject>(
  wired: WiredController<T>,
  { cluster, resource, predicate }: WiredOwned,
  conflicts: NameConflicts,
): Observable<Key> {
  const primary = { cluster: wired.cluster.name, resource: wired.resource }
  const mapped = (mayRun: (key: Key) => boolean) =>
    mappingOf(wired, (object) => {
      const claim = claimOf(object, cluster.name, primary)
      return claim && (!isLabelledForFormer(wired, object) || mayRun(claim.key)) ? [claim.key] : []
    })
  const ownersOfChanged = mapped(() => false)
  const waitingOwners = mapped((key) => wired.waits.has(formatKey(key)))
  return cluster.changes$(resource).pipe(
    tap((change) => {
      if (!isLimitedJob(resource, change.object)) return
      const claim = claimOf(change.object, cluster.name, primary)
      // Labels may name any UID; only those of primaries count.
      if (claim && wired.cluster.store(wired.resource).get(claim.key)?.metadata.uid === claim.uid)
        wired.finishedJobs.observe({ cluster, resource }, change, claim.uid)
    }),
    flattenMap((change) => [
      ...triggered(wired, change, mayEndWait(change) ? waitingOwners : ownersOfChanged, predicate),
      ...conflicts.waitingFor(change.key),
    ]),
  )
}

/** A run may wait until an object of an earlier primary is gone, or has no owner. */
function mayEndWait({ gone, object, previous }: Change): boolean {
  if (gone || !previous) return gone
  const [now, before] = [object.metadata, previous.metadata]
  return (
    labelsChanged(object, previous) || !jsonEqual(now.ownerReferences ?? [], before.ownerReferences ?? [])
  )
}

/**
 * Whether the owner labels of an object name a primary with another UID than it has. Everybody who may write objects of
 * the kind can label them so, and must not run the primaries of others each time.
 */
function isLabelledForFormer<T extends KubeObject>(
  { cluster, resource }: WiredController<T>,
  object: KubeObject,
): boolean {
  const labelled = labelledOwner(object, { cluster: cluster.name, resource })
  const primary = labelled && cluster.store(resource).get(labelled.key)
  return primary !== undefined && primary.metadata.uid !== labelled?.uid
}

function mappedKeys<T extends KubeObject>(
  wired: WiredController<T>,
  { cluster, resource, keys, predicate }: WiredWatch,
): Observable<Key> {
  const primaries = wired.cluster.store(wired.resource)
  const mapped = mappingOf(wired, (object) => keys.keysOf(object, primaries as never))
  return cluster.changes$(resource).pipe(flattenMap((change) => triggered(wired, change, mapped, predicate)))
}

function mappingOf<O extends KubeObject = KubeObject>(
  { name, environment }: Pick<WiredController, 'name' | 'environment'>,
  keysOf: (object: O) => Iterable<Key>,
): KeyMapping<O> {
  return { logger: lazyLogger(() => environment.logger.child({ controller: name })), keysOf }
}

/** The keys that a change runs, without the one whose run wrote the object. */
function triggered<T extends KubeObject, O extends KubeObject>(
  { name, resource }: WiredController<T>,
  change: Change<O>,
  mapping: KeyMapping<O>,
  predicate: Predicate<O> | undefined,
): Key[] {
  const onError = (error: unknown) =>
    mapping.logger.error({ object: formatKey(change.key), error }, 'a predicate failed; the key runs')
  const keysOf = (object: O) => keysOfObject(object, mapping)
  const keys = passingKeys(change, { keysOf, predicate, group: resource.group, onError })
  return withoutWriter(name, change, keys)
}

function furtherTriggers<T extends KubeObject>({
  options,
  name,
  environment,
}: WiredController<T>): Observable<Key> {
  const { triggers$ } = options
  if (!triggers$) return EMPTY
  const { logger } = environment
  const delay = (error: unknown, attempt: number) => {
    logger.error({ controller: name, error }, 'triggers$ failed; subscribing again')
    return timer(Math.min(maxRetryMs, 1000 * 2 ** (attempt - 1)))
  }
  return defer(() => triggers$).pipe(
    retry({ delay, resetOnSuccess: true }),
    catchError(() => EMPTY),
  )
}
