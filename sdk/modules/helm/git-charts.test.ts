// Tests the life of a Module whose chart is in a git repository, with a real server of git.
import isMatch from 'lodash/isMatch.js'
import t, { type Test } from 'tap'
import { until } from '../../../test/until.js'
import { secrets } from '../../engine/kube/builtin.js'
import { renderFunctionChart } from '../../helm/render/code/render-function-chart.js'
import type { RenderRequest } from '../../helm/render/renderer.js'
import { startGit, withoutGit } from '../git/git.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { startTimed, type TimedTest } from '../module/modules.fixture.js'
import { codeRenderer, helm, helmModule, historyOf, web, workloadsOf } from './helm.fixture.js'
import { startServer } from './repository.fixture.js'

t.setTimeout(600_000)
const skip = withoutGit
const chartYaml = (version: string) => `apiVersion: v2\nname: web\nversion: ${version}\n`
const files = (version: string) => ({
  'charts/web/Chart.yaml': chartYaml(version),
  'charts/web/templates/all.yaml': '# rendered by code\n',
})

/** Renders the objects of the tests, as the chart that was loaded. */
const renderer = {
  ...codeRenderer,
  render: (request: RenderRequest) =>
    renderFunctionChart({ ...web, metadata: request.chart.metadata }, request),
}
const start = (t: Test, { origin }: { origin: string }, more: string[] = []) =>
  startTimed(t, { modules: { helm: { ...helm, renderer, charts: { allow: [`${origin}/`, ...more] } } } })
const moduleIn = ({ url }: { url: string }, git: object = {}, spec: object = {}) =>
  helmModule({ chart: { git: { repo: url, path: 'charts/web', ...git } }, ...spec })
interface Expected {
  readonly message?: RegExp
  readonly phase?: string
  readonly program?: object
}

/** Waits in real time, because the server of git is a real one. */
const untilStatus = (test: TimedTest, { message, ...expected }: Expected, ms = 0) =>
  until(async () => {
    await test.pass(ms)
    const { status = {} } = await test.live()
    if (isMatch(status, expected) && (message?.test(status.message ?? '') ?? true)) return true
    throw new Error(JSON.stringify(status))
  })
const programOf = (version: string, commit: string) => ({
  program: { name: 'web', version, digest: `sha1:${commit}`, methods: ['upgrade'] },
})

void t.test(
  'a chart of a branch is installed, sleeps, wakes and is uninstalled without its server',
  { skip },
  async (t) => {
    const server = await startGit(t)
    const commit = server.repository.commit(files('1.0.0'))
    let isGone = false
    const front = await startServer(t, (request, response) => {
      if (isGone) response.writeHead(503).end()
      else server.answer(request, response)
    })
    const test = await start(t, { origin: front })
    await test.client.create(modules, moduleIn({ url: `${front}/web.git` }))
    await untilStatus(test, { phase: 'ready', ...programOf('1.0.0', commit) })
    t.strictSame(await historyOf(test.client), ['1 deployed'])
    isGone = true
    const asked = server.requests.length
    await test.change({ hibernated: true })
    await untilStatus(test, { phase: 'sleeped', ...programOf('1.0.0', commit) }, 2_000)
    t.match(await workloadsOf(test.client), { deployment: 0 })
    await test.change({ hibernated: false })
    await untilStatus(test, { phase: 'ready' }, 2_000)
    t.match(await workloadsOf(test.client), { deployment: 3 })
    await test.client.delete(modules, { namespace: 'default', name: 'shop' })
    await test.pass(2_000)
    await t.rejects(test.live(), { code: 404 })
    t.strictSame(await historyOf(test.client), [])
    t.equal(server.requests.length, asked)
  },
)

void t.test('a branch that moves is not taken until the spec names another revision', { skip }, async (t) => {
  const server = await startGit(t)
  const { repository } = server
  const first = repository.commit(files('1.0.0'))
  const test = await start(t, server)
  await test.client.create(modules, moduleIn(server))
  await untilStatus(test, { phase: 'ready', ...programOf('1.0.0', first) })
  const second = repository.commit(files('2.0.0'))
  repository.git('tag', 'v2')

  await test.change({ helm: { values: [{ raw: { replicas: 5 } }] } })
  await until(async () => {
    await test.pass(0)
    return (await historyOf(test.client)).includes('2 deployed')
  })
  t.match((await test.live()).status, programOf('1.0.0', first))
  t.match(await workloadsOf(test.client), { deployment: 5 })

  await test.change({
    helm: { chart: { git: { path: '/charts/web/' } }, values: [{ raw: { replicas: 6 } }] },
  })
  await until(async () => {
    await test.pass(0)
    return (await historyOf(test.client)).includes('3 deployed')
  })
  t.match((await test.live()).status, programOf('1.0.0', first), 'nor by another spelling of the folder')

  await test.change({ helm: { chart: { git: { revision: 'v2' } } } })
  await untilStatus(test, { phase: 'ready', ...programOf('2.0.0', second) })
  await test.change({ helm: { chart: { git: { revision: first } } } })
  await untilStatus(test, { phase: 'ready', ...programOf('1.0.0', first) })
})

void t.test('a commit that is gone is not replaced by that of the branch', { skip }, async (t) => {
  const server = await startGit(t)
  const { repository } = server
  const first = repository.commit(files('1.0.0'))
  const test = await start(t, server)
  await test.client.create(modules, moduleIn(server))
  await untilStatus(test, { phase: 'ready' })
  repository.git('checkout', '-q', '--orphan', 'other')
  const second = repository.commit(files('2.0.0'))
  repository.git('branch', '-D', '-q', 'main')
  repository.git('branch', '-m', 'main')
  repository.git('reflog', 'expire', '--expire=now', '--all')
  repository.git('gc', '-q', '--prune=now')
  await test.change({ helm: { values: [{ raw: { replicas: 5 } }] } })
  await untilStatus(test, { phase: 'failed', message: new RegExp(`not our ref ${first}`) }, 5_000)
  t.strictSame(await historyOf(test.client), ['1 deployed'])
  await test.change({ helm: { chart: { git: { revision: 'refs/heads/main' } } } })
  await untilStatus(test, { phase: 'ready', ...programOf('2.0.0', second) }, 5_000)
})

