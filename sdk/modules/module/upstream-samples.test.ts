/**
 * Definitions in the shapes of forkspacer's own samples, of version 0.1.7 and of its later containers, with charts and
 * values of these tests. Each one runs, or is refused with the cure; docs/coming-from-forkspacer.md says which.
 */
import t from 'tap'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { until } from '../../../test/until.js'
import { configMaps, deployments, namespaces } from '../../engine/kube/builtin.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import { PlayedRunner, playDeployments } from '../container/runner.fixture.js'
import { createChart, find, helm, helmModule, installForeign, workloadsOf } from '../helm/helm.fixture.js'
import { migrationOf } from '../helm/migration.js'
import { startRepository } from '../helm/repository.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { moduleOf, shop, startTimed, type TimedTest } from './modules.fixture.js'

const details = {
  version: '1.0.0',
  supportedOperatorVersion: '>= 0.0.0, < 1.0.0',
  author: 'platform-team',
  description: 'A test',
  category: 'database',
  resource_usage: { cpu: '200m', memory: '256Mi' },
}
const integer = { editable: true, required: false, default: 1, min: 0, max: 5 }
const option = { editable: true, required: false, default: '1.2.0', values: ['1.2.0', '1.1.0'] }
/** The schema of the configuration as 0.1.7 has it. */
const typed = [
  { type: 'option', name: 'Chart Version', alias: 'version', spec: option },
  { type: 'integer', name: 'Replica Count', alias: 'replicaCount', spec: integer },
]
/** The same as later versions have it. */
const named = [
  { name: 'Chart Version', alias: 'version', option },
  { name: 'Replica Count', alias: 'replicaCount', integer },
]
const secretOf = (name: string) => ({
  valueFrom: { secret: { name, key: 'password', namespace: 'default' } },
})
const outputs = [
  { name: 'Hostname', value: 'web.default' },
  { name: 'Password', ...secretOf('{{.releaseName}}') },
  { name: 'Port', value: 6379 },
]
const only = ['Secret', 'ConfigMap', 'Deployment']
const charts = (url: string) => ({ helm: { ...helm, charts: { allow: [url] } } })
const config = { version: '1.2.0', replicaCount: 2 }

const isReady = async (test: TimedTest) => {
  await test.pass(1_000)
  return (await test.live()).status?.phase === 'ready'
}
/** Whether the Module failed for good. The code that loads programs is imported first, which takes real time. */
const isRefused = async (test: TimedTest) => {
  await test.pass(1_000)
  return (await test.live()).status?.operation?.permanent === true
}
const messageOf = async (test: TimedTest, module: object) => {
  await test.client.create(modules, module as never)
  await until(() => isRefused(test))
  const { status } = await test.live()
  t.equal(status?.operation?.attempt, 1, 'it is not tried again')
  return status?.message
}

void t.test('0.1.7: a definition of the kind Helm, with values, outputs and migration', async (t) => {
  const repository = await startRepository(t)
  const test = await startTimed(t, { modules: charts(repository.url) })
  const spec = {
    namespace: 'default',
    repo: repository.url,
    chartName: 'web',
    version: '{{.config.version}}',
    values: [
      { file: `${repository.url}/values.yaml` },
      { raw: { replicas: '{{.config.replicaCount}}', only } },
    ],
    outputs,
    cleanup: { removeNamespace: false, removePVCs: true },
    migration: { pvc: { enabled: true, names: ['data-{{.releaseName}}-0'] } },
  }
  const raw = { kind: 'Helm', metadata: { name: 'redis', ...details }, config: typed, spec }
  await test.client.create(modules, moduleOf({ source: { raw }, config } as never))
  await until(() => isReady(test))
  const { items } = await test.client.list(deployments, { namespace: 'default' })
  t.equal(items[0]?.spec?.replicas, 2)
  t.match(JSON.parse((await test.live()).metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
    installOutputs: { Hostname: 'web.default', Port: 6379 },
  })
})

