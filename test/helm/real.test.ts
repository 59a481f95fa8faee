// Tests one release on a real control plane: installed, upgraded, rolled back and uninstalled, with helm and the
// garbage collector at work.
import t, { type Test } from 'tap'
import { configMaps, namespaces } from '../../sdk/engine/kube/builtin.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import { annotationNames } from '../../sdk/helm/annotations/annotation-reader.js'
import { functionChart } from '../../sdk/helm/chart/function-chart.js'
import { configMap, definition, greetings, key, kind } from '../../sdk/helm/reconciler/greetings.fixture.js'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import { missingAssets } from '../real/real-cluster.js'
import { until } from '../until.js'
import { isWholeRun } from '../whole-run.js'
import { isNightly, missingEngine, programs } from './charts.js'
import { type RealControlPlane, startRealControlPlane } from './real-control-plane.js'
import {
  abandons,
  goesWithNamespace,
  leavesForeign,
  leavesReplicas,
  leavesRevision,
  makesNamespace,
  optionDefinitions,
  registerOptions,
  replacesSelector,
} from './real-options.js'
import {
  followsPods,
  permitsByName,
  readyDefinitions,
  registerReady,
  waitsForKind,
  waitsForNamespace,
} from './real-ready.js'
import { isRefused, isTrimmed, registerSized, sizedDefinition } from './real-sizes.js'

const clusterRoles: Resource = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
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

const hasEngine = !missingEngine
const skip = missingAssets('kube-controller-manager')

void t.test('a release on a real control plane', { skip, timeout: 600_000 }, async (t) => {
  const plane = await startRealControlPlane(t, {
    definitions: [definition, sizedDefinition, ...optionDefinitions, ...readyDefinitions],
    register: async (operator) => {
      operator.register(helmController({ resource: kind, chart, annotations: annotationNames }))
      registerOptions(operator)
      registerReady(operator)
      if (hasEngine) await registerSized(t, operator)
    },
  })
  const { client } = plane
  await client.create(namespaces, { metadata: { name: 'elsewhere' } })

  const objects = () =>
    Promise.all([
      plane.get(configMaps, 'default', 'hello'),
      plane.get(configMaps, 'default', 'hello-kept'),
      plane.get(configMaps, 'elsewhere', 'hello'),
      plane.get(clusterRoles, '', 'hello'),
    ])
  const uids = async () => (await objects()).map((object) => object?.metadata.uid)
  const reach = (last: string) => plane.reach(last, key)
  const edit = (body: object) => client.patch(greetings, key, { type: 'merge', body })

  await client.create(greetings, { metadata: key, spec: { text: 'one' } })
  await reach('1 deployed')
  const made = await uids()
  t.notOk(made.includes(undefined), 'all objects are there')
  t.strictSame(
    (await objects()).map((object) => object?.metadata.annotations?.['operator-sdk/primary-resource']),
    [undefined, 'default/hello', 'default/hello', 'default/hello'],
    'annotations where there is no reference',
  )

  // The collector learns a new kind after half a minute: it works while the release is changed.
  const orphan = { apiVersion: 'example.com/v1', kind: 'Greeting', name: 'gone', uid: 'no-such-uid' }
  const metadata = { namespace: 'default', name: 'orphan', ownerReferences: [orphan] }
  await client.create(configMaps, { metadata })

  await t.test('it is upgraded, rolled back by the annotation, and by helm', async (t) => {
    await edit({ spec: { text: 'two', role: false } })
    await reach('2 deployed')
    t.equal(await plane.get(clusterRoles, '', 'hello'), undefined, 'it left the chart')
    await edit({ metadata: { annotations: { [annotationNames.rollbackTo]: '1' } } })
    await reach('3 deployed')
    t.match(await plane.get(configMaps, 'elsewhere', 'hello'), { data: { text: 'one' } })
    t.ok(await plane.get(clusterRoles, '', 'hello'))
    await edit({ metadata: { annotations: { [annotationNames.rollbackTo]: null } } })
    await reach('4 deployed')
    let version = 4
    for (const [index, program] of programs.entries()) {
      if (isNightly(index)) continue
      t.match(JSON.parse(await plane.helm(program, 'default', 'list', '-o', 'json')), [
        { name: 'hello', revision: String(version), status: 'deployed', chart: 'wide-1.0.0' },
      ])
      await plane.helm(program, 'default', 'rollback', 'hello', '1')
      version += 2
      await reach(`${version} deployed`)
      t.match(await plane.get(configMaps, 'default', 'hello'), { data: { text: 'two' } }, 'the spec decides')
    }
  })

  await t.test('a release is ready while its Pods are', (t) => followsPods(t, plane))
  // The embedded server holds these at each change.
  if (isWholeRun) await triesOptions(t, plane)
  await t.test('a namespace with a custom resource and its release goes', (t) => goesWithNamespace(t, plane))

  await t.test('the garbage collector takes nothing by mistake', async (t) => {
    await until(async () => (await plane.get(configMaps, 'default', 'orphan')) === undefined)
    t.strictSame((await uids()).slice(0, 3), made.slice(0, 3), 'it has worked since they were made')
    t.strictSame(
      (await objects()).map((object) => object?.metadata.ownerReferences?.length ?? 0),
      [1, 0, 0, 0],
    )
  })

  await t.test('it goes with its object, except for what is to be kept', async (t) => {
    await client.delete(greetings, key)
    await until(async () => (await plane.get(greetings, 'default', 'hello')) === undefined)
    const left = (await objects()).map((object) => object?.metadata.name)
    t.strictSame(left, [undefined, 'hello-kept', undefined, undefined])
    t.strictSame(await plane.history('default', 'hello'), [])
  })
})

/** A release with options, next to objects of others, and with large content. */
async function triesOptions(t: Test, plane: RealControlPlane): Promise<void> {
  await t.test('a release waits for its namespace', (t) => waitsForNamespace(t, plane))
  await t.test('a release waits for the definition of a kind', (t) => waitsForKind(t, plane))
  await t.test('a permission by name permits the watch of one namespace', (t) => permitsByName(t, plane))
  await t.test('ignoreDrift leaves the replicas to an autoscaler', (t) => leavesReplicas(t, plane))
  await t.test('upgrade-force gets over an immutable selector', (t) => replacesSelector(t, plane))
  await t.test('createNamespace makes a namespace, again if it is deleted', (t) => makesNamespace(t, plane))
  for (const [index, program] of programs.entries())
    await t.test(`with hold, what helm ${index + 3} changes is left until the spec changes`, (t) =>
      leavesRevision(t, plane, {
        program,
        name: `held-${index}`,
        force: index > 0 ? ['--force-conflicts'] : [],
      }),
    )
  await t.test('abandon lets a custom resource go whose release cannot go', (t) => abandons(t, plane))
  await t.test('objects that others create or replace in between are left alone', (t) =>
    leavesForeign(t, plane),
  )
  if (hasEngine) {
    await t.test('2 MiB of manifest are refused before any write', (t) => isRefused(t, plane))
    await t.test('5 MiB of files are left out of the record, and helm rolls back to it', (t) =>
      isTrimmed(t, plane),
    )
  }
}
