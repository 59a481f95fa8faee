import type { OperatorFunction } from 'rxjs'
import type { KubeObject } from '../kube/object.js'
import type { WatchEvent } from '../watch/event.js'
import { flattenMap } from './flatten-map.js'
import type { Change } from './store.js'
import type { StoreWriter } from './store-writer.js'

/**
 * An operator that applies the events of a watch to a store, and emits the changes after that; {@link Stores} uses it
 * for each store.
 */
export function intoStore<T extends KubeObject>(
  writer: StoreWriter<T>,
): OperatorFunction<WatchEvent<T>, Change<T>> {
  return flattenMap((event) => writer.apply(event))
}
