// Tests charts of registries, repositories and URLs, on servers of loopback. With helm programs, their repository and
// their pull.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { packChart } from '../../../sdk/helm/chart/pack-chart.js'
import { sha256, startServer } from '../../../sdk/modules/helm/repository.fixture.js'
import {
  digestOfContent,
  manifestOf,
  startRegistry,
  type TestRegistryOptions,
} from '../../../sdk/modules/oci/registry.fixture.js'
import { findNamedChart, type NamedChart } from './find-chart.js'

const archive = await packChart('web', [
  { name: 'Chart.yaml', data: Buffer.from('apiVersion: v2\nname: web\nversion: 1.2.0\n') },
])
const env = { CHART_USERNAME: 'reader', CHART_PASSWORD: 'pass-word' }
const basic = `Basic ${Buffer.from('reader:pass-word').toString('base64')}`

/** The version and the origin of a chart, or the message of the error. */
const found = (named: NamedChart, given: Record<string, string> = {}): Promise<string> =>
  findNamedChart(named, given).then(
    ({ origin = 'local' }) => origin,
    (error: Error) => error.message,
  )

async function registryOf(t: Test, options: TestRegistryOptions = {}) {
  const registry = await startRegistry(t, archive, options)
  return { registry, chart: `${registry.url}/web` }
}

const origin = (place: string) => `web 1.2.0 of ${place}, sha256:${sha256(archive)}`

