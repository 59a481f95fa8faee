// Tests Modules with Helm releases on a real API server, with Helm's template engine: helm 3 and 4 read what is
// installed, and a release of helm that was adopted stays.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { configMaps, customResourceDefinitions, deployments, secrets } from '../../sdk/engine/kube/builtin.js'
import { cronJobs } from '../../sdk/engine/kube/builtin-workloads.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import { packChart } from '../../sdk/helm/chart/pack-chart.js'
import { startGit, withoutGit } from '../../sdk/modules/git/git.fixture.js'
import { type Module, moduleControllers, modules, workspaces } from '../../sdk/modules/index.js'
import { createWorkspace, definitions } from '../../sdk/modules/module/modules.fixture.js'
import { createInternalOperator } from '../../sdk/operator/operator-runtime.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'
import { missingEngine, missingPrograms, programs } from './charts.js'

const skip = missingAssets() || missingEngine || missingPrograms
const of = (name: string) => ({ namespace: 'default', name })
const template = `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec: {containers: [{name: web, image: nginx}]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: {{ .Release.Name }}}
spec:
  schedule: "0 * * * *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: web, image: nginx}]}}}}
---
apiVersion: v1
kind: Secret
metadata: {name: {{ .Release.Name }}}
stringData: {password: {{ .Values.password }}}
`
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.3.0\n',
  'values.yaml': 'replicas: 1\npassword: none\n',
  'templates/all.yaml': template,
}

const moduleOf = (name: string, helm: object): Module => ({
  metadata: of(name),
  spec: {
    workspace: of('dev'),
    hibernated: false,
    config: { replicas: 2 },
    helm: helm as Record<string, unknown>,
  },
})

