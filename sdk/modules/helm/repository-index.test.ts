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

const item = '{version: 1.2.0, digest: abc, urls: [web.tgz]}'
/** Indexes with the chart web, as other programs than helm write them. */
const layouts: Record<string, string> = {
  'four spaces': `apiVersion: v1
entries:
    other:
        - version: 3.0.0
          web:
            - version: 4.0.0
          urls:
            - other.tgz
    web:
        - version: 1.2.0
          digest: abc
          urls:
            - web.tgz
generated: "2026-01-01T00:00:00Z"
`,
  'comments and blank lines': `# written by hand
---
entries: # of the shop

# the first chart
  other:
  - version: 3.0.0
    urls: [other.tgz]
  web:   # the shop itself

# its only version
  - version: 1.2.0
 # in hex
    digest: abc
    urls: [web.tgz]
`,
  'line ends of Windows': `entries:\r\n  web:\r\n  - version: 1.2.0\r\n    digest: abc\r\n    urls: [web.tgz]\r\n`,
  'quoted names': `entries:\n  'other':\n  - ${item}\n  "web":\n  - ${item}\n`,
  'an escaped name': `entries:\n  "w\\u0065b":\n  - ${item}\n`,
  'the list of a chart in brackets': `entries:\n  web: [${item}]\n`,
  'all charts in brackets': `apiVersion: v1\nentries: {web: [${item}]}\n`,
  'all charts in brackets below their key': `entries:\n  {\n  web: [${item}]\n  }\n`,
  'a quoted key': `"entries":\n  web:\n  - ${item}\n`,
  'an index in brackets': `{apiVersion: v1, entries: {web: [${item}]}}`,
  JSON: JSON.stringify({ entries: { web: [{ version: '1.2.0', digest: 'abc', urls: ['web.tgz'] }] } }),
  'JSON with lines': `{\n\t"entries": {\n\t\t"web": [\n\t\t\t{"version": "1.2.0", "digest": "abc", "urls": ["web.tgz"]}\n\t\t]\n\t}\n}`,
}

for (const [layout, text] of Object.entries(layouts))
  void t.test(`an index may have ${layout}`, async (t) => {
    t.strictSame(await findChart(text, { chart: 'web' }), { version: '1.2.0', url: 'web.tgz', digest: 'abc' })
    for (const chart of ['we', 'version', 'constructor', '__proto__', 'urls'])
      await t.rejects(findChart(text, { chart }), /the index of the repository has no chart/, chart)
  })

void t.test('an index without charts has none', async (t) => {
  for (const text of ['', 'entries:', 'entries: {}', 'entries:\ngenerated: now\n', '{}', 'null', '[]'])
    await t.rejects(findChart(text, { chart: 'web' }), /has no chart "web"/, text)
})

void t.test('an index that cannot be read says why', async (t) => {
  for (const text of ['entries:\n\tweb:\n\t- version: 1.2.0\n', '{"entries": {"web": [', 'entries: {web: ]}'])
    await t.rejects(findChart(text, { chart: 'web' }), /the index of the repository cannot be read: /, text)
})

void t.test('a large index is read by its lines, or up to a number of values', async (t) => {
  const versions = Array.from({ length: 60_000 }, (_, patch) => `  - version: 1.0.${patch}\n    urls: [a]`)
  const large = `entries:\n  other:\n${versions.join('\n')}\n  old: [] # gone\n  web:\n  - ${item}\n`
  t.equal((await findChart(large, { chart: 'web' })).version, '1.2.0')
  await t.rejects(findChart(large, { chart: 'db' }), /the index of the repository has no chart "db"/)
  const brackets = `entries: {web: [${item}], other: [${'{},'.repeat(100_000)}]}`
  await t.rejects(
    findChart(brackets, { chart: 'web' }),
    /the index of the repository cannot be read: it has up to \d+ values, and at most 100000 are read/,
  )
  const json = { entries: { other: Array(300_000).fill({}), web: [{ version: '1.2.0', urls: ['web.tgz'] }] } }
  t.equal((await findChart(JSON.stringify(json), { chart: 'web' })).version, '1.2.0')
  const larger = `{"entries": {"other": [${'{},'.repeat(1_000_000)}{}]}}`
  await t.rejects(findChart(larger, { chart: 'web' }), /cannot be read: it has up to \d+ values, and at most/)
})

