import t from 'tap'
import { findChart } from './repository-index.js'

const index = `apiVersion: v1
entries:
  web-more:
  - version: 9.0.0
    urls: [more.tgz]
  web:
  - apiVersion: v2
    description: |
      web:
        - text
    name: web
    version: 1.2.0
    digest: abc
    urls:
    - web-1.2.0.tgz
  - version: 1.10.0
    urls: ['https://charts.example/web-1.10.0.tgz']
  - version: 2.0.0-rc.1
    urls: [web-2.0.0-rc.1.tgz]
  - version: latest
    urls: [latest.tgz]
  zoo:
  - version: 3.0.0
    urls: [zoo.tgz]
generated: "2026-01-01T00:00:00Z"
`
const find = (version?: string, chart = 'web') => findChart(index, { chart, version })

void t.test('the version, the newest one of a range, or the newest one', async (t) => {
  t.strictSame(await find('1.2.0'), { version: '1.2.0', url: 'web-1.2.0.tgz', digest: 'abc' })
  t.equal((await find()).version, '1.10.0', 'not a pre-release')
  t.equal((await find('~1.2')).version, '1.2.0')
  t.equal((await find('>=1')).version, '1.10.0')
  t.equal((await find('>=2.0.0-rc.0')).version, '2.0.0-rc.1')
  t.equal((await find('latest')).url, 'latest.tgz', 'as it is written')
  t.equal((await find(undefined, 'zoo')).url, 'zoo.tgz')
})

void t.test('a chart or a version that is missing is named', async (t) => {
  await t.rejects(find(undefined, 'we'), /the index of the repository has no chart "we"/)
  await t.rejects(find('7.0.0'), /no version "7.0.0" of the chart web; it has 1.2.0, 1.10.0/)
  await t.rejects(find('not a range'), { name: 'PermanentError', message: /"not a range" is neither/ })
  await t.rejects(findChart('<html>', { chart: 'web' }), /has no chart "web"/)
})
