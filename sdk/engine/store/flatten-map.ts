import { Observable, type OperatorFunction } from 'rxjs'

/**
 * Emits the items that `itemsOf` returns for each value, at once, and an error that `itemsOf` throws. `concatMap` would
 * subscribe to an inner Observable for each value.
 */
export function flattenMap<Value, Item>(
  itemsOf: (value: Value) => Iterable<Item>,
): OperatorFunction<Value, Item> {
  return (values$) =>
    new Observable((subscriber) =>
      values$.subscribe({
        next: (value) => {
          try {
            for (const item of itemsOf(value)) subscriber.next(item)
          } catch (error) {
            subscriber.error(error)
          }
        },
        error: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    )
}
