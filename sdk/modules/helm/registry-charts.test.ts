// Tests charts from OCI registries: tokens, digests, types, sizes, and addresses that are not allowed.
import t, { type Test } from 'tap'
import { PermanentError } from '../../engine/kube/error.js'
import {
  digestOfContent,
  manifestOf,
  startRegistry,
  type TestRegistry,
  type TestRegistryOptions,
  testToken,
} from '../oci/registry.fixture.js'
import { AllowList } from '../program/allow-list.js'
import { digestOf } from '../program/digest.js'
import { webArchive } from './helm.fixture.js'
import { ModuleCharts } from './module-charts.js'
import { chooseInRegistry } from './registry-charts.js'
import { startServer } from './repository.fixture.js'

const { signal } = new AbortController()
const archive = await webArchive()
const basic = `Basic ${Buffer.from('reader:pass-word').toString('base64')}`
const bearer = 'Bearer realm="ORIGIN/token",service="registry",scope="repository:charts/web:pull"'

/** A registry, and what loads charts from it with the credentials of a Secret. */
async function start(
  t: Test,
  options: TestRegistryOptions = {},
  data?: Record<string, string>,
  more: string[] = [],
) {
  const registry = await startRegistry(t, archive, options)
  const charts = new ModuleCharts({
    allow: [`${registry.origin}/v2/charts`, `${registry.origin}/token`, ...more],
  })
  const encoded = Object.entries(data ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value).toString('base64'),
  ])
  const client = { get: async () => ({ data: Object.fromEntries(encoded) }) }
  const home = { signal, client: client as never }
  const auth = data && { auth: { namespace: 'default', name: 'credentials' } }
  const load = async (repo: object = {}) => {
    const source = { repo: { url: registry.url, chart: 'web', ...auth, ...repo } }
    const chosen = await charts.choose(source, home)
    const { metadata } = await charts.load(source, chosen, home)
    return { chosen, name: `${metadata.name} ${metadata.version}` }
  }
  return { registry, load, refusal: (repo?: object) => load(repo).then(() => 'loaded', textOf) }
}

const textOf = (error: Error & { code?: string }) => `${error.code ?? error.name} ${error.message}`
const credentialsOf = ({ requests }: TestRegistry) =>
  requests.map(({ path, authorization = '-' }) => `${path.replace(/sha256:.*/, '')} ${authorization}`)

void t.test('a chart is found by its version, by a range, or is the newest one', async (t) => {
  const { registry, load, refusal } = await start(t)
  Object.assign(registry.manifests, {
    '1.10.0': manifestOf(archive),
    '2.0.0-rc.1': {},
    '1.11.0_build': manifestOf(archive),
    latest: {},
  })
  const digest = digestOfContent(archive)
  t.match(await load({ version: '1.2.0' }), { name: 'web 1.2.0', chosen: { version: '1.2.0', digest } })
  t.equal((await load({ version: '1.11.0+build' })).chosen?.version, '1.11.0+build')
  t.equal((await load({ version: '~1.10' })).chosen?.version, '1.10.0')
  t.equal((await load()).chosen?.version, '1.11.0+build')
  t.match(await refusal({ version: '>=3' }), /no version ">=3" of the chart web; it has 1.2.0, 1.10.0/)
  t.match(
    await refusal({ version: '1.2.1' }),
    /^PROGRAM_UNREACHABLE .*manifests\/1.2.1: the server answered 404/,
  )
  t.equal((await load({ digest: digestOf(archive) })).name, 'web 1.2.0')
  t.match(await refusal({ digest: digestOf(Buffer.from('other')) }), /^DIGEST_MISMATCH /)
})

void t.test('tags come in pages, but not without end', async (t) => {
  const { registry, load, refusal } = await start(t)
  registry.manifests['1.10.0'] = manifestOf(archive)
  let pages = 2
  registry.before = ({ url = '' }, response) => {
    if (!url.includes('/tags/list')) return false
    const page = Number(new URL(url, 'http://a').searchParams.get('page') ?? 1)
    if (page < pages) response.setHeader('link', `</v2/charts/web/tags/list?page=${page + 1}>; rel="next"`)
    response.end(JSON.stringify({ tags: [page === 1 ? '1.2.0' : '1.10.0'] }))
    return true
  }
  t.equal((await load()).chosen?.version, '1.10.0')
  pages = Number.POSITIVE_INFINITY
  t.match(await refusal(), /more than 20 pages of tags; name an exact version/)
})

