// Tests charts from repositories that ask for credentials.
import t from 'tap'
import { until } from '../../../test/until.js'
import { secrets } from '../../engine/kube/builtin.js'
import { modules } from '../kinds/module-kind.js'
import { startTimed, type TimedTest } from '../module/modules.fixture.js'
import { digestOf } from '../program/digest.js'
import { helm, helmModule, historyOf } from './helm.fixture.js'
import { ModuleCharts } from './module-charts.js'
import { sha256, startRepository, startServer, type TestRepository } from './repository.fixture.js'

const place = { namespace: 'default', name: 'credentials' }
const basic = `Basic ${Buffer.from('reader:pass-word').toString('base64')}`
const createSecret = ({ client }: TimedTest, stringData: Record<string, string>, type = 'Opaque') => {
  const annotations = { 'kubernetes.io/service-account.name': 'default' }
  return client.create(secrets, { metadata: { ...place, annotations }, stringData, type })
}

const start = (t: Parameters<typeof startTimed>[0], allow: readonly string[]) =>
  startTimed(t, { modules: { helm: { ...helm, charts: { allow } } } })
const install = ({ client }: TimedTest, { url }: TestRepository, repo: object = {}) =>
  client.create(
    modules,
    helmModule({ chart: { repo: { url, chart: 'web', auth: { name: place.name }, ...repo } } }),
  )
const isDeployed = async (test: TimedTest) => {
  await test.pass(0)
  return (await historyOf(test.client)).includes('1 deployed')
}
const messageOf = async (test: TimedTest) => {
  await test.pass(0)
  return (await test.live()).status?.message
}

void t.test('the index and the archive are fetched with the credentials of a Secret', async (t) => {
  const repository = await startRepository(t, { authorization: basic })
  const test = await start(t, [repository.url])
  await createSecret(test, { username: 'reader', password: 'pass-word\n' })
  await install(test, repository, { digest: digestOf(repository.archive) })
  await until(() => isDeployed(test))
  t.strictSame(repository.credentials, [basic, basic])
})

void t.test('credentials are not sent to the server of the archive if that is another one', async (t) => {
  const seen: (string | undefined)[] = []
  const files = await startServer(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.end(repository.archive)
  })
  const repository = await startRepository(t, {
    authorization: 'Bearer to-ken',
    archiveUrl: `${files}/web-1.2.0.tgz`,
  })
  const test = await start(t, [repository.url, files])
  await createSecret(test, { token: 'to-ken' })
  await install(test, repository)
  await until(() => isDeployed(test))
  t.strictSame([repository.credentials, seen], [['Bearer to-ken'], [undefined]])
})

void t.test('credentials are not sent to a server that the repository redirects to', async (t) => {
  const seen: (string | undefined)[] = []
  const repository = await startRepository(t)
  const other = await startServer(t, ({ headers }, response) => {
    seen.push(headers.authorization)
    response.end(repository.contents['/stable/index.yaml'])
  })
  const front = await startServer(t, ({ url, headers }, response) => {
    seen.push(headers.authorization)
    if (url === '/index.yaml') response.writeHead(302, { location: `${other}/index.yaml` }).end()
    else response.end(repository.archive)
  })
  const test = await start(t, [front, other])
  await createSecret(test, { token: 'to-ken' })
  await install(test, { ...repository, url: front })
  await until(() => isDeployed(test))
  t.strictSame(seen, ['Bearer to-ken', undefined, 'Bearer to-ken'])
})

void t.test('wrong credentials and Secrets have their sentences, without a value', async (t) => {
  const repository = await startRepository(t, { authorization: basic })
  const test = await start(t, [repository.url])
  await install(test, repository)
  await until(async () =>
    /Secret default\/credentials does not exist; create it/.test((await messageOf(test)) ?? ''),
  )
  const attempts: [Record<string, string>, string, RegExp][] = [
    [{ password: 'pass-word' }, 'Opaque', /needs the keys username and password, or token$/],
    [{ token: 'to-ken' }, 'kubernetes.io/service-account-token', /is the token of a service account/],
    [{ token: 'to-ken' }, 'Opaque', /index.yaml: the server answered 401, expected 200/],
  ]
  for (const [data, type, message] of attempts) {
    await test.client.delete(secrets, place).catch(() => {})
    await createSecret(test, data, type)
    await until(async () => {
      await test.pass(300_000)
      return message.test((await messageOf(test)) ?? '')
    })
    t.notMatch(JSON.stringify(await test.live()), /to-ken|pass-word/)
  }
})

void t.test(
  'credentials of another namespace are not sent, also if a user freezes them in the Module',
  async (t) => {
    const repository = await startRepository(t)
    const test = await start(t, [repository.url])
    const metadata = { namespace: 'kube-system', name: place.name }
    await test.client.create(secrets, { metadata, stringData: { token: 'to-ken' } })
    const chart = { repo: { url: repository.url, chart: 'web', auth: metadata } }
    const module = helmModule({ chart: { configMap: { name: 'web-chart' } } })
    const { fingerprint: _, ...frozen } = {
      kind: 'Helm',
      metadata: {},
      values: {},
      fingerprint: '',
      spec: { ...module.spec.helm, chart },
    }
    const annotations = { 'forkspacer.com/resource': JSON.stringify(frozen) }
    await test.client.create(modules, { ...module, metadata: { ...module.metadata, annotations } })
    t.match(
      await messageOf(test),
      /must be in a Secret of the namespace default, got kube-system\/credentials/,
    )
    t.strictSame(repository.credentials, [])
  },
)

void t.test('an archive with another digest than the Module says is refused', async (t) => {
  const repository = await startRepository(t)
  const test = await start(t, [repository.url])
  await createSecret(test, { token: 'to-ken' })
  await install(test, repository, { digest: digestOf(Buffer.from('another one')) })
  await until(async () =>
    /web-1.2.0.tgz: the digest is sha256-.*, expected/.test((await messageOf(test)) ?? ''),
  )
  t.strictSame(await historyOf(test.client), [])
})

void t.test('the query of a URL, which may be a credential, is in no message', async (t) => {
  const query = '?X-Amz-Signature=to-ken'
  const home = { signal: new AbortController().signal, client: {} as never }
  const other = Buffer.from('another one')
  /** Why a chart with this digest in the index and in the Module is refused, and values of its repository. */
  const refusals = async (indexed: Buffer | undefined, repoDigest: string | undefined) => {
    const repository = await startRepository(t, {
      archiveUrl: `charts/web-1.2.0.tgz${query}`,
      digest: (archive) => sha256(indexed ?? archive),
    })
    repository.contents[`/stable/charts/web-1.2.0.tgz${query}`] = indexed ?? repository.archive
    repository.contents[`/stable/values.yaml${query}`] = '[]'
    const charts = new ModuleCharts({ allow: [repository.url] })
    const repo = { url: repository.url, chart: 'web', digest: repoDigest }
    const file = `${repository.url}/values.yaml${query}`
    const messageOf = (attempt: Promise<unknown>) => attempt.then(String, ({ message }: Error) => message)
    const chosen = await charts.choose({ repo }, home)
    return [
      await messageOf(charts.load({ repo }, chosen, home)),
      await messageOf(charts.values([{ file }], home)),
    ]
  }
  const digest = /\/stable\/charts\/web-1.2.0.tgz: the digest is sha256-.*, expected/
  const archive = /^the chart http:.*\/stable\/charts\/web-1.2.0.tgz cannot be used: /
  const values = /\/stable\/values.yaml: the values are not a map/
  t.match(await refusals(undefined, digestOf(other)), [digest, values])
  t.match(await refusals(other, undefined), [archive, values])
})
