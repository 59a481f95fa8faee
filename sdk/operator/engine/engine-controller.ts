import type { Controller } from '../../engine/controller/controller.js'
import { RequiredCaches } from '../../engine/controller/required-caches.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { EventRecorder } from '../../engine/observe/event-recorder.js'
import { optionalCache } from '../controller/optional-kinds.js'
import type { WiredController, WiredOwned, WiredWatch } from '../controller/wired-controller.js'
import { indexByOwner } from '../owner/owner-index.js'
import { runKey } from '../run/run-key.js'
import { triggersOf } from './triggers.js'

/** How long one run may take by default, in milliseconds. */
const defaultRunLimitMs = 300_000

/** The caches that a controller reads. The first call requests them, so that their clusters fill them. */
function requestStores<T extends KubeObject>({ cluster, resource, owns, watches }: WiredController<T>) {
  const cacheOf = (kind: WiredOwned | WiredWatch) => {
    const store = kind.cluster.store(kind.resource)
    return kind.optional ? optionalCache(store) : store
  }
  return [cluster.store(resource), ...owns.map(cacheOf), ...watches.map(cacheOf)]
}

/** Requests the caches that a controller reads, so that they are filled before its first run. */
export function requestControllerStores<T extends KubeObject>(wired: WiredController<T>): void {
  requestStores(wired)
}

/** Adds the indices that runs and triggers read. */
export function indexControllerStores<T extends KubeObject>({
  cluster,
  resource,
  owns,
  watches,
}: WiredController<T>): void {
  for (const kind of owns) indexByOwner(kind, { cluster: cluster.name, resource })
  for (const { keys } of watches) keys.prepare?.(cluster.store(resource) as never)
}

/** Makes the controller that the engine runs from a controller of an operator. */
export function engineController<T extends KubeObject>(
  wired: WiredController<T>,
  events: EventRecorder,
): Controller {
  const { name, resource, cluster, options } = wired
  const stores = requestStores(wired)
  return {
    name,
    resource,
    runLimitMs: options.runLimitMs ?? defaultRunLimitMs,
    caches: new RequiredCaches(() => stores),
    triggers$: (conflicts) => triggersOf(wired, conflicts),
    knownKeys: () => cluster.store(resource).list().map(keyOf),
    eventTarget: (key) => cluster.store(resource).get(key),
    reconcile: (run) => runKey(wired, run, events),
  }
}