void t.test('long lines of an index are read in little time', async (t) => {
  const [spaces, letters] = [' '.repeat(1_000_000), 'a'.repeat(1_000_000)]
  const lines = [`web:${spaces}x`, `web:${spaces}[]${spaces}x`, `web${spaces}x: 1`, `web: #${spaces}`]
  for (const line of [...lines, `${letters}: x`, `"${letters}: x`, `- ${letters}${spaces}x: 1`])
    await t.rejects(findChart(`entries:\n  ${line}\n`, { chart: 'web' }), /the index of the repository/)
})

void t.test('very many entries that cannot be used are counted', async (t) => {
  const json = JSON.stringify({ entries: { web: Array(900_000).fill(0) } })
  await t.rejects(
    findChart(json, { chart: 'web' }),
    /no usable entry of the chart "web" among 900000: an entry is not an object/,
  )
})

/** The index of one chart with these entries. */
const entriesIndex = (...entries: string[]) =>
  [
    'apiVersion: v1',
    'entries:',
    '  web:',
    ...entries.map((one) => `  - ${one.replaceAll('\n', '\n    ')}`),
  ].join('\n')
const good = 'version: 1.0.1\nurls: [web-1.0.1.tgz]'

void t.test('an entry that cannot be used is skipped', async (t) => {
  const bad = [
    'version: 2.0.0',
    'version: 2.0.0\nurls: []',
    'version: 2.0.0\nurls: [{}]',
    'version: 2.0.0\nurls: [""]',
    'urls: [web.tgz]',
    'version: [2]\nurls: [web.tgz]',
    '{ version: 2.0, urls: [web.tgz] }',
    'version: 2.0.0\nurls: [web.tgz]\ndigest: [a]',
    'null',
    'text',
  ]
  for (const entry of bad)
    t.equal((await findChart(entriesIndex(entry, good), { chart: 'web' })).version, '1.0.1', entry)
})

void t.test(
  'an entry without a digest, and one whose version YAML reads as a number, are used',
  async (t) => {
    const read = (entry: string, version?: string) =>
      findChart(entriesIndex(entry, good), { chart: 'web', version })
    for (const digest of ['digest:', 'digest: null', 'digest: ""'])
      t.strictSame(await read(`version: 2.0.0\nurls: [a.tgz]\n${digest}`), {
        version: '2.0.0',
        url: 'a.tgz',
        digest: undefined,
      })
    for (const version of ['1.0', '1.10', '20240101', '007', '1e3'])
      t.match(await read(`version: ${version} # dated\nurls: [a.tgz]`, version), { version, url: 'a.tgz' })
    t.equal((await read('urls: [a.tgz]\nversion: 3.0')).version, '3.0')
    t.equal((await read(`version: 2.0.0\nurls: [a.tgz]\ndigest: ${'1'.repeat(64)}`)).digest, '1'.repeat(64))
  },
)

void t.test('the error of an entry that cannot be used says why', async (t) => {
  const read = (entry: string, version?: string) => findChart(entriesIndex(entry), { chart: 'web', version })
  await t.rejects(
    read('version: 2.0.0\nurls: []'),
    /the index of the repository has no usable entry of the chart "web": the urls of 2\.0\.0 are not a list of URLs/,
  )
  await t.rejects(
    read('urls: [a.tgz]'),
    /no usable entry of the chart "web": the version of an entry is not a text/,
  )
  await t.rejects(read('null'), /no usable entry of the chart "web": an entry is not an object/)
  const wrong = entriesIndex('version: 2.0.0', 'version: 3.0.0\nurls: [a.tgz]\ndigest: [a]', 'null')
  for (const [version, problem] of [
    [undefined, 'the urls of 2.0.0 are not a list of URLs'],
    ['3.0.0', 'the digest of 3.0.0 is not a text'],
  ] as const)
    await t.rejects(findChart(wrong, { chart: 'web', version }), {
      message: `the index of the repository has no usable entry of the chart "web" among 3: ${problem}`,
    })
  const mixed = entriesIndex('version: 2.0.0\nurls: [a.tgz]', 'version: 3.0.0', good)
  await t.rejects(
    findChart(mixed, { chart: 'web', version: '3.0.0' }),
    /no version "3\.0\.0" of the chart web; it has 2\.0\.0, 1\.0\.1; the urls of 3\.0\.0 are not a list of URLs$/,
  )
})
