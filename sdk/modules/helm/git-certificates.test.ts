// Charts in git by HTTPS, with `git http-backend` behind a TLS server whose certificate is of a private authority; and
// refusals of SSH.
import isMatch from 'lodash/isMatch.js'
import t, { type Test } from 'tap'
import { until } from '../../../test/until.js'
import { secrets } from '../../engine/kube/builtin.js'
import { createAuthority } from '../../engine/transport/local-server.fixture.js'
import { type GitTestServer, startGit, withoutGit } from '../git/git.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { startTimed, type TimedTest } from '../module/modules.fixture.js'
import { helm, helmModule, historyOf } from './helm.fixture.js'
import { ModuleCharts } from './module-charts.js'

const skip = withoutGit
const files = {
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.2.0\n',
  'charts/web/templates/all.yaml': '# rendered by code\n',
}
const user = `Basic ${Buffer.from('x-access-token:to-ken').toString('base64')}`

async function start(t: Test, { origin }: GitTestServer, ca?: string): Promise<TimedTest> {
  const charts = { allow: [`${origin}/`], ...(ca !== undefined && { ca }) }
  const test = await startTimed(t, { modules: { helm: { ...helm, charts } } })
  const metadata = { namespace: 'default', name: 'credentials' }
  await test.client.create(secrets, { metadata, stringData: { token: 'to-ken' } })
  return test
}
const moduleIn = ({ url }: GitTestServer) => {
  const auth = { httpsSecretRef: { name: 'credentials' } }
  return helmModule({ chart: { git: { repo: url, path: 'charts/web', auth } } })
}
/** Waits in real time, because the server is a real one. */
const untilStatus = (test: TimedTest, expected: object) =>
  until(async () => {
    await test.pass(0)
    return isMatch((await test.live()).status ?? {}, expected)
  })

void t.test(
  'a chart in git by HTTPS is installed with the private authority of its server',
  { skip },
  async (t) => {
    const authority = await createAuthority()
    const certificate = await authority.issue('git.example')
    const server = await startGit(t, { certificate, authorization: user })
    const commit = server.repository.commit(files)
    t.match(server.url, /^https:/)
    const test = await start(t, server, authority.ca)
    await test.client.create(modules, moduleIn(server))
    await untilStatus(test, { phase: 'ready', program: { name: 'web', digest: `sha1:${commit}` } })
    t.strictSame(await historyOf(test.client), ['1 deployed'])
    t.strictSame([...new Set(server.requests.map(({ authorization }) => authorization))], [user])
  },
)

void t.test(
  'a server that no authority vouches for is refused, and sees no credentials',
  { skip },
  async (t) => {
    const [authority, other] = [await createAuthority(), await createAuthority()]
    const certificate = await authority.issue('git.example')
    const server = await startGit(t, { certificate, authorization: user })
    server.repository.commit(files)
    for (const ca of [undefined, other.ca]) {
      const test = await start(t, server, ca)
      await test.client.create(modules, moduleIn(server))
      await untilStatus(test, { operation: { reason: 'ProgramError' } })
      const { message = '' } = (await test.live()).status ?? {}
      t.match(message, /^https:\/\/127\.0\.0\.1:\d+\/web\.git\/info\/refs: .*(certificate|signature)/)
      t.match(message, /helm\.charts\.ca/, 'it says what to do')
    }
    t.strictSame(server.requests, [])
  },
)

void t.test('a text without a certificate is refused when Modules are registered', async (t) => {
  const message = /^helm\.charts\.ca must be certificates in PEM/
  t.throws(() => new ModuleCharts({ allow: [], ca: 'ca.crt' }), { name: 'TypeError', message })
  const { ca } = await createAuthority()
  t.doesNotThrow(() => new ModuleCharts({ allow: [], ca: `${ca}\n${ca}` }))
})

void t.test('a repository by SSH is refused with the Module, and with what to write', async (t) => {
  const charts = { allow: ['https://git.example/'] }
  const test = await startTimed(t, { modules: { helm: { ...helm, charts } } })
  const repos = {
    'git@git.example:team/web.git': 'https://git.example/team/web.git',
    'git.example:team/web.git': 'https://git.example/team/web.git',
    'ssh://git@git.example/team/web.git': 'https://git.example/team/web.git',
    'ssh://git@git.example:2222/team/web.git': 'https://git.example/team/web.git',
    'git+ssh://git.example/web.git': 'https://git.example/web.git',
  }
  for (const [at, repo] of Object.keys(repos).entries())
    await test.client.create(modules, helmModule({ chart: { git: { repo } } }, {}, `by-ssh-${at}`))
  await test.pass(0)
  for (const [at, [repo, https]] of Object.entries(repos).entries()) {
    const { status } = await test.live(`by-ssh-${at}`)
    t.match(status, { phase: 'failed', operation: { permanent: true } })
    t.equal(
      status?.message,
      `Module default/by-ssh-${at}: spec.helm.chart.git.repo: git is not read by SSH, got "${repo}"; write ${https} with a token in ` +
        'auth.httpsSecretRef, or push the chart to an OCI registry and name it by chart.repo',
    )
  }
  const auth = { sshSecretRef: { name: 'key' } }
  const git = { repo: 'https://git.example/web.git', auth }
  await test.client.create(modules, helmModule({ chart: { git } }, {}, 'with-a-key'))
  await test.pass(0)
  t.match((await test.live('with-a-key')).status, {
    phase: 'failed',
    message: /spec\.helm\.chart\.git\.auth: .*sshSecretRef/,
  })
})