void t.test(
  'a revision and a chart that are mended are installed by the next attempt',
  { skip },
  async (t) => {
    const server = await startGit(t)
    const { repository } = server
    const path = 'charts/web/templates/more.yaml'
    repository.commit({ ...files('1.0.0'), [path]: { link: '../../../../../etc/passwd' } })
    const test = await start(t, server)
    await test.client.create(modules, moduleIn(server, { revision: 'stable' }))
    await untilStatus(test, { message: /has no branch and no tag "stable"/ })
    repository.git('branch', 'stable')
    const name = `the chart ${server.url}//charts/web at `
    await untilStatus(test, { message: /templates\/more.yaml is a link, and links are not followed/ }, 2_000)
    t.match((await test.live()).status?.message, name)
    const move = (content: string) => {
      repository.commit({ [path]: content })
      repository.git('branch', '-f', 'stable')
    }
    move('version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n')
    await untilStatus(test, { message: /templates\/more.yaml is in git LFS, which is not fetched/ }, 5_000)
    move(' '.repeat(6 * 2 ** 20))
    await untilStatus(
      test,
      { message: /templates\/more.yaml has 6291456 bytes, and Helm reads at most 5242880/ },
      10_000,
    )
    t.strictSame(await historyOf(test.client), [])
    move('# good')
    await untilStatus(test, { phase: 'ready' }, 30_000)
    repository.commit({ 'charts/web/.helmignore': 'more.yaml', [path]: { link: 'nowhere' } })
    await test.change({ helm: { chart: { git: { revision: 'main' } } } })
    await untilStatus(
      test,
      { phase: 'ready', ...programOf('1.0.0', repository.git('rev-parse', 'HEAD')) },
      5_000,
    )
  },
)

void t.test(
  'credentials come from a Secret of the namespace of the Module, as a password',
  { skip },
  async (t) => {
    const basic = `Basic ${Buffer.from('reader:to-ken').toString('base64')}`
    const server = await startGit(t, { authorization: basic })
    const commit = server.repository.commit(files('1.0.0'))
    const test = await start(t, server)
    const auth = { httpsSecretRef: { name: 'credentials' } }
    await test.client.create(modules, moduleIn(server, { auth }))
    await untilStatus(test, { message: /Secret default\/credentials does not exist; create it/ })
    const metadata = { namespace: 'default', name: 'credentials' }
    await test.client.create(secrets, { metadata, stringData: { username: 'reader', token: 'wrong-to-ken' } })
    await untilStatus(test, { message: /answered 401; name a Secret with credentials/ }, 60_000)
    t.notMatch(JSON.stringify(await test.live()), /wrong-to-ken/)
    await test.client.patch(secrets, metadata, { type: 'merge', body: { stringData: { token: 'to-ken' } } })
    await untilStatus(test, { phase: 'ready', ...programOf('1.0.0', commit) }, 60_000)
    const wrong = `Basic ${Buffer.from('reader:wrong-to-ken').toString('base64')}`
    t.strictSame([...new Set(server.requests.map(({ authorization }) => authorization))], [wrong, basic])
  },
)

void t.test('credentials of another namespace, other servers and other paths are refused', async (t) => {
  const paths: string[] = []
  const origin = await startServer(t, ({ url = '' }, response) => {
    paths.push(url)
    response.end()
  })
  const test = await start(t, { origin: `${origin}/team` })
  const metadata = { namespace: 'kube-system', name: 'credentials' }
  await test.client.create(secrets, { metadata, stringData: { token: 'to-ken' } })
  const repo = `${origin}/team/web.git`
  const cases: [object, RegExp][] = [
    [
      { repo, auth: { httpsSecretRef: metadata } },
      /chart.git.auth.httpsSecretRef, must be in a Secret of the namespace default, got kube-system\/credentials/,
    ],
    [
      { repo: `${origin}/other/web.git` },
      /begins with none of the allowed ones; add it to helm.charts.allow/,
    ],
    [{ repo: 'http://169.254.169.254/web.git' }, /begins with none of the allowed ones/],
    [{ repo: 'git://git.example/web.git' }, /git is read by HTTPS, got "git:\/\/git.example\/web.git"/],
    [{ repo: 'file:///etc' }, /git is read by HTTPS/],
    [
      { repo, path: 'charts/../../etc' },
      /chart.git.path must be a folder of the repository without \.\., got/,
    ],
    [{ repo, revision: 'main\nwant x' }, /chart.git.revision must be a branch, a tag or the 40 digits/],
    [{ repo, revision: 'a..b' }, /chart.git.revision must be/],
    [
      { repo: `${origin.replace('//', '//user:pass-word@')}/team/web.git` },
      /remove user and password from the URL/,
    ],
  ]
  for (const [at, [git]] of cases.entries())
    await test.client.create(modules, helmModule({ chart: { git } }, {}, `wrong-${at}`))
  await test.pass(0)
  for (const [at, [, message]] of cases.entries()) {
    const { status } = await test.live(`wrong-${at}`)
    t.match(status, { phase: 'failed', message, operation: { permanent: true } }, String(message))
    t.notMatch(JSON.stringify(status), /to-ken|pass-word/)
  }
  t.strictSame(paths, [])
})
