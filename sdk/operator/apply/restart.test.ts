import t from 'tap'
import { type Deployment, deployments } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { AppliedFields } from '../../engine/watch/applied-fields.js'
import { type Backup, backup, backups, deploymentFor, key, memcached } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

const count = 50

const ofDeployments = (requests: readonly string[]) =>
  requests.filter((request) => request.includes('/deployments/'))

void t.test('a second start sends no request for objects that are as they were applied', async (t) => {
  const first = await recordedOperator(t, memcached)
  for (let n = 0; n < count; n++)
    await first.client.create(backups, { ...backup(n % 5), metadata: { ...key, name: `daily-${n}` } })
  await first.settled()
  await first.stop()
  const second = await recordedOperator(t, memcached, { servers: { main: first.server } })
  await second.settled()
  t.same(ofDeployments(second.reads), [])
  t.same(second.writes, [])
})

void t.test(
  'empty maps and lists that the API server does not store cost no request at a start',
  async (t) => {
    const options: ControllerOptions<Backup> = {
      owns: [deployments, backups],
      async reconcile(ctx, object) {
        if (object.metadata.name !== key.name) return
        const { spec, metadata } = deploymentFor(object)
        const template = { ...spec?.template, metadata: { ...spec?.template.metadata, annotations: {} } }
        await ctx.apply(deployments, {
          metadata: { ...metadata, annotations: {} },
          spec: {
            ...spec,
            template: { ...template, spec: { ...template.spec, volumes: [], nodeSelector: {} } },
          },
        } as Deployment)
        const empty = { labels: {}, annotations: {}, finalizers: [] }
        await ctx.apply(backups, { metadata: { name: 'copy', ...empty }, spec: { size: 1 } })
      },
    }
    const first = await recordedOperator(t, options)
    await first.client.create(backups, backup(3))
    await first.settled()
    await first.stop()
    t.ok(await first.client.get(backups, { ...key, name: 'copy' }))
    const second = await recordedOperator(t, options, { servers: { main: first.server } })
    await second.settled()
    t.same([...second.reads.filter((request) => /(daily|copy)$/.test(request)), ...second.writes], [])
  },
)

void t.test(
  'an intended field that was edited while the operator was down is put right with one write',
  async (t) => {
    const first = await recordedOperator(t, memcached)
    await first.client.create(backups, backup(3))
    await first.settled()
    await first.stop()
    await first.client.patch(deployments, key, merge({ spec: { replicas: 7, paused: true } }))
    const second = await recordedOperator(t, memcached, { servers: { main: first.server } })
    await second.settled()
    const { spec } = await second.client.get(deployments, key)
    t.match(spec, { replicas: 3, paused: true })
    t.equal(ofDeployments(second.writes).length, 1)
    t.same(ofDeployments(second.reads), [])
  },
)

void t.test('a field that the new release leaves out goes', async (t) => {
  const first = await recordedOperator(t, {
    ...memcached,
    reconcile: async (ctx, object) => {
      const { spec, metadata } = deploymentFor(object)
      await ctx.apply(deployments, { spec: spec as never, metadata: { ...metadata, labels: { old: 'yes' } } })
    },
  })
  await first.client.create(backups, backup(3))
  await first.settled()
  await first.stop()
  t.match((await first.client.get(deployments, key)).metadata.labels, { old: 'yes' })
  const second = await recordedOperator(t, memcached, { servers: { main: first.server } })
  await second.settled()
  t.notMatch((await second.client.get(deployments, key)).metadata.labels ?? {}, { old: 'yes' })
})

void t.test('entries are noted for the managers that are kept, and are taken once', (t) => {
  const fields = new AppliedFields()
  const ours = { manager: 'ours', operation: 'Apply', fieldsV1: { 'f:spec': {} } }
  const object: KubeObject = { metadata: { name: 'one' } }
  fields.note(object, [ours])
  t.equal(fields.take(object), undefined, 'no manager is kept yet')
  fields.keep('ours')
  fields.note(object, [{ manager: 'theirs' }, ours])
  t.same(fields.take(object), [ours])
  t.equal(fields.take(object), undefined)
  fields.note(object, [{ manager: 'theirs' }])
  t.equal(fields.take(object), undefined)
  t.end()
})