void t.test('a token is asked for with the credentials, and goes to the registry alone', async (t) => {
  const { registry, load } = await start(
    t,
    { challenge: bearer, user: basic },
    { username: 'reader', password: 'pass-word' },
  )
  t.equal((await load({ version: '1.2.0' })).name, 'web 1.2.0')
  const token = '/token?service=registry&scope=repository%3Acharts%2Fweb%3Apull'
  t.strictSame(credentialsOf(registry), [
    '/v2/charts/web/manifests/1.2.0 -',
    `${token} ${basic}`,
    `/v2/charts/web/manifests/1.2.0 Bearer ${testToken}`,
    '/v2/charts/web/blobs/ -',
    `${token} ${basic}`,
    `/v2/charts/web/blobs/ Bearer ${testToken}`,
  ])
})

void t.test('a token in a Secret is a password; without a Secret the token is one for anybody', async (t) => {
  const user = `Basic ${Buffer.from('x-access-token:to-ken').toString('base64')}`
  const withToken = await start(t, { challenge: bearer, user }, { token: 'to-ken' })
  t.equal((await withToken.load({ version: '1.2.0' })).name, 'web 1.2.0')
  const anonymous = await start(t, { challenge: bearer })
  t.equal((await anonymous.load({ version: '1.2.0' })).name, 'web 1.2.0')
})

void t.test('a registry without tokens gets the credentials itself', async (t) => {
  const { registry, load } = await start(t, {}, { username: 'reader', password: 'pass-word' })
  registry.before = ({ headers }, response) => {
    if (headers.authorization === basic) return false
    response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end()
    return true
  }
  t.equal((await load({ version: '1.2.0' })).name, 'web 1.2.0')
})

void t.test('a server of tokens that is not allowed sees no credentials', async (t) => {
  const seen: (string | undefined)[] = []
  const other = await startServer(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.end(JSON.stringify({ token: testToken }))
  })
  const secret = { username: 'reader', password: 'pass-word' }
  const realms: [string, RegExp][] = [
    [
      `${other}/token`,
      /^PROGRAM_NOT_ALLOWED http:.*\/token: the URL begins with none of the allowed ones; add it to helm.charts.allow/,
    ],
    ['http://169.254.169.254/token', /^PROGRAM_NOT_ALLOWED http:\/\/169.254.169.254\/token/],
    ['file:///etc/passwd', /^PROGRAM_NOT_ALLOWED /],
    ['nothing', /^PROGRAM_NOT_ALLOWED "nothing": this is not a URL/],
  ]
  for (const [realm, message] of realms) {
    const { refusal } = await start(t, { challenge: `Bearer realm="${realm}"` }, secret)
    t.match(await refusal({ version: '1.2.0' }), message)
  }
  t.strictSame(seen, [])
  const allowed = await start(t, { challenge: `Bearer realm="${other}/token"` }, secret, [`${other}/token`])
  t.equal((await allowed.load({ version: '1.2.0' })).name, 'web 1.2.0')
  t.strictSame(seen, [basic, basic])
})

void t.test(
  'the server of archives that a registry redirects to sees no token, and is allowed',
  async (t) => {
    const seen: (string | undefined)[] = []
    const files = await startServer(t, ({ headers }, response) => {
      seen.push(headers.authorization)
      response.end(archive)
    })
    const redirecting = async (target: string, more: string[] = []) => {
      const test = await start(t, { challenge: bearer }, { username: 'a', password: 'b' }, more)
      test.registry.before = ({ url = '', headers }, response) => {
        if (!url.includes('/blobs/') || !headers.authorization) return false
        response.writeHead(307, { location: target }).end()
        return true
      }
      return test.refusal({ version: '1.2.0' })
    }
    t.equal(await redirecting(`${files}/archive`, [`${files}/`]), 'loaded')
    t.strictSame(seen, [undefined])
    t.match(
      await redirecting(`${files}/archive`),
      /^PROGRAM_NOT_ALLOWED .*redirects to .*archive: the URL begins/,
    )
    t.match(
      await redirecting('http://169.254.169.254/a'),
      /^PROGRAM_NOT_ALLOWED .*redirects to http:\/\/169.254/,
    )
    t.strictSame(seen, [undefined])
  },
)

void t.test('wrong credentials have their sentence, without a value', async (t) => {
  const wrong = await start(
    t,
    { challenge: bearer, user: 'Basic other' },
    { username: 'reader', password: 'pass-word' },
  )
  t.match(
    await wrong.refusal({ version: '1.2.0' }),
    /^PROGRAM_UNREACHABLE .*\/token: the server answered 401/,
  )
  const none = await start(t, { challenge: 'Basic realm="registry"' })
  t.match(
    await none.refusal({ version: '1.2.0' }),
    /^RegistryError .*answered 401; name a Secret with credentials/,
  )
  const strange = await start(t, { challenge: 'Negotiate' }, { token: 'to-ken' })
  t.match(await strange.refusal({ version: '1.2.0' }), /^RegistryError .*answered 401/)
  const noToken = await start(t, { challenge: bearer }, { token: 'to-ken' })
  noToken.registry.before = ({ url = '' }, response) => {
    if (!url.startsWith('/token')) return false
    response.end('{"secret":"to-ken"}')
    return true
  }
  const message = await noToken.refusal({ version: '1.2.0' })
  t.match(message, /^RegistryError .*\/token: the answer has no token/)
  t.notMatch(message, /to-ken/)
})

