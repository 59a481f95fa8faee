// Tests the programs with Helm charts that `create` writes, and the kinds that it adds to a program.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { loadChart } from '../../sdk/helm/chart/load-chart.js'
import { packChart } from '../../sdk/helm/chart/pack-chart.js'
import { loadWatches } from '../../sdk/helm/watches/load-watches.js'
import type { CreateArguments } from './programs/program-kind.js'
import { runCreate } from './run-create.js'

/** Runs the command; returns what it prints. */
async function create(args: Omit<CreateArguments, 'kind'> & { kind?: string }): Promise<string> {
  const output = new PassThrough()
  await runCreate({ kind: 'helm', ...args }, { input: new PassThrough(), output })
  return String(output.read())
}

const chartFiles = {
  'Chart.yaml': 'apiVersion: v2\nname: my-cache\nversion: 1.0.0\n',
  'values.yaml': 'nodes: 3\nisFast: true\nimage: {tag: "1"}\nname: ""\n',
  templates: { 'map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' },
  'logo.bin': Buffer.from([0, 0xff, 0xfe, 10]),
}

const operator = (t: Test, files: object = {}) =>
  t.testdir({ 'package.json': '{"vcluster-plugin": {"main": "src/main.ts"}}', ...files } as Parameters<
    Test['testdir']
  >[0])

const read = (...path: string[]) => readFile(join(...path), 'utf8')

void t.test('without a chart the program has a small one, named as the program', async (t) => {
  const folder = join(t.testdir(), 'web-operator')
  t.match(await create({ folder }), `cd ${folder}\n  npm install`)
  const [watch] = await loadWatches(join(folder, 'watches.yaml'))
  t.match(watch?.resource, { group: 'charts.example.com', version: 'v1alpha1', kind: 'Web' })
  t.equal(watch?.chart.metadata.name, 'web')
  t.match(watch?.definition?.spec.names, { kind: 'Web', plural: 'webs' })
  t.match(parse(await read(folder, 'samples.yaml')), { kind: 'Web', spec: { replicaCount: 2 } })
  const dockerfile = await read(folder, 'Dockerfile')
  for (const path of ['watches.yaml', 'charts', 'crds'])
    t.match(dockerfile, `\nCOPY ${path} /operator/${path}\n`, 'the bundle reads it from the folder above')
  t.match(dockerfile, '"/operator/dist/main.mjs"')
})

void t.test('a chart is copied from a folder or an archive, byte by byte', async (t) => {
  const folder = t.testdir({ chart: chartFiles })
  await writeFile(
    join(folder, 'a.tgz'),
    await packChart('my-cache', (await loadChart(join(folder, 'chart'))).files),
  )
  for (const chart of ['chart', 'a.tgz']) {
    const into = join(folder, `from-${chart}`)
    await create({ folder: into, name: 'mine', chart: join(folder, chart), api: 'cache.my.domain/v1/Cache' })
    t.strictSame((await readdir(join(into, 'charts/my-cache'))).sort(), Object.keys(chartFiles).sort())
    t.strictSame(await readFile(join(into, 'charts/my-cache/logo.bin')), chartFiles['logo.bin'])
    const sample = parse(await read(into, 'samples.yaml'))
    t.equal(sample.apiVersion, 'cache.my.domain/v1')
    t.strictSame(sample.spec, { nodes: 3, isFast: true }, 'numbers and switches are what users set first')
  }
})

void t.test('wrong flags and charts are refused before anything is written', async (t) => {
  const folder = join(t.testdir({ chart: { 'Chart.yaml': 'name: a' } }), 'new')
  const chart = join(folder, '../chart')
  await t.rejects(create({ folder, chart }), { code: 'INVALID_CHART' })
  for (const api of [
    'Cache',
    'my.domain/v1/cache',
    'my.domain/1/Cache',
    'domain/v1/Cache',
    'my.domain/v1/Cache/x',
  ])
    await t.rejects(create({ folder, api }), /--api must be GROUP\/VERSION\/KIND/)
  await t.rejects(create({ folder, direction: 'up' }), /--kind helm needs no vcluster/)
  await t.rejects(create({ folder, kind: 'operator', chart }), /--chart is for programs with Helm charts/)
  await t.rejects(
    create({ folder, kind: 'module', api: 'a.b/v1/C' }),
    /--api is for programs that define a kind; add --kind operator or --kind helm/,
  )
  t.strictSame(await readdir(join(folder, '..')), ['chart'])
})

void t.test('in the folder of a program a kind is added', async (t) => {
  const folder = operator(t, {
    'watches.yaml': '# mine\n- group: my.domain\n  version: v1\n  kind: Web\n  chart: charts/web',
    'samples.yaml': 'kind: Web\n',
    src: { 'register.ts': 'loadWatches' },
  })
  t.match(await create({ folder, api: 'my.domain/v1/Cache' }), 'The program keeps a release for each Cache')
  t.match(await read(folder, 'watches.yaml'), '# mine\n- group: my.domain')
  t.match(parse(await read(folder, 'watches.yaml')), [
    { kind: 'Web' },
    { kind: 'Cache', chart: 'charts/cache' },
  ])
  t.match(
    await read(folder, 'samples.yaml'),
    /^kind: Web\n---\napiVersion: my.domain\/v1\nkind: Cache\nmetadata:\n {2}name: cache-sample\n/,
  )
  t.match(await read(folder, 'src/cache.test.ts'), 'it survives a crash at every write')
})

void t.test('in the folder of a program without charts the lines for its code are printed', async (t) => {
  const folder = operator(t)
  t.match(
    await create({ folder, api: 'my.domain/v1/Cache' }),
    /operator\.register\(helmController\(\{ \.\.\.entry, \.\.\.options \}\)\)/,
  )
  t.match(await loadWatches(join(folder, 'watches.yaml')), [{ resource: { kind: 'Cache' } }])
})

void t.test(
  'a kind that the program has, and files in the way, are refused, and nothing is written',
  async (t) => {
    const watches = '- {group: my.domain, version: v1, kind: Cache, chart: c}\n'
    const folder = operator(t, { 'watches.yaml': watches })
    await t.rejects(
      create({ folder, api: 'my.domain/v2/Cache' }),
      /watches.yaml has Cache of the group my.domain already/,
    )
    await t.rejects(create({ folder }), /is a program: name what to add to it with --chart, --api, or both/)
    await mkdir(join(folder, 'charts/mine'), { recursive: true })
    await writeFile(join(folder, 'charts/mine/values.yaml'), '')
    await t.rejects(create({ folder, api: 'my.domain/v1/Mine' }), {
      code: 'FOLDER_NOT_EMPTY',
      message: /values.yaml exists; nothing was written/,
    })
    t.strictSame((await readdir(folder)).sort(), ['charts', 'package.json', 'watches.yaml'])
    t.equal(await read(folder, 'watches.yaml'), watches)
    await writeFile(join(folder, 'watches.yaml'), '[]')
    await t.rejects(create({ folder, api: 'my.domain/v1/Other' }), { code: 'INVALID_WATCHES' })
  },
)
