import { Observable, type OperatorFunction } from 'rxjs'
import type { KubeObject } from '../kube/object.js'
import type { WatchEvent } from '../watch/event.js'
import type { Change, Store } from './store.js'

/**
 * Applies the events of a watch to a store and emits the changes, after the store has them. `concatMap` would do the same with
 * an inner Observable for each event.
 */
export function intoStore<T extends KubeObject>(store: Store<T>): OperatorFunction<WatchEvent<T>, Change<T>> {
  return (events$) =>
    new Observable((subscriber) =>
      events$.subscribe({
        next: (event) => {
          for (const change of store.apply(event)) subscriber.next(change)
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    )
}
