// Objects with immutable fields, which an operator deletes and creates again, on a real API server with the garbage
// collector of a control plane.
import t from 'tap'
import type { KubeObject } from '../sdk/engine/kube/object.js'
import type { Resource } from '../sdk/engine/kube/resource.js'
import { type Backup, backup, backups } from '../sdk/operator/backups.fixture.js'
import type { ControllerOptions } from '../sdk/operator/controller/definition.js'
import { dyingAt, dyingPhases } from '../sdk/operator/dying-transport.fixture.js'
import { openBackups } from './real/open-backups.js'
import { missingAssets } from './real/real-cluster.js'
import { until } from './until.js'

const skip = missingAssets('kube-controller-manager')

const resource = (group: string, kind: string, plural = `${kind.toLowerCase()}s`): Resource => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: true,
})

const jobs = resource('batch', 'Job')

const template = (labels: object) => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'c' }] },
})
const container = (size: number) => ({ name: 'job', image: `job:${size}` })

/** For each kind an object whose immutable field depends on a number. */
const kinds: Readonly<Record<string, { resource: Resource; content: (size: number) => object }>> = {
  job: {
    resource: jobs,
    content: (size) => ({
      spec: { suspend: true, template: { spec: { restartPolicy: 'Never', containers: [container(size)] } } },
    }),
  },
  service: {
    resource: resource('', 'Service'),
    content: (size) => ({ spec: { clusterIP: `10.96.0.${70 + size}`, ports: [{ port: 80 }] } }),
  },
  statefulset: {
    resource: resource('apps', 'StatefulSet'),
    content: (size) => ({
      spec: {
        replicas: 0,
        serviceName: `s${size}`,
        selector: { matchLabels: { a: 'b' } },
        template: template({ a: 'b' }),
      },
    }),
  },
  deployment: {
    resource: resource('apps', 'Deployment'),
    content: (size) => ({
      spec: {
        replicas: 0,
        selector: { matchLabels: { size: `${size}` } },
        template: template({ size: `${size}` }),
      },
    }),
  },
  claim: {
    resource: resource('', 'PersistentVolumeClaim'),
    content: (size) => ({
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        storageClassName: `class-${size}`,
      },
    }),
  },
  binding: {
    resource: resource('rbac.authorization.k8s.io', 'RoleBinding'),
    content: (size) => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: `role-${size}` },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
    }),
  },
  config: {
    resource: resource('', 'ConfigMap'),
    content: (size) => ({ immutable: true, data: { size: `${size}` } }),
  },
  secret: {
    resource: resource('', 'Secret'),
    content: (size) => ({ type: `example.com/type-${size}`, stringData: { size: 'x' } }),
  },
}

const at = (name: string) => ({ namespace: 'default', name })

/** The object of the Backup with the name of a kind. */
const options: ControllerOptions<Backup> = {
  owns: Object.values(kinds).map((kind) => kind.resource),
  reconcile: async (ctx, { metadata: { name = '' }, spec }) => {
    const kind = kinds[name]
    if (!kind) return
    const intent: KubeObject = { metadata: { name }, ...kind.content(spec.size) }
    await ctx.apply(kind.resource, intent, { recreate: name === 'claim' ? 'with-data' : true })
  },
}

void t.test('objects with immutable fields are made again', { skip, timeout: 600_000 }, async (t) => {
  const { client, get, gone, start } = await openBackups(t)
  const resize = (name: string, size: number) =>
    client.patch(backups, at(name), { type: 'merge', body: { spec: { size } } })
  const uidOf = async (name: string) => (await get(kinds[name]?.resource ?? jobs, at(name)))?.metadata.uid

  await t.test('of each kind whose fields an API server does not change', async (t) => {
    const operator = await start(options)
    const before = new Map<string, string | undefined>()
    for (const name of Object.keys(kinds)) {
      await client.create(backups, { ...backup(1), metadata: at(name) })
      await until(async () => (await uidOf(name)) !== undefined)
      before.set(name, await uidOf(name))
    }
    for (const [name, { resource, content }] of Object.entries(kinds)) {
      await resize(name, 2)
      await until(async () => ![undefined, before.get(name)].includes(await uidOf(name)))
      t.not(await uidOf(name), before.get(name), name)
      const { stringData: _, ...wanted } = content(2) as Record<string, unknown>
      t.match(await client.get(resource, at(name)), wanted, name)
    }
    t.same(
      operator.writes.filter((write) => write.startsWith('DELETE')).length,
      Object.keys(kinds).length,
      'each was deleted once',
    )
    await operator.stop()
    t.same(operator.warnings, [])
  })

  await t.test('also if the process dies at any write', async (t) => {
    for (const phase of dyingPhases)
      for (let write = 0, isEnd = false; !isEnd; write++) {
        const before = await uidOf('job')
        const size = write + (phase === 'before' ? 10 : 50)
        const dying = await start(options, {
          leaderElection: false,
          wrap: (inner) => dyingAt(inner, write, phase),
        })
        await dying.quiet()
        await resize('job', size)
        const isMade = async () => ![undefined, before].includes(await uidOf('job'))
        await until(async () => dying.writes.length > write || ((await isMade()) && dying.operator.isIdle()))
        isEnd = dying.writes.length <= write
        await dying.stop()
        const next = await start(options, { leaderElection: false })
        await until(isMade)
        await next.quiet()
        const job = await client.get(jobs, at('job'))
        t.match(job, { spec: { template: { spec: { containers: [container(size)] } } } }, `${phase} ${write}`)
        await next.stop()
      }
    await client.delete(backups, at('job'))
    await gone(jobs, at('job'))
  })
})