void t.test('0.1.7: the same definition in a ConfigMap', async (t) => {
  const repository = await startRepository(t)
  const test = await startTimed(t, { modules: charts(repository.url) })
  const spec = {
    repo: repository.url,
    chartName: 'web',
    version: '{{.config.version}}',
    values: [{ raw: { only } }],
  }
  const definition = { kind: 'Helm', metadata: { name: 'redis', ...details }, config: typed, spec }
  await test.client.create(configMaps, {
    metadata: { namespace: 'default', name: 'redis' },
    data: { 'module.yaml': JSON.stringify(definition) },
  })
  const source = { configMap: { name: 'redis', namespace: 'default', key: 'module.yaml' } }
  await test.client.create(modules, moduleOf({ source, config } as never))
  await until(() => isReady(test))
})

void t.test('0.1.7: a plugin of Go is refused: it is a program of JavaScript here', async (t) => {
  const raw = {
    kind: 'Custom',
    metadata: { name: 'test', ...details },
    config: typed,
    spec: { repo: { file: 'https://files.example/browse?path=/plugin.so' } },
  }
  const module = moduleOf({ source: { raw }, config } as never)
  const none = await startTimed(t)
  t.match(await messageOf(none, module), /this operator loads no programs: set programs in the options/)
  const allowed = await startTimed(t, { modules: { programs: { allow: ['https://files.example/'] } } })
  t.match(await messageOf(allowed, module), /a \.so file is a plugin of Go.*write it as a program/)
})

void t.test('later: a definition of the kind Custom with an image runs as a container', async (t) => {
  const runner = new PlayedRunner()
  const url = await runner.listen(t)
  const rule = { group: 'apps', resource: 'deployments', verbs: ['get'] }
  const permissions = { workspace: [rule], controller: [rule] }
  const containers = {
    allowImages: ['ghcr.example/custom:latest'],
    namespace: 'runners',
    permissions,
    address: () => url,
  }
  const test = await startTimed(t, { modules: { containers } })
  await test.client.create(namespaces, { metadata: { name: 'runners' } })
  const { supportedOperatorVersion } = details
  const raw = {
    kind: 'Custom',
    metadata: { name: 'test', supportedOperatorVersion },
    config: [{ name: 'Tag', alias: 'tag', string: { default: 'latest' } }],
    spec: {
      image: 'ghcr.example/custom:{{ .config.tag | lower }}',
      permissions: ['workspace', 'controller'],
    },
  }
  await test.client.create(modules, moduleOf({ source: { raw }, config: { tag: 'LATEST' } } as never))
  await test.pass(10)
  await playDeployments(test.client)
  await test.pass(1_500)
  await until(() => isReady(test))
  t.match(runner.calls[0], { path: '/install' })
})

void t.test(
  'later: without the option containers, or with an image that is not allowed, it is refused',
  async (t) => {
    const raw = { kind: 'Custom', metadata: { name: 'test' }, spec: { image: 'ghcr.example/custom:1' } }
    const module = moduleOf({ source: { raw } } as never)
    t.match(
      await messageOf(await startTimed(t), module),
      /containers do not run here: set containers in the options/,
    )
    const containers = { allowImages: ['registry.example/'], namespace: 'runners' }
    const test = await startTimed(t, { modules: { containers } })
    t.match(
      await messageOf(test, module),
      /"ghcr.example\/custom:1" is not allowed: use one of containers.allowImages/,
    )
  },
)

void t.test(
  'later: a Module with helm, its schema next to spec, and names of migration in lists',
  async (t) => {
    const repository = await startRepository(t)
    const test = await startTimed(t, { modules: charts(repository.url) })
    const spec = {
      chart: { repo: { url: repository.url, chart: 'web', version: '{{.config.version}}' } },
      namespace: 'default',
      values: [
        { raw: { only, replicas: '{{ if gt .config.replicaCount 1 }}{{ 3 }}{{ else }}{{ 1 }}{{ end }}' } },
      ],
      outputs,
      cleanup: { removePVCs: true },
      migration: { pvcs: ['data-{{.releaseName}}-0'], secrets: ['{{.releaseName}}'], configMaps: [] },
    }
    const module = moduleOf({ source: undefined, helm: spec, config } as never)
    await test.client.create(modules, { ...module, config: named } as never)
    await until(() => isReady(test))
    const { items } = await test.client.list(deployments, { namespace: 'default' })
    t.equal(items[0]?.spec?.replicas, 3)
    t.match(migrationOf({ ...spec, releaseName: 'web' }, { ...shop, values: config }), {
      PersistentVolumeClaim: ['data-web-0'],
      Secret: ['web'],
      ConfigMap: [],
    })
  },
)

