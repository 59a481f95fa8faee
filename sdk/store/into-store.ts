import { concatMap, type OperatorFunction } from 'rxjs'
import type { KubeObject } from '../kube/object.js'
import type { WatchEvent } from '../watch/event.js'
import type { Store, Touched } from './store.js'

/** Fills a store with what a watch says and hands on what that changed, after the store has it. */
export function intoStore<T extends KubeObject>(
  store: Store<T>,
): OperatorFunction<WatchEvent<T>, Touched<T>> {
  return concatMap((event) => store.apply(event))
}