void t.test('Modules with Helm releases on a real API server', { skip, timeout: 600_000 }, async (t) => {
  const cluster = await startRealCluster()
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ text: cluster.kubeconfig })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  for (const definition of definitions) await client.create(customResourceDefinitions, definition)
  for (const kind of [modules, workspaces])
    await until(() =>
      client.list(kind as typeof modules).then(
        () => true,
        () => false,
      ),
    )
  const operator = createInternalOperator({
    name: 'modules',
    logger: silentLogger,
    openClusters: async () => ({ transports: new Map([['main', createTransport({ kubeconfig })]]) }),
  })
  const git = withoutGit ? undefined : await startGit(t)
  operator.register(
    ...moduleControllers({ helm: { wait: 'none', charts: { allow: git ? [`${git.origin}/`] : [] } } }),
  )
  const ended = operator.start()
  t.teardown(async () => {
    await operator.stop()
    await ended
  })
  await operator.whenRunning()
  await createWorkspace(client)
  const archive = await packChart(
    'shop',
    Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) })),
  )
  const folder = t.testdir({})
  writeFileSync(join(folder, 'shop.tgz'), archive)
  const binaryData = { 'chart.tgz': archive.toString('base64') }
  await client.create(configMaps, { metadata: of('shop-chart'), binaryData })

  const helm = async (program: string, ...args: readonly string[]) => {
    const env = { HOME: folder, KUBECONFIG: cluster.kubeconfigFile, HELM_NAMESPACE: 'default' }
    return (await promisify(execFile)(program, [...args], { env })).stdout
  }
  const inPhase = (name: string, phase: string) =>
    until(async () => (await client.get(modules, of(name))).status?.phase === phase)
  const sleeps = (name: string, hibernated: boolean) =>
    client.patch(modules, of(name), { type: 'merge', body: { spec: { hibernated } } })
  const workloads = async (name: string) => [
    (await client.get(deployments, of(name))).spec?.replicas,
    (await client.get(cronJobs, of(name))).spec?.suspend,
  ]
  const isGone = (name: string) =>
    until(() =>
      client.get(modules, of(name)).then(
        () => false,
        (error: unknown) => isNotFound(error),
      ),
    )

  await t.test(
    'a chart in git is rendered by the engine, and goes without its server',
    { skip: withoutGit },
    async (t) => {
      if (!git) return
      const commit = git.repository.commit(
        Object.fromEntries(Object.entries(files).map(([name, text]) => [`charts/shop/${name}`, text])),
      )
      const chart = { git: { repo: git.url, path: 'charts/shop' } }
      const values = [{ raw: { replicas: '{{ .config.replicas }}' } }]
      await client.create(modules, moduleOf('from-git', { chart, releaseName: 'from-git', values }))
      await inPhase('from-git', 'ready')
      const program = { name: 'shop', version: '1.3.0', digest: `sha1:${commit}` }
      t.match((await client.get(modules, of('from-git'))).status, { program })
      t.strictSame(await workloads('from-git'), [2, false])
      for (const program of programs)
        t.match(JSON.parse(await helm(program, 'list', '-o', 'json')), [
          { name: 'from-git', chart: 'shop-1.3.0' },
        ])
      git.repository.git('update-ref', '-d', 'refs/heads/main')
      await sleeps('from-git', true)
      await inPhase('from-git', 'sleeped')
      t.strictSame(await workloads('from-git'), [0, true])
      await client.delete(modules, of('from-git'))
      await isGone('from-git')
    },
  )

  await t.test('helm reads a release, which sleeps, wakes and goes', async (t) => {
    const password = '{{ randBase62 16 }}'
    const values = [{ raw: { replicas: '{{ .config.replicas }}', password } }]
    const outputs = [{ name: 'password', valueFrom: { secret: { name: 'shop', key: 'password' } } }]
    const chart = { configMap: { name: 'shop-chart' } }
    await client.create(modules, moduleOf('shop', { chart, releaseName: 'shop', values, outputs }))
    await inPhase('shop', 'ready')
    t.strictSame(await workloads('shop'), [2, false])
    const drawn = (await client.get(secrets, of('shop'))).data?.password ?? ''
    t.match(Buffer.from(drawn, 'base64').toString(), /^[0-9A-Za-z]{16}$/)
    t.equal((await client.get(secrets, of('shop-outputs'))).data?.password, drawn)
    for (const program of programs) {
      t.match(JSON.parse(await helm(program, 'list', '-o', 'json')), [
        { name: 'shop', revision: '1', status: 'deployed', chart: 'shop-1.3.0' },
      ])
      t.match(JSON.parse(await helm(program, 'status', 'shop', '-o', 'json')), {
        info: { status: 'deployed' },
      })
      t.match(JSON.parse(await helm(program, 'history', 'shop', '-o', 'json')), [{ revision: 1 }])
      t.match(JSON.parse(await helm(program, 'get', 'values', 'shop', '-o', 'json')), { replicas: 2 })
    }
    await sleeps('shop', true)
    await inPhase('shop', 'sleeped')
    t.strictSame(await workloads('shop'), [0, true])
    await sleeps('shop', false)
    await inPhase('shop', 'ready')
    t.strictSame(await workloads('shop'), [2, false])
    await client.delete(modules, of('shop'))
    await isGone('shop')
    t.equal(await helm(programs.at(-1) ?? '', 'list', '--short'), '')
    await t.rejects(client.get(deployments, of('shop')), { code: 404 })
  })

  for (const [at, program] of programs.entries())
    await t.test(
      `a release of helm is adopted and stays: ${await helm(program, 'version', '--short')}`,
      async (t) => {
        const name = `theirs-${at}`
        const args = ['--set', 'replicas=3,password=word']
        await helm(program, 'install', name, join(folder, 'shop.tgz'), ...args)
        const before = await helm(program, 'history', name, '-o', 'json')
        await client.create(modules, moduleOf(name, { existingRelease: of(name) }))
        await inPhase(name, 'ready')
        t.equal((await client.get(modules, of(name))).status?.source, 'Helm/Adopted')
        const shown = (await client.get(secrets, of(`${name}-outputs`))).data?.['values.yaml'] ?? ''
        t.match(Buffer.from(shown, 'base64').toString(), /"replicas": 3/)
        await sleeps(name, true)
        await inPhase(name, 'sleeped')
        t.strictSame(await workloads(name), [0, true])
        await client.delete(modules, of(name))
        await isGone(name)
        t.strictSame(await workloads(name), [3, false], 'it is as it was found')
        t.equal(await helm(program, 'history', name, '-o', 'json'), before)
        t.match(JSON.parse(await helm(program, 'list', '-o', 'json')), [{ name, status: 'deployed' }])
        await helm(program, 'upgrade', name, join(folder, 'shop.tgz'), '--set', 'replicas=1')
        t.strictSame(await workloads(name), [1, false], 'helm changes what has slept')
        await helm(program, 'uninstall', name)
      },
    )
})
