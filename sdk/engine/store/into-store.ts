import { Observable, type OperatorFunction } from 'rxjs'
import type { KubeObject } from '../kube/object.js'
import type { WatchEvent } from '../watch/event.js'
import type { Change } from './store.js'
import type { StoreWriter } from './store-writer.js'

/**
 * An operator that applies the events of a watch to a store, and emits the changes after that; {@link Stores} uses it
 * for each store. `concatMap` would need an inner Observable for each event.
 */
export function intoStore<T extends KubeObject>(
  writer: StoreWriter<T>,
): OperatorFunction<WatchEvent<T>, Change<T>> {
  return (events$) =>
    new Observable((subscriber) =>
      events$.subscribe({
        next: (event) => {
          for (const change of writer.apply(event)) subscriber.next(change)
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    )
}
