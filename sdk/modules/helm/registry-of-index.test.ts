// Tests charts that the index of a repository names in a registry, as that of Bitnami does.
import t, { type Test } from 'tap'
import { until } from '../../../test/until.js'
import { secrets } from '../../engine/kube/builtin.js'
import { modules } from '../kinds/module-kind.js'
import { startTimed } from '../module/modules.fixture.js'
import {
  digestOfContent,
  manifestOf,
  startRegistry,
  type TestRegistry,
  testToken,
} from '../oci/registry.fixture.js'
import { AllowList } from '../program/allow-list.js'
import { digestOf } from '../program/digest.js'
import { helm, helmModule, historyOf, webArchive } from './helm.fixture.js'
import { ModuleCharts } from './module-charts.js'
import { chooseOfIndex } from './registry-charts.js'
import { sha256, startRepository } from './repository.fixture.js'

const { signal } = new AbortController()
const archive = await webArchive()
const otherDigest = sha256(Buffer.from('other'))
const basic = `Basic ${Buffer.from('reader:pass-word').toString('base64')}`
const pathsOf = ({ requests }: TestRegistry) => requests.map(({ path }) => path.replace(/sha256:.*/, ''))
const textOf = (error: Error & { code?: string }) => `${error.code ?? error.name} ${error.message}`

/** An index with the chart at a place of a registry, and what loads it. */
async function start(t: Test, options: { place?: string; digest?: () => string; allow?: string[] } = {}) {
  const registry = await startRegistry(t, archive)
  const { place = '/charts/web:1.2.0', digest, allow = [`${registry.origin}/v2/charts`] } = options
  const archiveUrl = `${registry.origin.replace('http:', 'oci:')}${place}`
  const repository = await startRepository(t, { archiveUrl, ...(digest && { digest }) })
  const source = { repo: { url: repository.url, chart: 'web' } }
  const load = async (more: string[] = allow, repo: object = {}) => {
    const charts = new ModuleCharts({ allow: [repository.url, ...more] })
    const home = { signal, client: {} as never }
    const chosen = await charts.choose(source, home)
    const { metadata } = await charts.load({ repo: { ...source.repo, ...repo } }, chosen, home)
    return { chosen, name: `${metadata.name} ${metadata.version}` }
  }
  const refusal = (more?: string[], repo?: object) => load(more, repo).then(() => 'loaded', textOf)
  return { registry, archiveUrl, load, refusal }
}

void t.test('a chart that the index names in a registry is fetched by its tag', async (t) => {
  const { registry, load } = await start(t)
  const { chosen, name } = await load()
  t.equal(name, 'web 1.2.0')
  t.match(chosen, { version: '1.2.0', digest: sha256(archive) })
  t.strictSame(pathsOf(registry), ['/v2/charts/web/manifests/1.2.0', '/v2/charts/web/blobs/'])
})

void t.test('a place in a registry may have any tag, none, or a digest', async (t) => {
  const manifest = digestOfContent(Buffer.from(JSON.stringify(manifestOf(archive))))
  for (const place of [':latest', '', `@${manifest}`, `:1.2.0@${manifest}`]) {
    const { registry, load } = await start(t, { place: `/charts/web${place}` })
    registry.manifests.latest = registry.manifests[manifest] = manifestOf(archive)
    t.match(await load(), { name: 'web 1.2.0', chosen: { version: '1.2.0' } }, place)
  }
  for (const place of ['/charts/Web:1.2.0', '/charts/web:', ''])
    t.match(
      await (await start(t, { place })).refusal(),
      /the index of the repository names "oci:.*", which is not a chart of a registry, such as oci:/,
      place,
    )
})

