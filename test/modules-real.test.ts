// Modules on a real API server with the controllers of a control plane.
import t, { type Test } from 'tap'
import { programConfigMap } from '../cli/program-files/program-objects.js'
import type { Client } from '../sdk/engine/client/client.js'
import {
  type ConfigMap,
  configMaps,
  deployments,
  namespaces,
  pods,
  secrets,
  serviceAccounts,
  services,
} from '../sdk/engine/kube/builtin.js'
import { roleBindings, roles } from '../sdk/engine/kube/builtin-policies.js'
import { replicaSets } from '../sdk/engine/kube/builtin-workloads.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { PlayedRunner } from '../sdk/modules/container/runner.fixture.js'
import { modules } from '../sdk/modules/kinds/module-kind.js'
import { workspaces } from '../sdk/modules/kinds/workspace-kind.js'
import {
  checkRefusedSpecs,
  createWorkspace,
  definitions,
  events,
  moduleOf,
  NotingProgram,
  registering,
  shop,
} from '../sdk/modules/module/modules.fixture.js'
import { openControlPlane } from './real/open-control-plane.js'
import { missingAssets } from './real/real-cluster.js'
import { restrictedOperator, type Server } from './restricted-operator.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')
const of = (name: string) => ({ namespace: 'default', name })

void t.test('Modules on a real control plane', { skip, timeout: 600_000 }, async (t) => {
  const { cluster, client, transport, startOperator } = await openControlPlane(t, definitions)
  const noting = new NotingProgram()
  const operator = await startOperator({ name: 'modules', register: registering(noting) })
  const hibernate = (hibernated: boolean) =>
    client.patch(modules, shop, { type: 'merge', body: { spec: { hibernated } } })
  const inPhase = (phase: string) =>
    until(async () => (await client.get(modules, shop)).status?.phase === phase)
  const installed = { namespace: 'default', name: 'shop-installed' }

  await createWorkspace(client)
  await client.create(modules, moduleOf({ config: { nested: { size: 3 }, list: ['a', 1] } } as never))
  await inPhase('ready')
  t.strictSame(
    noting.calls[0]?.config,
    { nested: { size: 3 }, list: ['a', 1] },
    'the server keeps any configuration',
  )
  const { metadata } = await client.get(modules, shop)
  t.equal((await client.get(configMaps, installed)).metadata.ownerReferences?.[0]?.uid, metadata.uid)
  t.strictSame(JSON.parse(metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), {
    installed: 'shop-installed',
  })
  await hibernate(true)
  await inPhase('sleeped')
  await hibernate(false)
  await inPhase('ready')

  await checkRefusedSpecs(t, client)
  const moved = { spec: { workspace: { name: 'other' } } }
  await t.rejects(client.patch(modules, shop, { type: 'merge', body: moved }), /field is immutable/)

  await client.delete(workspaces, { namespace: 'default', name: 'dev' })
  await until(() => client.get(modules, shop).then(() => false, isNotFound))
  await until(() =>
    client.get(workspaces, { namespace: 'default', name: 'dev' }).then(() => false, isNotFound),
  )
  t.ok(await client.get(configMaps, installed).then(() => false, isNotFound))
  t.strictSame(noting.texts, ['install 1 first', 'sleep 1 first', 'resume 1 first', 'uninstall 1 first'])
  await t.test('whose program forgets to delete an object', async (t) => {
    noting.behaviour.uninstall = () => {}
    await createWorkspace(client)
    await client.create(modules, moduleOf())
    await inPhase('ready')
    await client.delete(modules, shop)
    await until(() => client.get(configMaps, installed).then(() => false, isNotFound))
    const { items } = await client.list(events)
    t.notOk(
      items.some(({ reason }) => reason === 'LeftBehind'),
      'the garbage collector deletes it',
    )
    await client.delete(workspaces, { namespace: 'default', name: 'dev' })
    await until(() =>
      client.get(workspaces, { namespace: 'default', name: 'dev' }).then(() => false, isNotFound),
    )
  })
  await t.test('whose programs are in ConfigMaps of module build', async (t) => {
    const written = (content: string, version: string) =>
      programConfigMap(
        { content: Buffer.from(content), digest: '', description: { name: 'web', version } },
        'default',
      ) as ConfigMap
    const first = await client.create(configMaps, written('first', '1.0.0'))
    t.equal(first.metadata.name, 'web-1-0-0')
    await t.rejects(
      client.update(configMaps, written('second', '1.0.0')),
      /field is immutable when `immutable` is set/,
    )
    t.equal((await client.create(configMaps, written('second', '1.0.1'))).metadata.name, 'web-1-0-1')
    t.equal((await client.get(configMaps, of('web-1-0-0'))).data?.plugin, 'first', 'the old one stays')
  })
  await operator.stop()

  await t.test('whose managers are containers', (t) =>
    withContainers(t, { admin: client, transport, cluster }),
  )
})

