import { catchError, concatMap, defer, EMPTY, merge, type Observable, retry, timer } from 'rxjs'
import type { NameConflicts } from '../../controller/name-conflicts.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { KubeObject } from '../../kube/object.js'
import type { Change } from '../../store/store.js'
import { isWrittenBy } from '../../store/writer.js'
import type { Predicate } from '../controller/predicate.js'
import type { WiredController, WiredOwned, WiredWatch } from '../controller/wired-controller.js'
import { claimOf } from '../owner/ownership.js'
import { passingKeys } from './passing-keys.js'

/** A mapping with more keys for one object is logged: it may map everything to everything. */
const manyKeys = 1000

/** The longest time until a failed `triggers$` is subscribed to again, in milliseconds. */
const longestRetryMs = 60_000

/**
 * The keys that changes trigger: those of primary objects, of the primaries that owned objects belong to, and those that
 * the watches of the controller map to. A key that has written the object itself is left out: its run knows what it wrote. Only
 * the key travels on, never the change.
 */
export function triggersOf<T extends KubeObject>(
  wired: WiredController<T>,
  conflicts: NameConflicts,
): Observable<Key> {
  const { cluster, resource, owns, watches, options } = wired
  return merge(
    cluster
      .changes$(resource)
      .pipe(concatMap((change) => triggered(wired, change, (object) => [keyOf(object)], options.predicate))),
    ...owns.map((kind) => ownersOf(wired, kind, conflicts)),
    ...watches.map((watched) => mappedKeys(wired, watched)),
    furtherTriggers(wired),
  )
}

function ownersOf<T extends KubeObject>(
  wired: WiredController<T>,
  { cluster, resource, predicate }: WiredOwned,
  conflicts: NameConflicts,
): Observable<Key> {
  const primary = { cluster: wired.cluster.name, resource: wired.resource }
  const ownersOf = (object: KubeObject) => {
    const claim = claimOf(object, cluster.name, primary)
    return claim ? [claim.key] : []
  }
  return cluster
    .changes$(resource)
    .pipe(
      concatMap((change) => [
        ...triggered(wired, change, ownersOf, predicate),
        ...conflicts.waitingFor(change.key),
      ]),
    )
}

function mappedKeys<T extends KubeObject>(
  wired: WiredController<T>,
  { cluster, resource, namespace, keys, predicate }: WiredWatch,
): Observable<Key> {
  const scope = namespace === undefined ? {} : { namespace }
  const primaries = wired.cluster.store(wired.resource)
  const mapped = (object: KubeObject) =>
    guarded(wired, object, () => [...keys.keysOf(object, primaries as never)])
  return cluster
    .changes$(resource, scope)
    .pipe(concatMap((change) => triggered(wired, change, mapped, predicate)))
}

/** The keys that a change runs, without the one whose run wrote the object. */
function triggered<T extends KubeObject, O extends KubeObject>(
  { name: controller, resource, environment }: WiredController<T>,
  change: Change<O>,
  keysOf: (object: O) => readonly Key[],
  predicate: Predicate<O> | undefined,
): Key[] {
  const about = { controller, object: formatKey(change.key) }
  const onError = (error: unknown) =>
    environment.logger.error({ ...about, error }, 'a predicate failed; the key runs')
  const keys = passingKeys(change, { keysOf, predicate, group: resource.group, onError })
  return keys.filter((key) => !isWrittenBy(change, { controller, key }))
}

/** A mapping is user code: an error of it is logged and must not end the stream for other keys. */
function guarded(
  { name, environment }: Pick<WiredController, 'name' | 'environment'>,
  object: KubeObject,
  keysOf: () => Key[],
): Key[] {
  const about = { controller: name, object: formatKey(keyOf(object)) }
  try {
    const keys = keysOf()
    if (keys.length > manyKeys)
      environment.logger.warn({ ...about, keys: keys.length }, 'a watched object maps to very many keys')
    return keys
  } catch (error) {
    environment.logger.error({ ...about, error }, 'mapping a watched object to keys failed')
    return []
  }
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
    return timer(Math.min(longestRetryMs, 1000 * 2 ** (attempt - 1)))
  }
  return defer(() => triggers$).pipe(
    retry({ delay, resetOnSuccess: true }),
    catchError(() => EMPTY),
  )
}
