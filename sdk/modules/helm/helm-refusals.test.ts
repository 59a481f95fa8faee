// Tests the sentences about Helm releases that a Module cannot have, and charts from servers.
import t from 'tap'
import { until } from '../../../test/until.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { functionChart } from '../../helm/chart/function-chart.js'
import type { ReleasePolicy } from '../../helm/policy/release-policy.js'
import { renderFunctionChart } from '../../helm/render/code/render-function-chart.js'
import type { RenderRequest } from '../../helm/render/renderer.js'
import { modules } from '../kinds/module-kind.js'
import { events, shop, startTimed } from '../module/modules.fixture.js'
import { codeRenderer, createChart, find, helm, helmModule, historyOf } from './helm.fixture.js'
import { sha256, startRepository } from './repository.fixture.js'

const chart = { configMap: { name: 'web-chart' } }

void t.test('specs that cannot be installed are refused before anything is frozen', async (t) => {
  const test = await startTimed(t, { modules: { helm } })
  const { client } = test
  await createChart(client)
  const cases: [object, RegExp][] = [
    [{ chart: {} }, /spec.helm: chart needs exactly one of repo, configMap and git, got none/],
    [{ chart: { ...chart, repo: { url: 'https://a.example', chart: 'a' } } }, /got repo, configMap/],
    [{ chart: { git: { repo: 'https://a.example', path: '../b' } } }, /chart.git.path must be a folder/],
    [
      { chart: { repo: { url: 'https://a.example', chart: 'a', auth: { name: 'a', namespace: 'b' } } } },
      /its credentials, chart.repo.auth, must be in a Secret of the namespace default, got b\/a/,
    ],
    [
      { values: [{ raw: { a: '{{ .config.nothing }}' } }] },
      /spec.helm.values.0.raw.a: the template {{ .config.nothing }} is unknown/,
    ],
    [
      { values: [{ raw: {}, file: 'https://a.example/a' }] },
      /values.0 needs exactly one of file, configMap and raw/,
    ],
    [{ outputs: [{ name: 'a' }] }, /the output a needs either value or valueFrom.secret/],
    [{ releaseName: 'Not A Name' }, /spec.helm.releaseName: "Not A Name" is not a name that Helm accepts/],
    [{ namespace: 'kube-system' }, /its release web must be in the namespace default, got kube-system/],
    [
      { values: [{ configMap: { name: 'settings', namespace: 'kube-system' } }] },
      /its values must be in ConfigMaps of the namespace default, got kube-system\/settings/,
    ],
    [{ replicas: 3 }, /unknown field: "replicas"/],
  ]
  for (const [at, [spec]] of cases.entries())
    await client.create(modules, helmModule(spec, {}, `wrong-${at}`))
  await test.pass(0)
  for (const [at, [, message]] of cases.entries()) {
    const { status, metadata } = await test.live(`wrong-${at}`)
    t.match(status, { phase: 'failed', message, operation: { permanent: true } })
    t.equal(metadata.annotations?.['forkspacer.com/resource'], undefined)
  }
  await client.patch(
    modules,
    { ...shop, name: 'wrong-10' },
    { type: 'merge', body: { spec: { helm: { replicas: null } } } },
  )
  await test.pass(2_000)
  t.equal((await test.live('wrong-10')).status?.phase, 'ready', 'it is mended')
})

void t.test('a chart has no objects in other namespaces, unless the policy allows them', async (t) => {
  const elsewhere = functionChart({ name: 'web', version: '1.2.0' }, () => [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', namespace: 'kube-system' } },
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'web' } },
  ])
  const renderer = {
    ...codeRenderer,
    render: (request: RenderRequest) => renderFunctionChart(elsewhere, request),
  }
  const install = async (policy?: ReleasePolicy) => {
    const test = await startTimed(t, { modules: { helm: { ...helm, renderer, ...(policy && { policy }) } } })
    await createChart(test.client)
    await test.client.create(modules, helmModule())
    await test.pass(2_000)
    const key = { namespace: 'kube-system', name: 'web' }
    const made = await test.client.get(configMaps, key).then(
      () => true,
      () => false,
    )
    return { ...(await test.live()).status, made }
  }
  t.match(await install(), {
    message:
      /does not allow: ConfigMap kube-system\/web is in another namespace; ClusterRole web has no namespace/,
    made: false,
  })
  const policy = { clusterScoped: true, namespaces: ['kube-system'] }
  t.match(await install(policy), { phase: 'ready', made: true })
})