void t.test('a chart of a registry is found by tag, version, range and digest', async (t) => {
  const { registry, chart } = await registryOf(t)
  const manifest = Buffer.from(JSON.stringify(manifestOf(archive)))
  const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`
  registry.manifests[digest] = manifestOf(archive)
  registry.manifests['2.0.0-rc.1'] = {}
  for (const named of [
    { chart: `${chart}:1.2.0` },
    { chart },
    { chart, version: '^1.1' },
    { chart: `${chart}@${digest}` },
  ])
    t.equal(await found(named), origin(chart))
  t.match(await found({ chart, version: '^3' }), /has no version "\^3" of the chart oci:.*; it has 1.2.0, /)
  t.match(await found({ chart: `${chart}:9.9.9` }), /manifests\/9.9.9: the server answered 404/)
  t.match(
    await found({ chart: `${chart}@sha256:${'0'.repeat(64)}` }),
    /sha256:0{64}: the server answered 404/,
  )
})

void t.test('content that is not what its digest says, or too large, is refused', async (t) => {
  const { registry, chart } = await registryOf(t)
  const [digest = ''] = Object.keys(registry.blobs)
  const forged = `sha256:${'1'.repeat(64)}`
  registry.manifests[forged] = manifestOf(archive)
  t.match(
    await found({ chart: `${chart}@${forged}` }),
    /the content has the digest .*, expected sha256:1{64}/,
  )
  registry.blobs[digest] = Buffer.from('another')
  t.match(await found({ chart: `${chart}:1.2.0` }), /the content has the digest sha256:.*, expected sha256:/)
  registry.blobs[digest] = Buffer.alloc(21 * 2 ** 20)
  t.match(await found({ chart: `${chart}:1.2.0` }), /the answer has more than 20971520 bytes/)
  const manifest = manifestOf(archive)
  registry.manifests['1.2.0'] = { ...manifest, layers: manifest.layers.map((one) => ({ ...one, size: 1e9 })) }
  t.match(await found({ chart: `${chart}:1.2.0` }), /it has 1000000000 bytes, more than 20971520/)
  registry.manifests['1.2.0'] = { ...manifest, config: { mediaType: 'an/image' } }
  t.match(await found({ chart: `${chart}:1.2.0` }), /is not a Helm chart/)
})

void t.test('a chart of docker.io comes from the registry of Docker Hub', async (t) => {
  const asked: string[] = []
  t.intercept(globalThis, 'fetch', {
    value: async (url: URL) => {
      asked.push(url.href)
      return new Response('', { status: 404 })
    },
  })
  await found({ chart: 'oci://docker.io/team/web:1.2.0' })
  await found({ chart: 'oci://registry.example/docker.io/web:1.2.0' })
  t.strictSame(asked, [
    'https://registry-1.docker.io/v2/team/web/manifests/1.2.0',
    'https://registry.example/v2/docker.io/web/manifests/1.2.0',
  ])
})

void t.test(
  'credentials come from the environment, go to their servers, and are in no message',
  async (t) => {
    const challenge = 'Bearer realm="ORIGIN/token",service="registry",scope="repository:charts/web:pull"'
    const { registry, chart } = await registryOf(t, { challenge, user: basic })
    t.equal(await found({ chart: `${chart}:1.2.0` }, env), origin(chart))
    t.strictSame(new Set(registry.requests.map(({ authorization }) => authorization?.split(' ')[0])).size, 3)
    const refused = await found({ chart: `${chart}:1.2.0` })
    t.match(refused, /token: the server answered 401, expected 200; set CHART_USERNAME and CHART_PASSWORD/)
    const wrong = await found({ chart: `${chart}:1.2.0` }, { ...env, CHART_PASSWORD: 'se-cret' })
    t.notMatch(wrong, /se-cret/)
    const inUrl = await found({ chart: 'https://me:se-cret@charts.example/web.tgz?key=to-ken' })
    t.match(inUrl, /remove user and password from the URL/)
    t.notMatch(inUrl, /se-cret|to-ken/)
  },
)

void t.test('credentials of a repository are not for another server that its index names', async (t) => {
  const seen: (string | undefined)[] = []
  const elsewhere = await startServer(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.end(archive)
  })
  const entry = (url: string) => `entries:\n  web:\n  - version: 1.2.0\n    urls: ["${url}"]\n`
  const own: (string | undefined)[] = []
  let index = ''
  const server = await startServer(t, ({ url, headers }, response) => {
    own.push(headers.authorization)
    if (url === '/moved/index.yaml') response.writeHead(302, { location: `${elsewhere}/index.yaml` }).end()
    else response.end(url?.endsWith('index.yaml') ? index : archive)
  })
  index = entry(`${elsewhere}/web.tgz`)
  t.equal(await found({ chart: 'web', repo: `${server}/stable` }, env), origin(`${server}/stable/web`))
  t.strictSame([own, seen], [[basic], [undefined]])
  await found({ chart: 'web', repo: `${server}/moved` }, env)
  t.strictSame(seen, [undefined, undefined], 'nor for a server that it redirects to')
  index = entry('web.tgz')
  await found({ chart: 'web', repo: `${server}/stable/` }, env)
  t.equal(own.at(-1), basic)
})

void t.test('a chart that an index names in a registry is fetched there, without credentials', async (t) => {
  const { registry, chart } = await registryOf(t)
  let index = ''
  const repo = await startServer(t, (_request, response) => response.end(index))
  const entry = (url: string, digest = '""') =>
    `entries:\n  web:\n  - version: 1.2.0\n    digest: ${digest}\n    urls: ["${url}"]\n`
  for (const url of [`${chart}:1.2.0`, chart]) {
    index = entry(url, sha256(archive))
    t.equal(await found({ chart: 'web', repo }, env), origin(`${repo}/web`), url)
  }
  t.strictSame(new Set(registry.requests.map(({ authorization }) => authorization)), new Set([undefined]))
  index = entry(`${chart}:1.2.0`, '"md5:abc"')
  t.equal(await found({ chart: 'web', repo }), origin(`${repo}/web`), 'another digest is not compared')
  index = entry(`${chart}:1.2.0`, 'a'.repeat(64))
  t.match(await found({ chart: 'web', repo }), /but the index of the repository says a{64}/)
  index = entry(`${chart}:9.9.9`)
  t.match(
    await found({ chart: 'web', repo }, env),
    /answered 404.*; the index names oci:\S+web:9.9.9, which is fetched without credentials: if it needs them, pass/,
  )
})

void t.test('an index, an archive of a URL and flags are checked', async (t) => {
  const contents: Record<string, string | Buffer> = {
    '/web.tgz': archive,
    '/text.tgz': 'no archive',
    '/index.yaml': `entries:\n  web:\n  - version: 1.2.0\n    digest: ${'a'.repeat(64)}\n    urls: [web.tgz]\n`,
  }
  const repo = await startServer(t, ({ url = '' }, response) => {
    const content = contents[url.replace(/\?.*/, '')]
    response.writeHead(content === undefined ? 404 : 200).end(content)
  })
  t.equal(await found({ chart: `${repo}/web.tgz?key=to-ken` }), origin(`${repo}/web.tgz`))
  t.match(
    await found({ chart: `${repo}/none.tgz?key=to-ken` }),
    /the chart \S+none.tgz cannot be used: \S+none.tgz: the server answered 404, expected 200; nothing is there: correct --chart, --repo or --chart-version$/,
  )
  t.match(await found({ chart: `${repo}/text.tgz` }), /it is neither a folder nor an archive/)
  const named = 'apiVersion: v2\nname: "web kind: x"\nversion: 1.2.0\n'
  contents['/named.tgz'] = await packChart('web', [{ name: 'Chart.yaml', data: Buffer.from(named) }])
  t.match(await found({ chart: `${repo}/named.tgz` }), /its name "web kind: x" has characters other than/)
  t.match(await found({ chart: 'web', repo }), /but the index of the repository says a{64}/)
  t.match(await found({ chart: 'db', repo }), /the index of the repository has no chart "db"/)
  t.match(
    await found({ chart: 'web', repo, version: '^3' }),
    /has no version "\^3" of the chart web; it has 1.2.0/,
  )
  t.match(await found({ chart: 'web', repo: 'ftp://charts.example' }), /this is not an https: or http: URL/)
  t.match(await found({ chart: 'oci://a.b/c', repo }), /--chart is the name of a chart if --repo names/)
  t.match(
    await found({ chart: 'oci://a.b/c:1.0.0', version: '^1' }),
    /--chart-version needs --repo, or an oci/,
  )
  t.match(await found({ chart: 'oci://a.b/C..d' }), /it is not an oci:\/\/ address of a chart/)
  t.match(
    await found({ chart: 'oci://127.0.0.1:1/web:1.0.0' }),
    /the server cannot be reached: .*; check the URL/,
  )
  t.match(
    await found({ chart: 'nginx' }),
    /there is no such file or folder; .* or the name of a chart with --repo/,
  )
})

const programs = (process.env.HELM_PROGRAMS ?? '').split('\n').filter(Boolean)
const skip = programs.length === 0 && 'HELM_PROGRAMS is not set: export HELM_PROGRAMS=$(.ci/helm)'

void t.test(
  'a repository of helm has the same chart, and helm pulls the same archive of a registry',
  { skip },
  async (t) => {
    for (const helm of programs) {
      const folder = t.testdir({})
      const run = (...args: string[]) =>
        promisify(execFile)(helm, args, { cwd: folder, env: { HOME: folder, PATH: process.env.PATH } })
      await run('create', 'web')
      mkdirSync(join(folder, 'repo'))
      await run('package', 'web', '--version', '1.2.0', '-d', 'repo')
      await run('repo', 'index', 'repo')
      const packed = readFileSync(join(folder, 'repo/web-1.2.0.tgz'))
      const repo = await startServer(t, ({ url = '' }, response) =>
        response.end(readFileSync(join(folder, 'repo', url))),
      )
      const expected = (place: string) => `web 1.2.0 of ${place}, sha256:${sha256(packed)}`
      t.equal(await found({ chart: 'web', repo, version: '~1.2' }), expected(`${repo}/web`))
      const registry = await startRegistry(t, packed)
      t.equal(await found({ chart: `${registry.url}/web` }), expected(`${registry.url}/web`))
      const config = Buffer.from('{}')
      registry.blobs[digestOfContent(config)] = config
      mkdirSync(join(folder, 'pulled'))
      const flags = ['--version', '1.2.0', '--plain-http', '-d', 'pulled']
      await run('pull', `${registry.url}/web`, ...flags)
      t.equal(sha256(readFileSync(join(folder, 'pulled/web-1.2.0.tgz'))), sha256(packed))
    }
  },
)
