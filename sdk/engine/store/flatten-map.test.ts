import { from, Subject } from 'rxjs'
import t from 'tap'
import { flattenMap } from './flatten-map.js'

void t.test('the items of each value are emitted in their order', (t) => {
  const items: number[] = []
  let isComplete = false
  from([[1, 2], [], [3]])
    .pipe(flattenMap((value) => value))
    .subscribe({ next: (item) => items.push(item), complete: () => (isComplete = true) })
  t.strictSame([items, isComplete], [[1, 2, 3], true])
  t.end()
})

void t.test('an error of the function ends the items, and the values are no longer subscribed to', (t) => {
  const values$ = new Subject<number>()
  const items: number[] = []
  let error: unknown
  const itemsOf = (value: number) => {
    if (value === 2) throw new Error('no items of 2')
    return [value]
  }
  values$.pipe(flattenMap(itemsOf)).subscribe({ next: (item) => items.push(item), error: (e) => (error = e) })
  for (const value of [1, 2, 3]) values$.next(value)
  t.strictSame([items, String(error), values$.observed], [[1], 'Error: no items of 2', false])
  t.end()
})
