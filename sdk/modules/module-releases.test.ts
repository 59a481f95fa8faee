// The releases of Modules and of managed Workspaces, as `why` and the inspector show them.
import t from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import { setWorkloadReady } from '../../testing/operator/set-ready.js'
import type { ControllerExplanation } from '../engine/inspector/controller-explanation.js'
import type { OwnedNode } from '../engine/inspector/owned-node.js'
import { configMaps, deployments } from '../engine/kube/builtin.js'
import { servedOperator } from '../operator/inspected-operator.fixture.js'
import { createChart, helm, helmModule, installForeign } from './helm/helm.fixture.js'
import { modules } from './kinds/module-kind.js'
import { createWorkspace, definitions, NotingProgram, registering, shop } from './module/modules.fixture.js'
import { createManaged, placeOfKey, registeringInside } from './workspace/managed.fixture.js'

const web = { namespace: 'default', name: 'web' }

/** A tree as lines, each with its depth. */
const linesOf = (nodes: readonly OwnedNode[] = [], depth = 0): string[] =>
  nodes.flatMap(({ name, health, text, owns }) => [
    `${'  '.repeat(depth)}${name}: ${health} ${text}`.trimEnd(),
    ...linesOf(owns, depth + 1),
  ])
const treeOf = ([told]: readonly ControllerExplanation[]) => linesOf(told?.tree)

const kinds = { only: ['ConfigMap', 'Deployment'] }

void t.test('the tree of a Module has its release and the objects of that', async (t) => {
  const { client, settled, why, overview } = await servedOperator(
    t,
    registering(new NotingProgram(), { helm }),
    definitions,
  )
  const tree = async () => treeOf(await why('kind=module&name=shop'))
  await createChart(client)
  await createWorkspace(client)
  await client.create(modules, helmModule({ values: [{ raw: kinds }] }))
  await settled()
  const starting = [
    'Release web: not ready revision 1, deployed',
    '  ConfigMap default/web: ready',
    '  Deployment default/web: not ready does not run',
  ]
  t.strictSame(await tree(), starting)
  t.match((await overview()).controllers, [{}, { hasReleases: false }], 'its status names no release')

  await setWorkloadReady(client, { metadata: web })
  t.strictSame(await tree(), [
    'Release web: ready revision 1, deployed',
    '  ConfigMap default/web: ready',
    '  Deployment default/web: ready',
  ])

  await client.patch(modules, shop, { type: 'merge', body: { spec: { hibernated: true } } })
  await settled()
  await setWorkloadReady(client, { metadata: web })
  t.equal((await client.get(deployments, web)).spec?.replicas, 0)
  t.match((await tree()).at(-1), '  Deployment default/web: ready', 'its sleep is not a drift')

  await client.patch(configMaps, web, { type: 'merge', body: { data: { text: 'by hand' } } })
  t.match((await tree()).at(1), '  ConfigMap default/web: not ready differs at data.text')
})

void t.test('a release of another program is shown if a Module has adopted it, else not', async (t) => {
  const { client, transport, settled, why } = await servedOperator(
    t,
    registering(new NotingProgram(), { helm }),
    definitions,
  )
  await createChart(client)
  await createWorkspace(client)
  await installForeign(client, transport)
  const existing = { name: 'web', namespace: 'default' }
  const chart = undefined
  await client.create(modules, helmModule({ existingRelease: existing, chart, releaseName: undefined }))
  await client.create(modules, helmModule({ releaseName: 'own', values: [{ raw: kinds }] }, {}, 'cart'))
  await settled()
  const [adopted] = await why('kind=module&name=shop')
  t.match(adopted?.releaseDetails, { name: 'web', isOwn: false, latest: { status: 'deployed' }, drift: [] })
  t.equal(adopted?.tree[0]?.owns.length, 6)

  const name = 'forkspacer.com/manager-data'
  const { annotations } = (await client.get(modules, { ...shop, name: 'cart' })).metadata
  const forged = annotations?.[name]?.replace('"own"', '"web"')
  const body = { metadata: { annotations: { [name]: forged } } }
  t.equal((await why('kind=module&name=cart'))[0]?.releaseDetails?.name, 'own')
  await client.patch(modules, { ...shop, name: 'cart' }, { type: 'merge', body })
  const [other] = await why('kind=module&name=cart')
  t.equal(other?.releaseDetails, null, 'whatever its metadata says')
})

void t.test('the tree of a managed Workspace has the release of its vcluster', async (t) => {
  const virtual = await createApiServer({ name: 'virtual' })
  t.teardown(() => virtual.close())
  const { client, settled, why } = await servedOperator(
    t,
    registeringInside(new NotingProgram(), virtual),
    definitions,
  )
  await createManaged(client)
  await settled()
  const { namespace, name } = placeOfKey('default', 'dev')
  const at = `${namespace}/${name}`
  t.strictSame(treeOf(await why('kind=workspace&name=dev')), [
    `Release ${name}: not ready revision 1, deployed`,
    `  Secret ${namespace}/vc-config-${name}: ready`,
    `  Service ${at}: ready`,
    `  StatefulSet ${at}: not ready does not run`,
  ])
  await setWorkloadReady(client, { metadata: { namespace, name } })
  t.match(treeOf(await why('kind=workspace&name=dev'))[0], `Release ${name}: ready`)
})
