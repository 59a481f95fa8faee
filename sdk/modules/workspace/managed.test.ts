// Managed Workspaces: their vclusters are installed by a chart, and reached by their kubeconfigs over sockets.
import t from 'tap'
import { namespaces, secrets } from '../../engine/kube/builtin.js'
import { statefulSets } from '../../engine/kube/builtin-workloads.js'
import type { RegistrableController } from '../../operator/engine/controller.js'
import { modules } from '../kinds/module-kind.js'
import type { Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { ManagedVclusters } from '../managed/managed-vclusters.js'
import { KubeconfigClusters } from '../module/connection/kubeconfig-clusters.js'
import { events, isInstalled, moduleOf, shop, startTimed, type TimedTest } from '../module/modules.fixture.js'
import {
  createManaged,
  managed,
  managedNamespaces,
  placeOfKey,
  playVclusters,
  vclusterChart,
} from './managed.fixture.js'
import { managedOptions, startManaged } from './start-managed.fixture.js'
import { workspaceController } from './workspace-controller.js'

const big = { namespace: 'default', name: 'big' }
const options = managedOptions

const statusOf = async ({ client }: TimedTest, key = big) => (await client.get(workspaces, key)).status
const reasonsOf = async ({ client }: TimedTest) =>
  (await client.list(events)).items.map(({ reason, message }) => `${reason} ${message}`)

void t.test('a managed Workspace has a vcluster of its own, and its Modules are in it', async (t) => {
  const test = await startManaged(t)
  await createManaged(test.client, { ...big, managedCluster: { distro: 'k8s' } })
  await test.client.create(modules, moduleOf({ workspace: big }))
  await test.pass(0)
  const place = placeOfKey('default', 'big')
  t.match(place, { namespace: /^default-big-[0-9a-f]{8}$/, name: 'big' })
  t.match(await statusOf(test), {
    phase: 'installing',
    ready: false,
    vcluster: 'waking',
    managed: { namespace: place.namespace, release: 'big', chart: 'vcluster-0.36.1' },
  })
  await playVclusters(test, undefined)
  await test.pass(0)
  t.match(await statusOf(test), { ready: false, message: /waits for the kubeconfig .*vc-big/ })
  await test.turn()
  const secretReference = { namespace: place.namespace, name: 'vc-big', key: 'config' }
  t.match(await statusOf(test), {
    phase: 'ready',
    ready: true,
    vcluster: 'awake',
    managed: { secretReference },
  })
  t.equal((await test.live()).status?.phase, 'ready')
  t.ok(await isInstalled(test.inside))
  t.notOk(await isInstalled(test.client), 'not on the host')
  const config = await test.client.get(secrets, { ...place, name: 'vc-config-big' })
  t.strictSame(JSON.parse(Buffer.from(config.data?.config ?? '', 'base64').toString()), {
    replicas: 1,
    controlPlane: { distro: { k8s: { enabled: true } } },
    exportKubeConfig: { server: `https://big.${place.namespace}:443` },
  })
  const namespace = await test.client.get(namespaces, { namespace: '', name: place.namespace })
  const { metadata } = await test.client.get(workspaces, big)
  t.match(namespace.metadata.labels, { 'forkspacer.com/workspace': metadata.uid })
  t.match(await reasonsOf(test), ['VclusterInstalled the chart vcluster-0.36.1 is installed'])
})

void t.test(
  'its vcluster sleeps and wakes with it, and the Modules are deleted before the vcluster',
  async (t) => {
    const test = await startManaged(t)
    await createManaged(test.client, big)
    await test.client.create(modules, moduleOf({ workspace: big }))
    await test.turn()
    const hibernate = async (hibernated: boolean) => {
      await test.client.patch(workspaces, big, { type: 'merge', body: { spec: { hibernated } } })
      await test.turn()
    }
    const place = placeOfKey('default', 'big')
    const replicas = async () => (await test.client.get(statefulSets, place)).spec?.replicas
    await hibernate(true)
    t.match(await statusOf(test), { phase: 'hibernated', vcluster: 'asleep' })
    t.equal(await replicas(), 0)
    await test.pass(600_000)
    t.equal(await replicas(), 0, 'the release is not put right while it sleeps')
    await hibernate(false)
    t.match(await statusOf(test), { phase: 'ready', vcluster: 'awake' })
    t.equal(await replicas(), 1)
    await hibernate(true)
    let end = () => {}
    test.noting.behaviour.uninstall = () =>
      new Promise<void>((resolve) => {
        end = resolve
      })
    await test.client.delete(workspaces, big)
    await test.turn()
    t.match(await statusOf(test), { phase: 'terminating', message: 'waits for the Modules default/shop' })
    t.equal(await replicas(), 1, 'it wakes, so that the Module can be uninstalled')
    t.strictSame(await managedNamespaces(test), [place.namespace])
    end()
    await test.turn()
    await t.rejects(test.client.get(modules, shop), { code: 404 })
    await t.rejects(test.client.get(workspaces, big), { code: 404 })
    t.strictSame(await managedNamespaces(test), [])
    await t.rejects(test.client.get(namespaces, { namespace: '', name: place.namespace }), { code: 404 })
  },
)

void t.test('two managed Workspaces of one name have two vclusters, and one goes alone', async (t) => {
  const test = await startManaged(t)
  await test.client.create(namespaces, { metadata: { name: 'other' } })
  const other = { ...big, namespace: 'other' }
  await createManaged(test.client, big)
  await createManaged(test.client, other)
  await test.turn()
  const [first, second] = [placeOfKey('default', 'big'), placeOfKey('other', 'big')]
  t.strictSame(await managedNamespaces(test), [first.namespace, second.namespace].sort())
  const before = await test.client.get(statefulSets, second)
  await test.client.delete(workspaces, big)
  await test.turn()
  await t.rejects(test.client.get(workspaces, big), { code: 404 })
  t.strictSame(await managedNamespaces(test), [second.namespace])
  t.strictSame(await test.client.get(statefulSets, second), before)
  t.match(await statusOf(test, other), { phase: 'ready', ready: true })
})

void t.test('a namespace that was not made for the Workspace is neither used nor deleted', async (t) => {
  const test = await startManaged(t)
  const { namespace } = placeOfKey('default', 'big')
  const labels = { 'forkspacer.com/workspace': 'another-uid' }
  await test.client.create(namespaces, { metadata: { name: namespace, labels } })
  await createManaged(test.client, big)
  await test.turn()
  t.match(await statusOf(test), { phase: 'failed', message: /was not made for Workspace default\/big/ })
  t.strictSame((await test.client.list(statefulSets, { namespace })).items, [])
  await test.client.delete(workspaces, big)
  await test.turn()
  await t.rejects(test.client.get(workspaces, big), { code: 404 })
  t.strictSame(await managedNamespaces(test), [namespace])
})

void t.test('a kubeconfig in a namespace of somebody else is not used', async (t) => {
  const test = await startManaged(t)
  await createManaged(test.client, big)
  await test.client.create(modules, moduleOf({ workspace: big }))
  await test.turn()
  const { namespace } = placeOfKey('default', 'big')
  await test.client.patch(
    namespaces,
    { namespace: '', name: namespace },
    { type: 'merge', body: { metadata: { labels: { 'forkspacer.com/workspace': 'stolen' } } } },
  )
  await test.change({ hibernated: true })
  await test.pass(0)
  t.match((await test.live()).status, { operation: { lastError: /was not made for Workspace default\/big/ } })
})

void t.test('a newer chart is an upgrade that waits for the vcluster to be awake', async (t) => {
  const test = await startManaged(t, { modules: { managed: { chart: vclusterChart('0.19.5') } } })
  await createManaged(test.client, { ...big, hibernated: true })
  await test.turn()
  t.match(await statusOf(test), { phase: 'hibernated', vcluster: 'asleep' })
  t.match((await reasonsOf(test)).at(-1), /OutdatedVcluster the chart vcluster-0.19.5 is older than 0.20.0/)
  await test.operator.stop()
  const next = await startTimed(t, { ...options, servers: { main: test.server }, clock: test.clock })
  const image = async () => {
    const { spec } = await next.client.get(statefulSets, placeOfKey('default', 'big'))
    return `${spec?.replicas} ${spec?.template.spec?.containers[0]?.image}`
  }
  await next.pass(0)
  t.equal(await image(), '0 vcluster:0.19.5')
  await next.client.patch(workspaces, big, { type: 'merge', body: { spec: { hibernated: false } } })
  for (let at = 0; at < 4; at++) {
    await next.pass(0)
    await playVclusters(next, test.kubeconfig)
  }
  t.equal(await image(), '1 vcluster:0.36.1')
  t.match(await statusOf(next), { phase: 'ready', managed: { chart: 'vcluster-0.36.1' } })
})

void t.test('the roles of the operator have what the chart has', async (t) => {
  const definition = workspaceController(
    { managed },
    new KubeconfigClusters(),
  ) as RegistrableController<Workspace>
  await definition.findPermissions()
  const verbsOf = (name: string) =>
    definition.accessRules.flatMap(({ resource, verbs }) => (resource === name ? verbs : []))
  const written = ['create', 'delete', 'get', 'patch']
  for (const kind of ['statefulsets', 'services', 'secrets'])
    t.ok(
      written.every((verb) => verbsOf(kind).includes(verb)),
      kind,
    )
  t.ok(['create', 'delete', 'get', 'list', 'watch'].every((verb) => verbsOf('namespaces').includes(verb)))
  t.notOk(verbsOf('deployments').includes('create'), 'not what the chart does not have')
})

void t.test('what cannot be managed is refused with a sentence', async (t) => {
  const test = await startTimed(t, options)
  const cases: [object, RegExp][] = [
    [{ managedCluster: { backend: 'k3d' } }, /the backend k3d is not supported.*use vcluster/],
    [{ managedCluster: { backend: 'kind' } }, /the backend kind is not supported/],
    [{ managedCluster: { distro: 'k0s' } }, /the distro k0s is not supported here; the operator has k8s/],
    [{ vcluster: { name: 'a', namespace: 'b' } }, /has a vcluster of its own: remove spec.vcluster/],
    [
      { connection: { type: 'kubeconfig', secretReference: { name: 'a' } } },
      /connected to its own vcluster: remove spec.connection/,
    ],
  ]
  for (const [at, [spec]] of cases.entries())
    await createManaged(test.client, { name: `wrong-${at}`, ...spec })
  await test.pass(0)
  for (const [at, [, message]] of cases.entries()) {
    const status = await statusOf(test, { ...big, name: `wrong-${at}` })
    t.match(status, { phase: 'failed', ready: false, message })
  }
  t.strictSame(await managedNamespaces(test), [])
  await createManaged(test.client, big)
  const body = { spec: { managedCluster: { distro: 'k8s' } } }
  await t.rejects(test.client.patch(workspaces, big, { type: 'merge', body }), /managedCluster is immutable/)
  t.throws(() => startOptions('latest'), /managed.chart.version must be an exact version, got "latest"/)
})

function startOptions(version: string): void {
  new ManagedVclusters({ chart: { repo: 'https://charts.example', version } })
}
