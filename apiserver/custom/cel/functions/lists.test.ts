// Tests that the functions for lists take linear time, whatever the elements are.
import t from 'tap'
import { celConcat, celEqual, setListKind } from '../equality.js'
import { listFunctions, listNamespaceFunctions, setFunctions } from './lists.js'

type ListFunction = (...args: readonly unknown[]) => unknown

const length = 30_000
const elements = {
  texts: (index: number) => `t${index}`,
  numbers: (index: number) => (index % 2 === 0 ? index : BigInt(index)),
  lists: (index: number) => [index],
  maps: (index: number) => ({ a: index }),
}
const functionOf = (functions: object, start: string) => {
  const found = Object.entries(functions).find(([name]) => name.startsWith(start))
  return found?.[1] as ListFunction
}

/** The result of a call, which may take a second of a processor. */
function inTime<Result>(call: () => Result): Result {
  const began = process.cpuUsage()
  const result = call()
  const { user } = process.cpuUsage(began)
  t.ok(user < 1_500_000, `${user / 1000} ms`)
  return result
}

for (const [name, elementOf] of Object.entries(elements)) {
  void t.test(`long lists of ${name} are compared in linear time`, async (t) => {
    const list = Array.from({ length }, (_, index) => elementOf(index))
    const same = Array.from({ length }, (_, index) => elementOf(length - 1 - index))
    const others = Array.from({ length }, (_, index) => elementOf(length + index))
    t.strictSame(
      inTime(() => functionOf(listFunctions, 'list<A>.distinct')([...list, ...same])),
      list,
    )
    t.equal(
      inTime(() => functionOf(setFunctions, 'equivalent')(list, same)),
      true,
    )
    t.equal(
      inTime(() => functionOf(setFunctions, 'intersects')(list, others)),
      false,
    )
    const set = setListKind([...list], { type: 'set', keys: [] })
    t.equal(
      inTime(() => celEqual(set, same)),
      true,
    )
    t.strictSame(
      inTime(() => celConcat(set, [...same, ...others])),
      [...list, ...others],
    )
  })
}

void t.test('the elements of long map lists are found by their keys in linear time', async (t) => {
  const listOf = (v: number) =>
    setListKind(
      Array.from({ length }, (_, index) => ({ k: index, v })),
      { type: 'map', keys: ['k'] },
    )
  t.strictSame(
    inTime(() => celConcat(listOf(1), listOf(2))),
    listOf(2),
  )
})

void t.test('a range has at most a million numbers', async (t) => {
  const range = functionOf(listNamespaceFunctions, 'range')
  t.strictSame(range(3n), [0n, 1n, 2n])
  t.strictSame(range(-1n), [])
  t.throws(() => range(1_000_000_000_000n), /actual cost limit exceeded/)
})
