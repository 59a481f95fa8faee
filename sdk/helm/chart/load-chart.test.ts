// Tests the loading of charts from folders and archives, and what is refused.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { ChartFile } from './chart.js'
import { loadChart, loadChartArchive } from './load-chart.js'
import { packChart } from './pack-chart.js'

const chartYaml = 'apiVersion: v2\nname: demo\nversion: 1.2.3\n'
const files = (content: Record<string, string>): ChartFile[] =>
  Object.entries(content).map(([name, text]) => ({ name, data: Buffer.from(text) }))

/** Writes an archive into a folder of the test and returns its path. */
async function archive(t: Test, content: Record<string, string>, folder = 'demo'): Promise<string> {
  const path = join(t.testdir({}), 'demo.tgz')
  writeFileSync(path, await packChart(folder, files(content)))
  return path
}

/** The message with which a chart is refused. */
async function refusal(path: string): Promise<string> {
  const error: unknown = await loadChart(path).then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error) || !('code' in error))
    throw new Error(`it is not refused as expected: ${error}`)
  return `${error.code}: ${error.message.replaceAll(path, 'PATH')}`
}

void t.test('the parts of a chart are found', async (t) => {
  const folder = t.testdir({
    'Chart.yaml': `${chartYaml}appVersion: 1.16\ndescription: "a\\ttab"\nunknown: true\n`,
    'Chart.lock': 'digest: abc\n',
    'values.yaml': 'enabled: yes\nbig: 9007199254740993\n',
    'values.schema.json': '{}',
    'README.md': 'read',
    templates: { 'a.yaml': 'kind: A', tests: { 'b.yaml': 'kind: B' }, '.hidden': 'x' },
    crds: { 'c.yaml': 'kind: C' },
    charts: {
      'sub.prov': 'signature',
      below: { 'Chart.yaml': 'name: below\nversion: 0.1.0\n' },
      _old: { x: 'y' },
    },
  })
  const chart = await loadChart(pathToFileURL(folder))
  t.strictSame(chart.metadata, {
    apiVersion: 'v2',
    name: 'demo',
    version: '1.2.3',
    appVersion: '1.16',
    description: 'a tab',
  })
  t.strictSame(chart.lock, { digest: 'abc' })
  t.strictSame(chart.values, { enabled: true, big: 9007199254740993n }, 'YAML 1.1, and no digit is lost')
  t.strictSame(chart.schema && String(chart.schema), '{}')
  t.strictSame(
    chart.templates.map(({ name }) => name),
    ['templates/a.yaml', 'templates/tests/b.yaml'],
    'dot files in templates are left out',
  )
  t.strictSame(
    chart.otherFiles.map(({ name }) => name),
    ['README.md', 'charts/sub.prov', 'crds/c.yaml'],
  )
  t.match(chart.subcharts, [{ metadata: { name: 'below', apiVersion: 'v1' } }])
  t.equal(chart.source, folder)
})