const image = `registry.example/modules/web@sha256:${'a'.repeat(64)}`
const runners = 'module-runners'
const rule = { group: 'apps', resource: 'deployments', verbs: ['create', 'get'] }
const kinds: readonly Resource[] = [
  ...[deployments, replicaSets, pods, services, secrets, serviceAccounts, roles, roleBindings],
] as never

/**
 * The operator has its printed roles alone, and the namespace takes only Pods of the restricted standard. There is no
 * kubelet: the test plays it.
 */
async function withContainers(t: Test, server: Server): Promise<void> {
  const { admin } = server
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' }
  await admin.create(namespaces, { metadata: { name: runners, labels } })
  const runner = new PlayedRunner()
  const url = await runner.listen(t)
  const containers = {
    allowImages: ['registry.example/modules/'],
    namespace: runners,
    address: () => url,
    permissions: { workloads: [rule] },
  }
  const { forbidden, stop } = await restrictedOperator('containers', { containers }, server)
  t.teardown(stop)
  const inPhase = (phase: string) =>
    until(async () => {
      await playKubelet(admin)
      return (await admin.get(modules, shop)).status?.phase === phase
    })
  await createWorkspace(admin)
  const custom = { image, permissions: ['workloads'] }
  await admin.create(modules, moduleOf({ source: undefined, custom, config: { size: 3 } } as never))
  await inPhase('ready')
  const name = `module-runner-${(await admin.get(modules, shop)).metadata.uid}`
  const own = async () => {
    const lists = await Promise.all(kinds.map((kind) => admin.list(kind)))
    return lists.flatMap(({ items }, at) =>
      items.filter(({ metadata }) => metadata.name?.startsWith(name)).map(() => kinds[at]?.kind),
    )
  }
  t.strictSame(
    await own(),
    kinds.map(({ kind }) => kind),
  )
  const [pod] = (await admin.list(pods, { namespace: runners })).items
  t.match(
    pod?.spec?.volumes,
    [{ name: 'tmp' }, { name: /^kube-api-access-/ }],
    'it gets the token of its account',
  )
  const mayDo = (verb: string) =>
    admin.create(reviews, {
      metadata: {},
      spec: {
        user: `system:serviceaccount:${runners}:${name}`,
        resourceAttributes: { ...rule, verb, namespace: 'default' },
      },
    })
  t.match(await mayDo('create'), { status: { allowed: true } })
  t.match(await mayDo('delete'), { status: { allowed: false } })

  for (const [hibernated, phase] of [
    [true, 'sleeped'],
    [false, 'ready'],
  ] as const) {
    await admin.patch(modules, shop, { type: 'merge', body: { spec: { hibernated } } })
    await inPhase(phase)
  }
  await admin.delete(modules, shop)
  await until(async () => {
    await playKubelet(admin)
    return admin.get(modules, shop).then(() => false, isNotFound)
  })
  await until(async () => (await own()).length === 0)
  t.strictSame(
    runner.calls.map(({ path }) => path),
    ['/install', '/sleep', '/resume', '/uninstall'],
  )
  t.strictSame(forbidden, [])
}

const reviews = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SubjectAccessReview',
  plural: 'subjectaccessreviews',
  namespaced: false,
} as Resource<KubeObject & { spec: object }>

/** All containers run and are ready. */
async function playKubelet(client: Client): Promise<void> {
  for (const { metadata, status } of (await client.list(pods, { namespace: runners })).items) {
    if (status?.phase === 'Running') continue
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'True' }))
    const body = { status: { phase: 'Running', conditions } }
    const key = { namespace: runners, name: metadata.name ?? '' }
    await client.patch(pods, key, { type: 'merge', subresource: 'status', body }).catch(() => {})
  }
}
