// Tests the official JavaScript client with the embedded server over HTTPS, and its typed clients with a real
// server, too.
import {
  ApiException,
  AppsV1Api,
  AuthorizationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  type Informer,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  type V1Deployment,
  Watch,
} from '@kubernetes/client-node'
import t, { type Test } from 'tap'
import { type ApiServer, createApiServer } from '../../testing/index.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { SeenLines } from './seen.js'

t.setTimeout(600_000)

const namespace = 'client-node'

function configOf(kubeconfig: string): KubeConfig {
  const config = new KubeConfig()
  config.loadFromString(kubeconfig)
  return config
}

async function embedded(t: Test): Promise<{ server: ApiServer; config: KubeConfig }> {
  const server = await createApiServer({ controllers: false })
  t.teardown(() => server.close())
  await server.listen()
  const config = configOf(await server.kubeconfig())
  await config.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: namespace } } })
  return { server, config }
}

const configMap = (name: string, text: string): V1ConfigMap => ({ metadata: { name }, data: { text } })

/** Records the events of an informer on the namespace's ConfigMaps. */
function follow(t: Test, config: KubeConfig): { informer: Informer<V1ConfigMap>; seen: SeenLines } {
  const core = config.makeApiClient(CoreV1Api)
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }))
  const seen = new SeenLines()
  for (const verb of ['add', 'update', 'delete'] as const) {
    informer.on(verb, ({ metadata, data }) => seen.add(`${verb} ${metadata?.name} ${data?.text}`))
  }
  informer.on('connect', () => seen.add('connect'))
  informer.on('error', () => seen.add('error'))
  t.teardown(() => informer.stop())
  return { informer, seen }
}

void t.test('an informer reports added, updated and deleted objects', async (t) => {
  const { config } = await embedded(t)
  const core = config.makeApiClient(CoreV1Api)
  await core.createNamespacedConfigMap({ namespace, body: configMap('first', 'old') })
  const { informer, seen } = follow(t, config)
  await informer.start()
  await core.createNamespacedConfigMap({ namespace, body: configMap('second', 'new') })
  await core.replaceNamespacedConfigMap({ name: 'first', namespace, body: configMap('first', 'changed') })
  await core.deleteNamespacedConfigMap({ name: 'second', namespace })
  await seen.until('delete second new')
  t.strictSame(seen.lines, [
    'connect',
    'add first old',
    'add second new',
    'update first changed',
    'delete second new',
  ])
})

void t.test('an informer reports a broken connection and continues when it is started again', async (t) => {
  const { server, config } = await embedded(t)
  const core = config.makeApiClient(CoreV1Api)
  const { informer, seen } = follow(t, config)
  server.faults.add({ verb: 'watch' }, { type: 'resetWatch', afterEvents: 1 }, { times: 1 })
  await informer.start()
  await core.createNamespacedConfigMap({ namespace, body: configMap('one', 'x') })
  await seen.until('add one x')
  await core.createNamespacedConfigMap({ namespace, body: configMap('two', 'x') })
  await core.createNamespacedConfigMap({ namespace, body: configMap('three', 'x') })
  await seen.until('error')
  t.strictSame(seen.lines, ['connect', 'add one x', 'error'])
  await informer.start()
  await seen.until('add two x', 'add three x')
  t.equal(seen.count('add one x'), 1, 'known objects are not reported again')
})

void t.test(
  'an informer whose resourceVersion has expired lists again and reports the missed changes',
  async (t) => {
    const { server, config } = await embedded(t)
    const core = config.makeApiClient(CoreV1Api)
    await core.createNamespacedConfigMap({ namespace, body: configMap('gone', 'x') })
    await core.createNamespacedConfigMap({ namespace, body: configMap('stays', 'old') })
    const { informer, seen } = follow(t, config)
    server.faults.add({ verb: 'watch' }, { type: 'resetWatch', afterEvents: 0 }, { times: 1 })
    await informer.start()
    await core.deleteNamespacedConfigMap({ name: 'gone', namespace })
    await seen.until('error')
    await core.replaceNamespacedConfigMap({ name: 'stays', namespace, body: configMap('stays', 'new') })
    server.compact()
    await informer.start()
    await seen.until('delete gone x', 'update stays new')
    t.equal(seen.count('connect'), 3, 'the watch is rejected first, and then the informer lists')
  },
)

const deployment: V1Deployment = {
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'main', image: 'example.com/web:v1' }] },
    },
  },
}

async function typedClients(t: Test, config: KubeConfig): Promise<void> {
  const apps = config.makeApiClient(AppsV1Api)
  const made = await apps.createNamespacedDeployment({ namespace, body: deployment })
  t.equal(made.spec?.strategy?.type, 'RollingUpdate', 'the response has the fields that the server fills in')
  t.ok(made.metadata?.creationTimestamp instanceof Date)
  const scale = await apps.readNamespacedDeploymentScale({ name: 'web', namespace })
  await apps.replaceNamespacedDeploymentScale({
    name: 'web',
    namespace,
    body: { ...scale, spec: { replicas: 3 } },
  })
  const { items } = await apps.listNamespacedDeployment({ namespace, labelSelector: '!none' })
  t.strictSame(
    items.map(({ metadata, spec }) => [metadata?.name, spec?.replicas]),
    [['web', 3]],
  )
  await apps.deleteNamespacedDeployment({ name: 'web', namespace, propagationPolicy: 'Background' })
  const missing = apps.readNamespacedDeployment({ name: 'web', namespace })
  await t.rejects(missing, { code: 404 })
  t.type(await missing.catch((error: unknown) => error), ApiException)
}