void t.test('a folder and its archive are alike', async (t) => {
  const nested = await packChart('cache', files({ 'Chart.yaml': 'name: cache\nversion: 0.1.0\n' }))
  const content = {
    'Chart.yaml': `\uFEFF${chartYaml.replaceAll('\n', '\r\n')}dependencies: [{name: cache}]\r\n`,
    'values.yaml': 'a: 1\r\nb: [x]\r\n',
    [`templates/${'long/'.repeat(30)}a.yaml`]: 'kind: A\r\n',
  }
  const folder = t.testdir({ charts: {} })
  for (const [name, text] of Object.entries(content)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  writeFileSync(join(folder, 'charts/cache-0.1.0.tgz'), nested)
  const all = [...files(content), { name: 'charts/cache-0.1.0.tgz', data: nested }]
  const packed = join(folder, '../packed.tgz')
  writeFileSync(packed, await packChart('demo', all))
  const [byFolder, byArchive] = [await loadChart(folder), await loadChart(packed)]
  const comparable = ({ files: _, source: __, ...chart }: typeof byFolder) =>
    JSON.stringify(chart).replaceAll(folder, 'PATH').replaceAll(packed, 'PATH')
  t.equal(comparable(byArchive), comparable(byFolder))
  t.strictSame(byFolder.values, { a: 1, b: ['x'] })
  t.equal(byFolder.metadata.version, '1.2.3', 'without the carriage return, and after a byte order mark')
  t.strictSame(byArchive.files.map(({ name }) => name).sort(), byFolder.files.map(({ name }) => name).sort())
})

void t.test('.helmignore leaves files and folders out', async (t) => {
  const folder = t.testdir({
    '.helmignore': '# comment\n*.bak\nsecret/\n/top.txt\ndocs/*.md\n[ab]?.txt\n',
    'Chart.yaml': chartYaml,
    'old.bak': '',
    'top.txt': '',
    'a1.txt': '',
    'c1.txt': '',
    secret: { key: '' },
    docs: { 'a.md': '', 'a.txt': '', deep: { 'b.md': '', 'top.txt': '', 'x.bak': '' } },
  })
  const chart = await loadChart(folder)
  t.strictSame(
    chart.files.map(({ name }) => name),
    ['.helmignore', 'Chart.yaml', 'c1.txt', 'docs/a.txt', 'docs/deep/b.md', 'docs/deep/top.txt'],
  )
})

void t.test('symbolic links are followed, but not in a circle', async (t) => {
  const folder = t.testdir({
    chart: { 'Chart.yaml': chartYaml, templates: {} },
    shared: { 'a.yaml': 'kind: A' },
  })
  symlinkSync('../../shared/a.yaml', join(folder, 'chart/templates/a.yaml'))
  symlinkSync('../shared', join(folder, 'chart/more'))
  const chart = await loadChart(join(folder, 'chart'))
  t.strictSame(
    chart.files.map(({ name, data }) => `${name} ${data.byteLength}`),
    ['Chart.yaml 41', 'more/a.yaml 7', 'templates/a.yaml 7'],
  )
  symlinkSync('..', join(folder, 'chart/templates/up'))
  t.match(
    await refusal(join(folder, 'chart')),
    /its folder templates\/up is a link to a folder that contains it/,
  )
  rmSync(join(folder, 'chart/templates/up'))
  symlinkSync('../../absent', join(folder, 'chart/templates/up'))
  t.match(
    await refusal(join(folder, 'chart')),
    /its file templates\/up is a link to a file that does not exist/,
  )
})

void t.test('the first version of charts has its dependencies in requirements.yaml', async (t) => {
  const folder = t.testdir({
    'Chart.yaml': 'name: old\nversion: 0.1.0\n',
    'requirements.yaml': 'dependencies:\n- {name: db, version: 1.x, repository: "https://example.com"}\n',
    'requirements.lock': 'digest: abc\n',
    charts: { db: { 'Chart.yaml': 'name: db\nversion: 1.0.0\n' } },
  })
  const chart = await loadChart(folder)
  t.strictSame(chart.metadata.dependencies, [
    { name: 'db', version: '1.x', repository: 'https://example.com' },
  ])
  t.strictSame(chart.lock, { digest: 'abc' })
  t.strictSame(
    chart.otherFiles.map(({ name }) => name),
    ['requirements.lock', 'requirements.yaml'],
  )
})

void t.test('a chart that cannot be installed is refused with the reason', async (t) => {
  const yaml = (text: string) => t.testdir({ 'Chart.yaml': text })
  const cases: [content: string, reason: RegExp][] = [
    ['version: 1.0.0', /has no name/],
    ['name: a/b\nversion: 1.0.0', /the name "a\/b"/],
    ['name: ..\nversion: 1.0.0', /the name "\.\."/],
    ['name: demo', /its Chart\.yaml has no version; write one such as 1\.0\.0$/],
    ['name: demo\nversion: one', /the version "one" .* is not a semantic version/],
    ['name: demo\nversion: 1.0.0-01', /is not a semantic version/],
    ['name: demo\nversion: 1.0.0\ntype: other', /the type "other"/],
    ['name: demo\nversion: 1.0.0\ntype: library', /it is a library .* use it as a dependency/],
    ['name: demo\nversion: {}', /version in its Chart.yaml is not text/],
    ['- a', /its Chart.yaml is not a map/],
    ['name: "demo', /its Chart.yaml is not valid YAML: yaml: line/],
    [
      `${chartYaml}dependencies: [{name: db}, {name: cache}]`,
      /db, cache .* missing .* `helm dependency build`/,
    ],
    [`${chartYaml}dependencies: [{name: db, alias: "a.b"}]`, /the alias "a.b" of its dependency db/],
    [`${chartYaml}dependencies: [{name: db}, {name: x, alias: db}]`, /two dependencies .* "db"/],
  ]
  for (const [content, reason] of cases) {
    const message = await refusal(yaml(content))
    t.match(message, reason)
    t.match(message, /^INVALID_CHART: the chart PATH cannot be used: /)
  }
  t.match(await refusal(t.testdir({})), /it has no Chart.yaml/)
  t.match(await refusal('/nowhere/at/all'), /cannot be used: there is no such file or folder/)
  t.match(await refusal('/dev/null'), /neither a folder nor a file/)
  t.match(
    await refusal(
      t.testdir({ 'Chart.yaml': chartYaml, charts: { sub: { 'Chart.yaml': 'version: 1.0.0' } } }),
    ),
    /its subchart charts\/sub cannot be used: its Chart.yaml has no name/,
  )
})

void t.test('an archive with a path outside of its folder is refused', async (t) => {
  for (const path of ['../evil', 'a/../../evil', '/etc/passwd', 'C:/evil', '.', 'a\\b/../../../x']) {
    const message = await refusal(await archive(t, { 'Chart.yaml': chartYaml, [path]: '' }))
    t.match(message, /leaves the chart's folder/, path)
  }
  t.match(await refusal(await archive(t, { a: '' }, 'Chart.yaml')), /Chart.yaml outside of a folder/)
})

void t.test('an archive that is damaged, empty or has links is refused', async (t) => {
  const written = (bytes: Uint8Array) => {
    const path = join(t.testdir({}), 'a.tgz')
    writeFileSync(path, bytes)
    return refusal(path)
  }
  t.match(await written(Buffer.from('text')), /neither a folder nor an archive/)
  t.match(await written(gzipSync('').subarray(0, 8)), /cannot be unpacked/)
  t.match(await written(gzipSync(Buffer.alloc(1024))), /its archive is empty/)
  t.match(await written(gzipSync(Buffer.alloc(512, 'x'))), /its archive is damaged/)
  const entry = (edit: (header: Buffer) => void) => {
    const header = Buffer.alloc(1536)
    header.write('demo/a', 0)
    header.write('00000000000', 124)
    edit(header)
    header.write('        ', 148)
    const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return gzipSync(header)
  }
  t.match(await written(entry((header) => header.write('2', 156))), /has the link or device "demo\/a"/)
  t.match(
    await written(entry((header) => header.write('00000007777', 124))),
    /ends before its last file does/,
  )
})

void t.test('files and charts that are too large are refused', async (t) => {
  const large = 'x'.repeat(5 * 2 ** 20 + 1)
  const folder = t.testdir({ 'Chart.yaml': chartYaml, 'large.bin': large })
  t.match(await refusal(folder), /its file large.bin has 5242881 bytes/)
  t.match(await refusal(t.testdir({ 'large.bin': large })), /it has no Chart.yaml; correct the path/)
  t.match(
    await refusal(await archive(t, { 'Chart.yaml': chartYaml, 'large.bin': large })),
    /large.bin has 5242881/,
  )
  const bomb = join(t.testdir({}), 'bomb.tgz')
  writeFileSync(bomb, gzipSync(Buffer.alloc(133 * 2 ** 20)))
  t.match(await refusal(bomb), /more than 104857600 bytes/)
})

/** A header of POSIX with records for the next entry. */
function extendedHeader(records: Buffer): Buffer {
  const block = Buffer.alloc(512)
  block.write('pax', 0)
  block.write(`${records.length.toString(8).padStart(11, '0')}\0`, 124)
  block.write('        ', 148)
  block.write('x', 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([block, records, Buffer.alloc((512 - (records.length % 512)) % 512)])
}

void t.test('a small archive that unpacks to much is refused before it takes time', async (t) => {
  const refused = async (bytes: Buffer, message: RegExp) =>
    t.rejects(loadChartArchive(bytes, 'it'), { code: 'INVALID_CHART', message })
  const many = Array.from(
    { length: 10_001 },
    (_, at): ChartFile => ({ name: `f${at}`, data: Buffer.alloc(0) }),
  )
  await refused(await packChart('demo', many), /its archive has more than 10000 entries/)
  await refused(gzipSync(extendedHeader(Buffer.from('1 1 1 1 '))), /its archive is damaged/)
  const records = Array.from({ length: 10_001 }, (_, at) =>
    extendedHeader(Buffer.from(`11 k${at + 10_000}=\n`)),
  )
  await refused(gzipSync(Buffer.concat(records)), /its archive has more than 10000 entries/)
  const ones = extendedHeader(Buffer.alloc(100_000, '1 '))
  await refused(gzipSync(ones), /its archive has a header of 100000 bytes/)
  const five = Array.from(
    { length: 11 },
    (_, at): ChartFile => ({ name: `f${at}`, data: Buffer.alloc(5 * 2 ** 20) }),
  )
  const nested = await packChart('sub', [...files({ 'Chart.yaml': chartYaml }), ...five])
  const outer = ['a', 'b'].map((name): ChartFile => ({ name: `charts/${name}.tgz`, data: nested }))
  await refused(
    await packChart('demo', [...files({ 'Chart.yaml': chartYaml }), ...outer]),
    /it has more than 104857600 bytes/,
  )
  const yaml = files({ 'Chart.yaml': chartYaml, 'values.yaml': 'a: 1\n'.repeat(500_000) })
  await refused(await packChart('demo', yaml), /it has more than 2097152 bytes of YAML/)
})

void t.test('a small archive whose values need much memory is refused before it is parsed', async (t) => {
  const { loadChartFiles } = await import('./load-chart.js')
  const file = (name: string, text: string) => ({ name, data: Buffer.from(text) })
  const chart = file('Chart.yaml', 'apiVersion: v2\nname: demo\nversion: 1.0.0\n')
  const empty = '{},'.repeat(630_000)
  const beginMs = process.cpuUsage().user / 1000
  for (const values of [`a: [${empty}]`, `a: {b: [${empty}`, '- '.repeat(900_000)])
    await t.rejects(loadChartFiles([chart, file('values.yaml', values)], 'demo.tgz'), {
      code: 'INVALID_CHART',
      message:
        /^the chart demo\.tgz cannot be used: it has up to \d+ values in Chart\.yaml, values\.yaml and their like, and at most 100000 are read/,
    })
  const half = file('values.yaml', `a: [${'{},'.repeat(20_000)}]`)
  const sub = (name: string) => [
    file(`charts/${name}/Chart.yaml`, `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`),
    { ...half, name: `charts/${name}/values.yaml` },
  ]
  await t.rejects(loadChartFiles([chart, half, ...sub('one')], 'demo.tgz'), {
    message: /up to 12\d{4} values/,
  })
  t.ok(process.cpuUsage().user / 1000 - beginMs < 10_000)
})

void t.test('an archive with 20 MB of YAML is refused before it is parsed or rendered', async (t) => {
  const megabyte = 2 ** 20
  const yaml = (megabytes: number) => `a: [${'{},'.repeat((megabytes * megabyte) / 3)}]\n`
  const chart = { 'Chart.yaml': chartYaml }
  const four = (nameOf: (at: number) => string) =>
    Object.fromEntries([0, 1, 2, 3].map((at) => [nameOf(at), yaml(4.9)]))
  const parts = Object.fromEntries(
    [0, 1, 2].map((at) => [`charts/s${at}/Chart.yaml`, `name: s${at}\nversion: 1.0.0\n`]),
  )
  const few = `a: [${'{},'.repeat(30_000)}]\n`
  const dozen = Array.from({ length: 12 }, (_, at) => [`templates/a${at}.yaml`, few])
  const cases: [content: Record<string, string>, reason: RegExp][] = [
    [
      { 'values.yaml': yaml(20) },
      /its file demo\/values.yaml has 2\d{7} bytes, and Helm reads at most 5242880/,
    ],
    [{ 'templates/a.yaml': yaml(20) }, /its file demo\/templates\/a.yaml has 2\d{7} bytes/],
    [{ 'crds/a.yaml': yaml(20) }, /its file demo\/crds\/a.yaml has 2\d{7} bytes/],
    [{ ...parts, ...four((at) => `charts/s${at % 3}/values.yaml`) }, /more than 2097152 bytes of YAML/],
    [
      four((at) => `templates/a${at}.yaml`),
      /its file templates\/a0.yaml has up to 5\d{6} values, .* split it/,
    ],
    [four((at) => `crds/a${at}.yaml`), /its file crds\/a0.yaml has up to 5\d{6} values, and at most 100000/],
    [Object.fromEntries(dozen), /it has more than 1000000 values in templates and crds\//],
    [
      { ...parts, 'charts/s1/crds/a.yaml': yaml(4.9) },
      /charts\/s1 cannot be used: its file crds\/a.yaml has up to/,
    ],
  ]
  for (const [content, message] of cases) {
    const packed = await packChart('demo', files({ ...chart, ...content }))
    t.ok(packed.length < 100_000, 'it is small before it is unpacked')
    const { heapUsed } = process.memoryUsage()
    const before = process.cpuUsage()
    await t.rejects(loadChartArchive(packed, 'demo.tgz'), { code: 'INVALID_CHART', message })
    const { user, system } = process.cpuUsage(before)
    t.ok(user + system < 3_000_000, `${message}: ${user + system} microseconds`)
    t.ok(process.memoryUsage().heapUsed - heapUsed < 64 * megabyte, `${message}: the heap stays small`)
  }
})