void t.test('the archive has the digest of the index, or else that of the registry', async (t) => {
  const wrong = await start(t, { digest: () => otherDigest })
  t.match(await wrong.refusal(), /^DIGEST_MISMATCH /)
  for (const digest of ['md5:abc', '""']) {
    const { registry, load, refusal } = await start(t, { digest: () => digest })
    t.equal((await load()).chosen?.digest, digestOfContent(archive), digest)
    t.match(await refusal(undefined, { digest: digestOf(Buffer.from('other')) }), /^DIGEST_MISMATCH /)
    registry.blobs[digestOfContent(archive)] = Buffer.from('other')
    t.match(await refusal(), /^DIGEST_MISMATCH /)
  }
})

void t.test('the registry must be allowed, and the message names the URL to add', async (t) => {
  const { registry, refusal } = await start(t, { allow: [] })
  const message = await refusal()
  t.match(
    message,
    /\/v2\/charts\/web: the URL begins with none of the allowed ones; add it to helm.charts.allow$/,
  )
  t.strictSame(registry.requests, [])
  const [, url = ''] = /^PROGRAM_NOT_ALLOWED (\S+): /.exec(message) ?? []
  t.equal(await refusal([url.replace(/^https:/, 'http:')]), 'loaded')
  const entry = { version: '21.0.0', url: 'oci://registry-1.docker.io/bitnamicharts/redis:21.0.0' }
  const asked = (allow: string) => {
    const resolve = async () => Promise.reject(new Error('no network'))
    return chooseOfIndex(entry, { allowList: new AllowList({ allow: [allow] }), limitBytes: 1, resolve })
  }
  const api = 'https://registry-1.docker.io/v2/bitnamicharts/redis'
  for (const allow of ['oci://registry-1.docker.io/bitnamicharts', 'oci://docker.io/bitnamicharts', api])
    await t.rejects(asked(allow), { message: `${api}/manifests/21.0.0: no network` }, allow)
  await t.rejects(asked('oci://registry-1.docker.io/other'), { code: 'PROGRAM_NOT_ALLOWED' })
})

void t.test('a registry that asks for credentials gets none, and the message says what to do', async (t) => {
  const { registry, refusal } = await start(t)
  registry.before = (_request, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="registry"' }).end()
    return true
  }
  const auth = { namespace: 'default', name: 'credentials' }
  t.match(
    await refusal(undefined, { auth }),
    /answered 401; credentials of the repository are not sent there: set repo.url to oci:\S+ with a Secret/,
  )
})

void t.test('a Module is installed and upgraded without the credentials of the index', async (t) => {
  const registry = await startRegistry(t, archive, { challenge: 'Bearer realm="ORIGIN/token"' })
  const repository = await startRepository(t, {
    authorization: basic,
    archiveUrl: `${registry.url}/web:1.2.0`,
  })
  const charts = { allow: [repository.url, `${registry.origin}/v2/charts/`, `${registry.origin}/token`] }
  const test = await startTimed(t, { modules: { helm: { ...helm, charts } } })
  const stringData = { username: 'reader', password: 'pass-word' }
  await test.client.create(secrets, { metadata: { namespace: 'default', name: 'credentials' }, stringData })
  const chart = { repo: { url: repository.url, chart: 'web', auth: { name: 'credentials' } } }
  await test.client.create(modules, helmModule({ chart }))
  const history = async () => {
    await test.pass(0)
    return historyOf(test.client)
  }
  await until(async () => (await history()).includes('1 deployed'))
  await test.change({ helm: { values: [{ raw: { text: 'other' } }] } })
  await until(async () => (await history()).includes('2 deployed'))
  t.strictSame(repository.credentials, [basic], 'the index is read once')
  const [manifest, blob] = ['/v2/charts/web/manifests/1.2.0', '/v2/charts/web/blobs/']
  const withToken = (path: string) => [`${path} -`, '/token -', `${path} Bearer ${testToken}`]
  t.strictSame(
    registry.requests.map(
      ({ path, authorization = '-' }) => `${path.replace(/sha256:.*/, '')} ${authorization}`,
    ),
    [manifest, blob, blob].flatMap(withToken),
  )
})
