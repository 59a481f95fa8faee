import { Observable, type OperatorFunction } from 'rxjs'
import type { KubeObject } from '../kube/object.js'
import type { WatchEvent } from '../watch/event.js'
import type { Store, Touched } from './store.js'

/**
 * Fills a store with what a watch says and hands on what that changed, after the store has it. `concatMap` would do the
 * same with an inner Observable for each event.
 */
export function intoStore<T extends KubeObject>(
  store: Store<T>,
): OperatorFunction<WatchEvent<T>, Touched<T>> {
  return (events$) =>
    new Observable((subscriber) =>
      events$.subscribe({
        next: (event) => {
          for (const touched of store.apply(event)) subscriber.next(touched)
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    )
}