void t.test('later: a release that exists is adopted, also if the Module names its chart', async (t) => {
  const repository = await startRepository(t)
  const test = await startTimed(t, { modules: charts(repository.url) })
  await installForeign(test.client, inProcessTransport(test.server))
  const spec = {
    chart: { repo: { url: repository.url, chart: 'web', version: '1.2.0' } },
    existingRelease: { name: 'web', namespace: 'default' },
    namespace: 'new-default',
    values: [{ raw: { replica: { replicaCount: 1 } } }],
    cleanup: { removePVCs: true },
    migration: { pvcs: ['data-{{.releaseName}}-0'] },
  }
  await test.client.create(modules, moduleOf({ source: undefined, helm: spec } as never))
  await until(() => isReady(test))
  t.equal((await test.live()).status?.source, 'Helm/Adopted')
})

void t.test('both: Workspaces with defaults, with a kubeconfig, and forks with data', async (t) => {
  const test = await startTimed(t)
  const times = { enabled: false, schedule: '0 42 18 * * *', wakeSchedule: '0 44 18 * * *' }
  const create = (name: string, spec: object) =>
    test.client.create(workspaces, { metadata: { namespace: 'default', name }, spec } as never)
  await create('plain', { autoHibernation: times })
  const secretReference = { name: 'vcluster-kubeconfig', namespace: 'default' }
  await create('far', {
    type: 'kubernetes',
    hibernated: false,
    connection: { type: 'kubeconfig', secretReference },
  })
  await create('fork', { from: { migrateData: true, name: 'plain' } })
  await test.pass(2_000)
  const status = async (name: string) =>
    (await test.client.get(workspaces, { namespace: 'default', name })).status
  t.match(await status('plain'), { phase: 'ready', ready: true })
  t.match((await status('far'))?.message, /set kubeconfigs in the options of moduleControllers/)
  t.match((await status('fork'))?.message, /set forkData in the options of moduleControllers/)
})

void t.test(
  '0.1.7: a Helm Module that sleeps is taken over with its configuration and its replicas',
  async (t) => {
    const test = await startTimed(t, { modules: { helm } })
    await createChart(test.client)
    await installForeign(test.client, inProcessTransport(test.server))
    await test.operator.stop()
    const scale = { type: 'merge', body: { spec: { replicas: 0 } } } as const
    await test.client.patch(deployments, { namespace: 'default', name: 'web' }, scale)
    await test.client.patch(statefulSets, { namespace: 'default', name: 'web' }, scale)
    const spec = {
      namespace: '{{.config.place}}',
      repo: 'https://charts.example',
      chartName: 'web',
      version: '1.2.0',
    }
    const place = { type: 'string', name: 'Target', alias: 'place', spec: { default: 'default' } }
    const count = (Replicas: number) => [{ Namespace: 'default', Name: 'web', Replicas }]
    const history = { deployments: count(3), statefulSets: count(2) }
    const annotations = {
      'forkspacer.com/resource': JSON.stringify({
        kind: 'Helm',
        metadata: { name: 'web' },
        config: [place],
        spec,
      }),
      'forkspacer.com/base-module-config': '{"place":"default"}',
      'forkspacer.com/manager-data': JSON.stringify({ releaseName: 'web', replicaHistory: history }),
    }
    const module = helmModule({}, { hibernated: true })
    await test.client.create(modules, {
      ...module,
      metadata: { ...module.metadata, finalizers: ['delete'], annotations },
    })
    const body = { status: { phase: 'sleeped', source: 'Helm/Managed' } }
    await test.client.patch(modules, shop, { type: 'merge', subresource: 'status', body })
    const next = await startTimed(t, { modules: { helm }, servers: { main: test.server } })
    await next.pass(10)
    t.equal((await next.live()).status?.phase, 'sleeped')
    await next.change({ hibernated: false })
    await next.pass(2_000)
    t.match((await next.live()).status, { phase: 'ready' })
    t.match(await workloadsOf(next.client), { deployment: 3, set: 2 })
    t.ok(await find(next.client, deployments))
  },
)
