// Tests which versions are in which ranges.
import t from 'tap'
import { isInRange } from './version-range.js'

const table: [range: string, within: string[], outside: string[]][] = [
  ['>=0.2.0 <1', ['0.2.0', '0.9.9', 'v0.3.0', '0.2.1-rc.1'], ['0.1.9', '0.2.0-rc.1', '1.0.0', '1.0.0-rc.1']],
  ['^1.2.3', ['1.2.3', '1.9.0+build'], ['1.2.2', '2.0.0', '2.0.0-0']],
  ['^0.2.3', ['0.2.3', '0.2.9'], ['0.2.2', '0.3.0']],
  ['^0.0.3', ['0.0.3'], ['0.0.2', '0.0.4', '0.1.0']],
  ['^0', ['0.0.1', '0.9.0'], ['1.0.0']],
  ['~1.2', ['1.2.0', '1.2.9'], ['1.1.9', '1.3.0']],
  ['~1', ['1.0.0', '1.9.9'], ['2.0.0', '0.9.0']],
  ['1.x', ['1.0.0', '1.2.3'], ['0.9.9', '2.0.0']],
  ['1.2.*', ['1.2.0'], ['1.3.0']],
  ['1.2.3', ['1.2.3', '1.2.3+a'], ['1.2.4', '1.2.3-rc.1']],
  ['1.2.3-rc.2', ['1.2.3-rc.2'], ['1.2.3-rc.1', '1.2.3-rc.10', '1.2.3']],
  ['>=1.2.3-rc.2', ['1.2.3-rc.2', '1.2.3-rc.10', '1.2.3-rc.2.1', '1.2.3'], ['1.2.3-rc.1', '1.2.3-7']],
  ['>1.2', ['1.3.0'], ['1.2.0', '1.2.9']],
  ['<=1.2', ['1.2.9', '0.0.0'], ['1.3.0']],
  ['1.0.0 - 1.4', ['1.0.0', '1.4.9'], ['0.9.9', '1.5.0']],
  ['<0.2 || >= 0.4', ['0.1.0', '0.4.0'], ['0.2.0', '0.3.0']],
  ['*', ['0.0.1', '99.0.0'], []],
  ['', ['1.0.0'], []],
]

void t.test('versions are in ranges as npm has them', async (t) => {
  for (const [range, within, outside] of table) {
    for (const version of within) t.ok(isInRange(version, range), `${version} is in ${range}`)
    for (const version of outside) t.notOk(isInRange(version, range), `${version} is not in ${range}`)
  }
})

void t.test('other texts are refused and quoted', async (t) => {
  for (const range of ['1.2.3.4', 'latest', '>=', '>=01.0.0', '1 -', '^1 && 2', `>=1.${'0'.repeat(300)}`])
    t.throws(() => isInRange('1.0.0', range), { name: 'RangeError', message: /^not a range of versions: "/ })
  t.throws(() => isInRange('1.0', '*'), { message: 'not a semantic version: "1.0"' })
})