async function patchTypes(t: Test, config: KubeConfig): Promise<void> {
  const core = config.makeApiClient(CoreV1Api)
  const name = 'patched'
  await core.createNamespacedConfigMap({ namespace, body: configMap(name, 'one') })
  const patch = async (type: PatchStrategy, body: object, fieldManager?: string) => {
    const request = { name, namespace, body, ...(fieldManager !== undefined && { fieldManager }) }
    const patched = await core.patchNamespacedConfigMap(request, setHeaderOptions('Content-Type', type))
    return patched.data
  }
  const added = { op: 'add', path: '/data/json', value: '1' }
  t.match(await patch(PatchStrategy.JsonPatch, [added]), { text: 'one', json: '1' })
  t.match(await patch(PatchStrategy.MergePatch, { data: { json: null, merge: '2' } }), { merge: '2' })
  t.match(await patch(PatchStrategy.StrategicMergePatch, { data: { strategic: '3' } }), { strategic: '3' })
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', data: { applied: '4' } }
  t.strictSame(await patch(PatchStrategy.ServerSideApply, applied, 'test'), {
    text: 'one',
    merge: '2',
    strategic: '3',
    applied: '4',
  })
  const stolen = { ...applied, data: { text: 'mine' } }
  await t.rejects(patch(PatchStrategy.ServerSideApply, stolen, 'test'), { code: 409 })
}

const group = 'client-node.example.com'

const sized = { type: 'object', properties: { size: { type: 'integer' } } }

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: sized, status: sized } } },
      },
    ],
  },
}

/** Watches the one object until it is established. */
async function established(config: KubeConfig): Promise<void> {
  const seen = new SeenLines()
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const query = { fieldSelector: `metadata.name=widgets.${group}` }
  const tell = (
    _type: string,
    { status }: { status?: { conditions?: { type: string; status: string }[] } },
  ) => {
    for (const { type, status: holds } of status?.conditions ?? []) seen.add(`${type} ${holds}`)
  }
  const watch = await new Watch(config).watch(path, query, tell, () => seen.add('ended'))
  await seen.until('Established True')
  watch.abort()
}

async function untypedClients(t: Test, config: KubeConfig): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(config)
  await objects.create(definition)
  await established(config)
  const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'one', namespace } }
  await objects.create({ ...widget, spec: { size: 1 } })
  const custom = config.makeApiClient(CustomObjectsApi)
  const at = { group, version: 'v1', namespace, plural: 'widgets' }
  const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch)
  await custom.patchNamespacedCustomObject({ ...at, name: 'one', body: { spec: { size: 2 } } }, merge)
  await custom.patchNamespacedCustomObjectStatus({ ...at, name: 'one', body: { status: { size: 2 } } }, merge)
  t.match(await custom.listNamespacedCustomObject(at), {
    kind: 'WidgetList',
    items: [{ spec: { size: 2 }, status: { size: 2 } }],
  })
  t.match(await objects.read(widget), { spec: { size: 2 }, metadata: { name: 'one' } })
  await objects.delete(widget)
  await t.rejects(objects.read(widget), { code: 404 })
  await objects.delete(definition)
}

async function accessReviews(t: Test, config: KubeConfig): Promise<void> {
  const reviews = config.makeApiClient(AuthorizationV1Api)
  const resourceAttributes = { verb: 'create', resource: 'configmaps', namespace }
  const own = await reviews.createSelfSubjectAccessReview({ body: { spec: { resourceAttributes } } })
  t.equal(own.status?.allowed, true)
  const other = await reviews.createSubjectAccessReview({
    body: { spec: { user: 'nobody', groups: ['none'], resourceAttributes } },
  })
  t.equal(other.status?.allowed, false)
  const rules = await reviews.createSelfSubjectRulesReview({ body: { spec: { namespace } } })
  t.equal(rules.status?.incomplete, false)
}

/** The tests for any server. */
async function anyServer(t: Test, config: KubeConfig): Promise<void> {
  await config.makeApiClient(CoreV1Api).createNamespace({ body: { metadata: { name: namespace } } })
  await t.test('typed clients write, scale, select and delete', (t) => typedClients(t, config))
  await t.test('every type of patch is accepted', (t) => patchTypes(t, config))
  await t.test('kinds that the client does not know are written and watched', (t) =>
    untypedClients(t, config),
  )
  await t.test('access reviews return the permissions of a user', (t) => accessReviews(t, config))
}

void t.test('the clients work on the embedded server', async (t) => {
  const server = await createApiServer({ controllers: false, authorization: 'rbac' })
  t.teardown(() => server.close())
  await server.listen()
  await anyServer(t, configOf(await server.kubeconfig()))
})

void t.test('the clients work on a real server', { skip: missingAssets() }, async (t) => {
  const real = await startRealCluster()
  t.teardown(() => real.stop())
  await anyServer(t, configOf(real.kubeconfig))
})
