import t from 'tap'
import { isSameQuantity } from './quantity.js'

void t.test('quantities are compared by value, however they are written', async (t) => {
  const same: [unknown, unknown][] = [
    ['1000m', 1],
    ['1', '1.0'],
    ['1Gi', '1024Mi'],
    ['1Ei', '1152921504606846976'],
    ['1e3', '1k'],
    ['1E', '1e18'],
    ['.5', '500m'],
    ['-1', '-1000m'],
    [10n, '10'],
  ]
  for (const [a, b] of same) t.ok(isSameQuantity(a, b), `${a} is ${b}`)
})

void t.test('different quantities, and values that are not quantities, are not the same', async (t) => {
  const different: [unknown, unknown][] = [
    ['1G', '1Gi'],
    ['1m', '1M'],
    ['1', '2'],
    ['', ''],
    ['.', '.'],
    ['abc', 'abc'],
    [undefined, undefined],
    [Number.NaN, Number.NaN],
  ]
  for (const [a, b] of different) t.notOk(isSameQuantity(a, b), `${a} is not ${b}`)
})
