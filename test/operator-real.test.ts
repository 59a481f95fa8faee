// An operator on a real API server with the controllers of a control plane.
import t from 'tap'
import { configMaps, type Deployment, deployments, namespaces } from '../sdk/engine/kube/builtin.js'
import { jsonEqual } from '../sdk/engine/kube/json.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { emptiesLabels, keepsLabels, labelDefinitions } from '../sdk/operator/apply/emptied.fixture.js'
import {
  type Backup,
  backup,
  backups,
  deploymentFor,
  key,
  memcached,
} from '../sdk/operator/backups.fixture.js'
import { owned } from '../sdk/operator/controller/owned.js'
import type { Operator } from '../sdk/operator/operator.js'
import { registerSharing } from '../sdk/operator/sharing.fixture.js'
import { openBackups } from './real/open-backups.js'
import { missingAssets } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')
const stalled = {
  type: 'Stalled',
  status: 'True',
  reason: 'Old',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
}
const merge = (body: object) => ({ type: 'merge', body }) as const

void t.test('an operator on a real control plane', { skip, timeout: 600_000 }, async (t) => {
  const { client, get, start: open, gone: goneAt } = await openBackups(t, labelDefinitions)
  let writes: string[] = []
  let reads: string[] = []
  let quiet = async () => {}
  const start = async (...args: Parameters<typeof open>): Promise<Operator> => {
    const started = await open(...args)
    ;({ writes, reads, quiet } = started)
    return started.operator
  }
  const replicas = async () => (await get(deployments, key))?.spec?.replicas
  const gone = (resource: Resource) => goneAt(resource, key)

  let operator = await start(memcached)

  await t.test('a new object costs one apply and one status patch', async (t) => {
    await client.create(backups, backup(3))
    await until(async () => ((await get(backups, key))?.status?.conditions ?? []).length > 0)
    t.equal(await replicas(), 3)
    // The Deployment's controller writes its status; then the operator looks again, and has nothing to write.
    await until(async () => ((await get(deployments, key))?.status?.observedGeneration ?? 0) > 0)
    await quiet()
    t.same(writes, [
      'PATCH /apis/apps/v1/namespaces/default/deployments/daily',
      'PATCH /apis/cache.my.domain/v1/namespaces/default/backups/daily/status',
    ])
  })

  await t.test('a second start writes nothing, and reads no object by itself', async (t) => {
    await operator.stop()
    operator = await start(memcached)
    await quiet()
    t.same(writes, [])
    t.same(
      reads.filter((request) => request.endsWith('/daily')),
      [],
    )
  })

  await t.test('an edit of an intended field is undone with one write, others stay', async (t) => {
    const container = (edit: object) => ({
      spec: { template: { spec: { containers: [{ name: 'memcached', ...edit }] } } },
    })
    const labels = { backup: 'daily', more: 'x' }
    const edits: [edit: object, writes: number][] = [
      [{ spec: { replicas: 7 } }, 1],
      [container({ image: 'other' }), 1],
      [container({ resources: { limits: { cpu: '2' } } }), 1],
      [container({ imagePullPolicy: 'Always' }), 0],
      [{ spec: { template: { metadata: { labels } } } }, 0],
    ]
    for (const [body, expected] of edits) {
      writes.length = 0
      await client.patch(deployments, key, { type: 'strategic', body })
      await until(() => writes.length >= expected)
      await quiet()
      t.equal(writes.length, expected, JSON.stringify(body))
    }
    const { replicas: count, template } = (await get(deployments, key))?.spec ?? {}
    t.equal(count, 3)
    t.match(template?.spec?.containers, [
      { image: 'memcached:1.6', imagePullPolicy: 'Always', resources: { limits: { cpu: '1' } } },
    ])
    t.match(template?.metadata?.labels, labels)
  })

  await t.test('deleted in the background, the Deployment follows', async () => {
    await client.delete(backups, key, { propagationPolicy: 'Background' })
    await gone(backups)
    await gone(deployments)
  })

  await t.test('deleted in the foreground, the Deployment goes first and does not come back', async (t) => {
    await client.create(backups, backup(1))
    await until(async () => (await replicas()) === 1)
    await quiet()
    writes.length = 0
    await client.delete(backups, key, { propagationPolicy: 'Foreground' })
    await gone(backups)
    t.equal(await get(deployments, key), undefined)
    t.same(writes, [])
  })

  await t.test('deleted as an orphan, the Deployment stays and is foreign to a new object', async (t) => {
    await client.create(backups, backup(1))
    await until(async () => (await replicas()) === 1)
    await client.delete(backups, key, { propagationPolicy: 'Orphan' })
    await gone(backups)
    t.match((await get(deployments, key))?.metadata, { ownerReferences: undefined })
    await client.create(backups, backup(5))
    await quiet()
    t.equal(await replicas(), 1)
    await client.delete(deployments, key)
    await until(async () => (await replicas()) === 5)
  })

  await t.test('an object that a stale cache does not know is not overwritten', async (t) => {
    const at = { ...key, name: 'race' }
    const racing: Backup = { metadata: at, spec: { size: 4 } }
    await Promise.all([
      client.create(deployments, {
        ...deploymentFor(racing),
        metadata: at,
        spec: { ...deploymentFor(racing).spec, replicas: 9 } as never,
      }),
      client.create(backups, racing),
    ])
    await quiet()
    const { metadata, spec } = (await get(deployments, at)) ?? {}
    const isOurs = (metadata?.ownerReferences ?? []).length > 0
    t.equal(spec?.replicas, isOurs ? 4 : 9)
  })

  await t.test('status and conditions survive a hand edit', async (t) => {
    await until(async () => ((await get(backups, key))?.status?.conditions ?? []).length > 0)
    await client.patch(backups, key, { ...merge({ status: { nodes: [] } }), subresource: 'status' })
    await until(async () => (await get(backups, key))?.status?.nodes?.[0] === 'a')
    t.pass()
  })

  await t.test('a field that is released keeps its value and belongs to others', async (t) => {
    await operator.stop()
    const seen = new Set<number | undefined>()
    operator = await start({
      owns: [deployments],
      async reconcile(ctx, object) {
        const { spec, ...deployment } = deploymentFor(object)
        const { replicas: _, ...others } = spec ?? {}
        const intent = { ...deployment, spec: others as never }
        const applied = await ctx.apply(deployments, intent, { release: ['spec.replicas'] })
        if (object.metadata.name === key.name) seen.add(applied.spec?.replicas)
      },
    })
    await until(() => seen.size > 0)
    await quiet()
    t.same([...seen], [await replicas()])
    t.equal(await replicas(), 5)
    await client.patch(deployments, key, merge({ spec: { replicas: 2 } }))
    await client.patch(backups, key, merge({ spec: { size: 6 } }))
    await until(() => seen.has(2))
    await quiet()
    t.equal(await replicas(), 2)
  })

  await t.test('the fields of a former field manager are taken over', async (t) => {
    await operator.stop()
    await client.create(backups, { ...backup(2), metadata: { ...key, name: 'renamed' } })
    const at = { ...key, name: 'renamed' }
    const owner = await client.get(backups, at)
    const { uid = '' } = owner.metadata
    const reference = {
      apiVersion: 'cache.my.domain/v1',
      kind: 'Backup',
      name: 'renamed',
      uid,
      controller: true,
    }
    const { metadata, ...rest } = deploymentFor(owner)
    const annotations = { 'cache.my.domain/old': 'yes' }
    const place = { ...metadata, namespace: 'default', annotations, ownerReferences: [reference] }
    const before = await client.create(deployments, { ...rest, metadata: place })
    const written = before.metadata.managedFields as readonly { manager?: string }[]
    await client.patch(backups, at, {
      type: 'apply',
      subresource: 'status',
      fieldManager: 'old-operator.backups',
      body: {
        apiVersion: 'cache.my.domain/v1',
        kind: 'Backup',
        metadata: at,
        status: { nodes: ['old'], conditions: [stalled] },
      },
    })
    const formerFieldManagers = ['old-operator.backups', written[0]?.manager ?? '']
    // The last write of the Deployment's controller: an earlier one could come between the operator's read and its
    // write.
    await until(async () => (await get(deployments, at))?.status?.unavailableReplicas === 2)
    operator = await start({ ...memcached, formerFieldManagers })
    await until(async () => ((await get(backups, at))?.status?.nodes ?? [])[0] === 'a')
    const after = await get(deployments, at)
    t.equal(after?.metadata.uid, before.metadata.uid)
    t.notMatch(after?.metadata.annotations, annotations, 'a field that is left out goes')
    const { status } = await client.get(backups, at)
    t.notOk(status?.conditions?.some(({ type }) => type === 'Stalled'))
    await quiet()
    t.equal(writes.filter((write) => write.includes('deployments/renamed')).length, 2)
  })

  await t.test('after a restore an object is adopted by its labels', async (t) => {
    await operator.stop()
    const at = { ...key, name: 'restored' }
    const byLabel = { ...memcached, owns: [owned(deployments, { adopt: 'by-label' })] }
    operator = await start(byLabel)
    await client.create(backups, { ...backup(2), metadata: at })
    await until(async () => (await get(deployments, at)) !== undefined)
    const { metadata, spec } = await client.get(deployments, at)
    await operator.stop()
    await client.delete(backups, at, { propagationPolicy: 'Background' })
    await until(async () => !(await get(deployments, at)))
    const restored = await client.create(backups, { ...backup(2), metadata: at })
    const { labels = {}, annotations = {} } = metadata
    const { uid } = (
      await client.create(deployments, { metadata: { ...at, labels, annotations }, spec } as Deployment)
    ).metadata
    operator = await start(byLabel)
    await until(async () => {
      const references = (await get(deployments, at))?.metadata.ownerReferences
      return references?.[0]?.uid === restored.metadata.uid
    })
    t.equal((await get(deployments, at))?.metadata.uid, uid)
  })

  await t.test('a required spec of an owned object can become empty', async (t) => {
    const register = (one: Operator) => one.register(keepsLabels)
    const running = await open(undefined, { name: 'labels', register })
    await emptiesLabels(t, client, async (isThere) => {
      await until(isThere)
      await running.quiet()
    })
    await running.stop()
  })

  await t.test('controllers that share a kind delete only objects that they have applied', async (t) => {
    await operator.stop()
    for (const { metadata } of (await client.list(backups)).items)
      await client.delete(backups, { ...key, name: metadata.name ?? '' })
    operator = await start(undefined, { name: 'sharing', register: registerSharing })
    const at = { ...key, name: 'shared' }
    await client.create(backups, { ...backup(2), metadata: at })
    const kept = async () => {
      const { items } = await client.list(configMaps, { namespace: 'default' })
      const ours = items.filter(({ metadata }) => metadata.name?.startsWith('of-'))
      return Object.fromEntries(ours.map(({ metadata, data = {} }) => [metadata.name, data]))
    }
    /** Awaits the objects, and that they stay. */
    const keeps = async (expected: object) => {
      await until(async () => jsonEqual(await kept(), expected))
      await quiet()
      t.same(await kept(), expected)
    }
    const resize = (size: number) => client.patch(backups, at, merge({ spec: { size } }))
    await keeps({ 'of-left': {}, 'of-right': {}, 'of-all': { left: '2', right: '2' } })
    t.same(
      writes.filter((write) => write.startsWith('DELETE')),
      [],
    )
    await resize(3)
    await keeps({ 'of-right': {}, 'of-all': { right: '3' } })
    await resize(4)
    await keeps({ 'of-left': {}, 'of-right': {}, 'of-all': { left: '4' } })
    await resize(5)
    await keeps({ 'of-right': {} })
  })

  await t.test('an object elsewhere with forged labels and a finalizer holds no deletion', async (t) => {
    await operator.stop()
    for (const { metadata } of (await client.list(backups)).items)
      await client.delete(backups, { ...key, name: metadata.name ?? '' })
    const elsewhere = { namespace: 'elsewhere', name: 'mine' }
    const foreign = { namespace: 'of-a-tenant', name: 'mine' }
    for (const { namespace } of [elsewhere, foreign])
      await client.create(namespaces, { metadata: { name: namespace } })
    const at = { ...key, name: 'held' }
    await client.create(backups, { ...backup(1), metadata: at })
    const reconcile = async (ctx: Parameters<typeof memcached.reconcile>[0]) =>
      void (await ctx.apply(configMaps, { metadata: { ...elsewhere } }))
    operator = await start({ owns: [configMaps], reconcile })
    await until(async () => (await get(configMaps, elsewhere)) !== undefined)
    const { labels = {}, annotations = {} } = (await get(configMaps, elsewhere))?.metadata ?? {}
    const forged = { labels, annotations, finalizers: ['of-a.tenant/never'] }
    await client.create(configMaps, { metadata: { ...forged, ...foreign } })
    await quiet()
    await client.delete(backups, at)
    await until(async () => !(await get(backups, at)))
    t.equal(await get(configMaps, elsewhere), undefined)
    t.ok(await get(configMaps, foreign), 'its own finalizer keeps it')
    await client.patch(configMaps, foreign, merge({ metadata: { finalizers: null } }))
  })
})