void t.test('random texts of a Module are not in its messages', async (t) => {
  let password = ''
  const refusing = functionChart({ name: 'web', version: '1.2.0' }, (values) => {
    password = String(values.password)
    throw new Error(`the password ${password} is too long`)
  })
  const render = (request: RenderRequest) => renderFunctionChart(refusing, request)
  const options = { ...helm, renderer: { ...codeRenderer, render } }
  const test = await startTimed(t, { modules: { helm: options } })
  await createChart(test.client)
  await test.client.create(modules, helmModule({ values: [{ raw: { password: '{{ randBase62 20 }}' } }] }))
  await test.pass(0)
  const { items } = await test.client.list(events)
  const { status } = await test.live()
  t.match(password, /^\w{20}$/)
  t.match(status?.message, /the password \[secret\] is too long/)
  t.notMatch(JSON.stringify([status, items]), password)
})

void t.test('charts and values come from servers that are allowed', async (t) => {
  const { url, paths } = await startRepository(t)
  const test = await startTimed(t, { modules: { helm: { ...helm, charts: { allow: [url] } } } })
  const { client } = test
  await client.create(configMaps, {
    metadata: { namespace: 'default', name: 'more' },
    data: { 'values.yaml': 'replicas: 7\n' },
  })
  const values = [{ file: `${url}/values.yaml` }, { configMap: { name: 'more' } }]
  const repo = { url, chart: 'web', version: '>=1 <2' }
  await client.create(modules, helmModule({ chart: { repo }, values }))
  await until(async () => {
    await test.pass(0)
    return (await historyOf(client)).includes('1 deployed')
  })
  await test.pass(2_000)
  t.match((await test.live()).status, { phase: 'ready', program: { name: 'web', version: '1.2.0' } })
  t.match(await find(client, configMaps), { data: { text: 'from a file' } })
  t.strictSame(paths, ['/stable/index.yaml', '/stable/charts/web-1.2.0.tgz', '/stable/values.yaml'])
})

void t.test('a retry takes the same chart, unless that is gone', async (t) => {
  const { url, paths, contents } = await startRepository(t)
  const { '/stable/values.yaml': values, '/stable/charts/web-1.2.0.tgz': archive } = contents
  delete contents['/stable/values.yaml']
  const test = await startTimed(t, { modules: { helm: { ...helm, charts: { allow: [url] } } } })
  const spec = { chart: { repo: { url, chart: 'web' } }, values: [{ file: `${url}/values.yaml` }] }
  await test.client.create(modules, helmModule(spec))
  const failed = (attempt: number) =>
    until(async () => {
      await test.pass(0)
      const { operation } = (await test.live()).status ?? {}
      return operation?.attempt === attempt && operation.nextAttemptAt !== undefined
    })
  await failed(1)
  await test.pass(2_000)
  await failed(2)
  const asked = (path: string) => paths.filter((one) => one === `/stable/${path}`).length
  t.strictSame([asked('index.yaml'), asked('charts/web-1.2.0.tgz')], [1, 2])
  delete contents['/stable/charts/web-1.2.0.tgz']
  await test.pass(3_000)
  await failed(3)
  const moved = String(contents['/stable/index.yaml']).replace('charts/web-1.2.0.tgz', 'moved.tgz')
  Object.assign(contents, {
    '/stable/index.yaml': moved,
    '/stable/moved.tgz': archive,
    '/stable/values.yaml': values,
  })
  await test.pass(5_000)
  await until(async () => {
    await test.pass(0)
    return (await historyOf(test.client)).includes('1 deployed')
  })
  t.strictSame([asked('index.yaml'), asked('moved.tgz')], [2, 1])
})

void t.test('an archive with another digest than the index says is refused', async (t) => {
  const { url } = await startRepository(t, { digest: () => sha256(Buffer.from('another one')) })
  const test = await startTimed(t, { modules: { helm: { ...helm, charts: { allow: [url] } } } })
  await test.client.create(modules, helmModule({ chart: { repo: { url, chart: 'web' } } }))
  await until(async () => {
    await test.pass(0)
    return (await test.live()).status?.message !== undefined
  })
  t.match((await test.live()).status?.message, /web-1.2.0.tgz: the digest is sha256-.*, expected sha256-/)
  t.strictSame(await historyOf(test.client), [])
})

void t.test('a server that is not allowed is not asked', async (t) => {
  const { url, paths } = await startRepository(t)
  const repo = { url, chart: 'web' }
  const options = [helm, { ...helm, charts: { allow: ['https://charts.example/'] } }]
  const messages = [
    /this operator fetches no charts and values, got /,
    /none of the allowed ones; add it to helm.charts.allow/,
  ]
  for (const [at, one] of options.entries()) {
    const test = await startTimed(t, { modules: { helm: one } })
    await test.client.create(modules, helmModule({ chart: { repo } }))
    await test.pass(0)
    t.match((await test.live()).status, {
      phase: 'failed',
      message: messages[at],
      operation: { permanent: true },
    })
  }
  t.strictSame(paths, [])
})
