// Tests which versions are in which ranges.
import t from 'tap'
import { isInRange, isRange, newestVersion } from './version-range.js'
import { noRanges, rangeVectors, vectorVersions } from './version-vectors.fixture.js'

const table: [range: string, within: string[], outside: string[]][] = [
  ['>= 0.0.0, < 1.0.0', ['0.1.7', 'v0.3.0'], ['1.0.0', '0.2.1-rc.1']],
  ['>=0.2.0 <1', ['0.2.0', '0.9.9', 'v0.3.0'], ['0.1.9', '1.0.0', '0.2.1-rc.1']],
  ['>=0.2.0-0 <1', ['0.2.0', '0.2.0-rc.1', '0.3.0-rc.1'], ['0.1.9', '1.0.0']],
  ['=>0.2,=<0.4', ['0.2.0', '0.4.9'], ['0.1.9', '0.5.0']],
  ['!= 1.x', ['0.9.9', '2.0.0'], ['1.0.0', '1.9.9']],
  ['!=1.2.3, ^1.2', ['1.2.2', '1.3.0'], ['1.2.3', '2.0.0']],
  ['~>1.2.3 || >= 3', ['1.2.9', '3.0.0'], ['1.3.0', '2.0.0']],
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
  ['*', ['0.0.1', '99.0.0', '1.2'], ['1.0.0-rc.1']],
  ['', ['1.0.0'], []],
]

void t.test('versions are in ranges as Masterminds/semver has them', async (t) => {
  for (const [range, within, outside] of table) {
    for (const version of within) t.ok(isInRange(version, range), `${version} is in ${range}`)
    for (const version of outside) t.notOk(isInRange(version, range), `${version} is not in ${range}`)
  }
})

void t.test('the answers about generated ranges are those of the library', async (t) => {
  for (const [range, within] of rangeVectors) {
    const bits = vectorVersions.map((version) => (isInRange(version, range) ? '1' : '0')).join('')
    t.equal(BigInt(`0b${bits}`).toString(16).padStart(10, '0'), within, JSON.stringify(range))
  }
  for (const range of noRanges) t.notOk(isRange(range), JSON.stringify(range))
})

void t.test('pre-releases are in every range if that is asked for', async (t) => {
  t.ok(isInRange('0.2.1-rc.1', '>=0.2.0 <1', { includePrerelease: true }))
  t.notOk(isInRange('0.2.0-rc.1', '>=0.2.0 <1', { includePrerelease: true }))
})

void t.test('the newest version of a range is found, and none for a text that is not one', async (t) => {
  const versions = ['1.2.0', '1.10.0', 'latest', '1.9.0', '2.0.0-rc.1']
  t.equal(newestVersion(versions), '1.10.0')
  t.equal(newestVersion(versions, '>= 1, < 1.10'), '1.9.0')
  t.equal(newestVersion(versions, '>0-0'), '2.0.0-rc.1')
  t.equal(newestVersion(versions, 'latest'), undefined)
})

void t.test('other texts are refused and quoted', async (t) => {
  for (const range of ['1.2.3.4', 'latest', '>=', '>=1.0.0-01', '1 -', '^1 && 2', `>=1.${'0'.repeat(600)}`])
    t.throws(() => isInRange('1.0.0', range), { name: 'RangeError', message: /^not a range of versions: "/ })
  for (const version of ['one', '1.0.0.0', '1.0.0-01', `1.${'0'.repeat(300)}`])
    t.throws(() => isInRange(version, '*'), { message: /^not a semantic version: "/ })
  const began = process.cpuUsage().user / 1000
  t.notOk(isRange(`1${' '.repeat(120)}1${' '.repeat(120)}1${' '.repeat(120)}1${' '.repeat(120)}!`))
  t.ok(process.cpuUsage().user / 1000 - began < 500, 'also one that is made to take long')
})
