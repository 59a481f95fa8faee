// Tests one release on a real control plane: installed, upgraded, rolled back and uninstalled, with helm and the garbage collector at work.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { createClient } from '../../sdk/client/create-client.js'
import { annotationNames } from '../../sdk/helm/annotations/annotation-reader.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { configMap, definition, greetings, key, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmReconciler } from '../../sdk/helm/reconciler/helm-reconciler.js'
import { ReleaseStore } from '../../sdk/helm/release/release-store.js'
import { configMaps, customResourceDefinitions, namespaces } from '../../sdk/kube/builtin.js'
import { isNotFound } from '../../sdk/kube/error.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import { silentLogger } from '../../sdk/observe/logger.js'
import { createInternalOperator } from '../../sdk/operator/operator.js'
import { createTransport } from '../../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/transport/load-kubeconfig.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import { programs } from './charts.js'

const clusterRoles: Resource = {
  ...{ group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole', plural: 'clusterroles' },
  namespaced: false,
}
const keep = { 'helm.sh/resource-policy': 'keep' }
const chart = functionChart({ name: 'wide', version: '1.0.0' }, ({ text, role = true }, { name }) => {
  const data = { text: String(text) }
  const elsewhere = configMap(name, data)
  return [
    configMap(name, data),
    configMap(`${name}-kept`, data, keep),
    { ...elsewhere, metadata: { ...elsewhere.metadata, namespace: 'elsewhere' } },
    ...(role
      ? [{ apiVersion: `${clusterRoles.group}/v1`, kind: 'ClusterRole', metadata: { name }, rules: [] }]
      : []),
  ]
})

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50))
}

const skip = missingAssets('kube-controller-manager')

void t.test('a release on a real control plane', { skip, timeout: 240_000 }, async (t) => {
  const cluster = await startRealCluster({ controllerManager: true })
  t.teardown(() => cluster.stop())
  const kubeconfig = await loadKubeconfig({ file: cluster.kubeconfigFile })
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  const client = createClient({ transport })
  await client.create(customResourceDefinitions, definition)
  await client.create(namespaces, { metadata: { name: 'elsewhere' } })
  await until(() =>
    client.list(greetings).then(
      () => true,
      () => false,
    ),
  )
  const operator = createInternalOperator({
    name: 'greeter',
    logger: silentLogger,
    openClusters: async () => ({ transports: new Map([['main', createTransport({ kubeconfig })]]) }),
  })
  operator.register(helmReconciler({ resource: kind, chart, annotations: annotationNames }))
  const ended = operator.start()
  t.teardown(async () => {
    await operator.stop()
    await ended
  })
  await operator.whenRunning()

  const get = <T extends KubeObject>(resource: Resource<T>, namespace: string, name: string) =>
    client.get(resource, { namespace, name }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error
      return undefined
    })
  const objects = () =>
    Promise.all([
      get(configMaps, 'default', 'hello'),
      get(configMaps, 'default', 'hello-kept'),
      get(configMaps, 'elsewhere', 'hello'),
      get(clusterRoles, '', 'hello'),
    ])
  const uids = async () => (await objects()).map((object) => object?.metadata.uid)
  const history = async () =>
    (await new ReleaseStore(client, Date.now).revisions('default', 'hello')).map(
      ({ release }) => `${release.version} ${release.info.status}`,
    )
  const reach = (last: string) => until(async () => (await history()).at(-1) === last)
  const edit = (body: object) => client.patch(greetings, key, { type: 'merge', body })
  const helm = async (program: string, ...args: readonly string[]) => {
    const env = { HOME: t.testdirName, KUBECONFIG: cluster.kubeconfigFile, HELM_NAMESPACE: 'default' }
    return (await promisify(execFile)(program, [...args], { env })).stdout
  }

  await client.create(greetings, { metadata: key, spec: { text: 'one' } })
  await reach('1 deployed')
  const made = await uids()
  t.notOk(made.includes(undefined), 'all objects are there')

  // The collector learns a new kind after half a minute: it works while the release is changed.
  const orphan = { apiVersion: 'example.com/v1', kind: 'Greeting', name: 'gone', uid: 'no-such-uid' }
  const metadata = { namespace: 'default', name: 'orphan', ownerReferences: [orphan] }
  await client.create(configMaps, { metadata })

  await t.test('it is upgraded, rolled back by the annotation, and by helm', async (t) => {
    await edit({ spec: { text: 'two', role: false } })
    await reach('2 deployed')
    t.equal(await get(clusterRoles, '', 'hello'), undefined, 'it left the chart')
    await edit({ metadata: { annotations: { [annotationNames.rollbackTo]: '1' } } })
    await reach('3 deployed')
    t.match(await get(configMaps, 'elsewhere', 'hello'), { data: { text: 'one' } })
    t.ok(await get(clusterRoles, '', 'hello'))
    await edit({ metadata: { annotations: { [annotationNames.rollbackTo]: null } } })
    await reach('4 deployed')
    let version = 4
    for (const program of programs) {
      t.match(JSON.parse(await helm(program, 'list', '-o', 'json')), [
        { name: 'hello', revision: String(version), status: 'deployed', chart: 'wide-1.0.0' },
      ])
      await helm(program, 'rollback', 'hello', '1')
      version += 2
      await reach(`${version} deployed`)
      t.match(await get(configMaps, 'default', 'hello'), { data: { text: 'two' } }, 'the spec decides')
    }
  })

  await t.test('the garbage collector takes nothing by mistake', async (t) => {
    await until(async () => (await get(configMaps, 'default', 'orphan')) === undefined)
    t.strictSame((await uids()).slice(0, 3), made.slice(0, 3), 'it has worked since they were made')
    t.strictSame(
      (await objects()).map((object) => object?.metadata.ownerReferences?.length ?? 0),
      [1, 0, 0, 0],
    )
  })

  await t.test('it goes with its object, except for what is to be kept', async (t) => {
    await client.delete(greetings, key)
    await until(async () => (await get(greetings, 'default', 'hello')) === undefined)
    const left = (await objects()).map((object) => object?.metadata.name)
    t.strictSame(left, [undefined, 'hello-kept', undefined, undefined])
    t.strictSame(await history(), [])
  })
})