void t.test('what is not one chart with the right digest is refused', async (t) => {
  const { registry, refusal } = await start(t)
  const good = manifestOf(archive)
  const [layer] = good.layers
  const cases: [unknown, RegExp][] = [
    [
      { ...good, mediaType: 'application/vnd.oci.image.index.v1+json' },
      /is not the manifest of a chart, but of type "application\/vnd.oci.image.index/,
    ],
    [{ manifests: [] }, /is not the manifest of a chart, but of type "unknown"/],
    [
      { ...good, config: { mediaType: 'application/vnd.oci.image.config.v1+json' } },
      /is not a Helm chart: its configuration is "application\/vnd.oci.image.config/,
    ],
    [{ ...good, layers: [] }, /has 0 layers of type application\/vnd.cncf.helm.chart.content/],
    [{ ...good, layers: [layer, layer] }, /has 2 layers/],
    [
      { ...good, layers: [{ ...layer, mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip' }] },
      /has 0 layers/,
    ],
    [
      { ...good, layers: [{ ...layer, digest: 'sha256:../../x' }] },
      /the digest of its chart is "sha256:..\/..\/x"/,
    ],
    [
      { ...good, layers: [{ ...layer, size: 21 * 2 ** 20 }] },
      /^PROGRAM_TOO_LARGE .*the chart is larger than 20971520 bytes/,
    ],
  ]
  for (const [manifest, message] of cases) {
    registry.manifests['1.2.0'] = manifest
    t.match(await refusal({ version: '1.2.0' }), message)
  }
  registry.manifests['1.2.0'] = good
  registry.blobs[digestOfContent(archive)] = Buffer.from('something else')
  t.match(await refusal({ version: '1.2.0' }), /^DIGEST_MISMATCH .*blobs.*expected sha256-/)
  registry.blobs[digestOfContent(archive)] = Buffer.alloc(21 * 2 ** 20)
  t.match(await refusal({ version: '1.2.0' }), /^PROGRAM_TOO_LARGE .*larger than 20971520 bytes/)
  registry.before = ({ url = '' }, response) => {
    if (url.includes('/manifests/')) response.end(Buffer.alloc(5 * 2 ** 20, 32))
    return url.includes('/manifests/')
  }
  t.match(await refusal({ version: '1.2.0' }), /^PROGRAM_TOO_LARGE .*the answer is larger than 4194304 bytes/)
})

void t.test('a registry is read by HTTPS, at its allowed repositories, and by its name', async (t) => {
  const list = new AllowList({ allow: ['oci://registry.example/charts', 'http://plain.example/v2/'] })
  t.equal(
    list.registryUrl('oci://registry.example/charts/web').href,
    'https://registry.example/v2/charts/web',
  )
  t.equal(list.registryUrl('oci://plain.example/a').href, 'http://plain.example/v2/a')
  for (const url of [
    'oci://registry.example/chartsx/web',
    'oci://registry.example/other',
    'oci://user@registry.example/charts',
  ])
    t.throws(() => list.registryUrl(url), { code: 'PROGRAM_NOT_ALLOWED' }, url)
  const repo = { url: 'oci://registry.example/charts', limitBytes: 1 }
  for (const chart of ['Web', '../other', 'a b', ''])
    await t.rejects(
      chooseInRegistry(
        { ...repo, chart },
        { allowList: new AllowList({ allow: ['oci://registry.example/'] }), limitBytes: 1 },
      ),
      PermanentError,
      chart,
    )
})

void t.test('the charts of Docker Hub are at its registry, also with its short name', (t) => {
  const url = 'https://registry-1.docker.io/v2/team/web'
  for (const host of ['docker.io', 'Docker.io', 'registry-1.docker.io'])
    for (const entry of ['oci://docker.io/team', 'oci://registry-1.docker.io/team', 'OCI://docker.io'])
      t.equal(new AllowList({ allow: [entry] }).registryUrl(`oci://${host}/team/web`).href, url)
  const other = new AllowList({ allow: ['oci://docker.io/other', 'oci://docker.io.example/'] })
  t.throws(() => other.registryUrl('oci://docker.io/team/web'), { message: new RegExp(`^${url}: the URL`) })
  t.equal(other.registryUrl('oci://docker.io.example/a').href, 'https://docker.io.example/v2/a')
  t.end()
})
