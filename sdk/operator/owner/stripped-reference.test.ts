import t from 'tap'
import { type ConfigMap, configMaps, namespaces } from '../../engine/kube/builtin.js'
import { type Backup, backup, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

const at = { ...key, name: 'settings' }
const settings: ConfigMap = { metadata: { name: at.name }, data: { a: '1' } }
const applying: ControllerOptions<Backup> = {
  owns: [configMaps, namespaces],
  reconcile: async (ctx) => {
    await ctx.apply(configMaps, settings)
    await ctx.apply(namespaces, { metadata: { name: 'elsewhere' } })
  },
}
const stripped = merge({ metadata: { ownerReferences: null } })

void t.test('an owner reference or an owner label that somebody removes is put back', async (t) => {
  const test = await recordedOperator(t, applying)
  const { uid } = (await test.client.create(backups, backup(1))).metadata
  await test.settled()
  await test.client.patch(configMaps, at, stripped)
  const elsewhere = { namespace: '', name: 'elsewhere' }
  await test.client.patch(namespaces, elsewhere, merge({ metadata: { labels: null, annotations: null } }))
  await test.settled()
  t.match((await test.client.get(configMaps, at)).metadata.ownerReferences, [{ uid, controller: true }])
  t.match((await test.client.get(namespaces, elsewhere)).metadata.labels, {
    'cache.my.domain/owner-uid': uid,
  })
  t.equal(
    (await test.client.get(backups, key)).status?.conditions?.find(({ type }) => type === 'Stalled'),
    undefined,
  )
})

void t.test(
  'an object that others made, or that something else controls by now, is left alone',
  async (t) => {
    const test = await recordedOperator(t, applying)
    await test.client.create(backups, backup(1))
    await test.settled()
    const boss = await test.client.create(configMaps, { metadata: { ...at, name: 'boss' } })
    const { uid = '' } = boss.metadata
    const other = { apiVersion: 'v1', kind: 'ConfigMap', name: 'boss', uid, controller: true }
    await test.client.patch(
      configMaps,
      at,
      merge({ metadata: { ownerReferences: [other] }, data: { a: 'theirs' } }),
    )
    await test.settled()
    const taken = await test.client.get(configMaps, at)
    t.match(taken, { metadata: { ownerReferences: [other] }, data: { a: 'theirs' } })
    t.match(
      (await test.client.get(backups, key)).status?.conditions?.find(({ type }) => type === 'Stalled'),
      { reason: 'NameConflict' },
    )
  },
)

void t.test(
  'an object of the same name and content that somebody creates in its place is left alone',
  async (t) => {
    const test = await recordedOperator(t, applying)
    await test.client.create(backups, backup(1))
    await test.settled()
    const { metadata, data } = await test.client.get(configMaps, at)
    await test.client.patch(
      backups,
      key,
      merge({ metadata: { annotations: { 'cache.my.domain/paused': 'true' } } }),
    )
    await test.client.delete(configMaps, at)
    const copy = { metadata: { ...at, annotations: metadata.annotations, labels: metadata.labels }, data }
    await test.client.create(configMaps, copy as ConfigMap)
    await test.client.patch(
      backups,
      key,
      merge({ metadata: { annotations: { 'cache.my.domain/paused': null } } }),
    )
    await test.settled()
    t.equal((await test.client.get(configMaps, at)).metadata.ownerReferences, undefined)
  },
)

void t.test('a new owner of the same name does not get what its predecessor left', async (t) => {
  const test = await recordedOperator(t, {
    ...applying,
    owns: [configMaps],
    reconcile: async (ctx) => void (await ctx.apply(configMaps, settings)),
  })
  await test.client.create(backups, backup(1))
  await test.settled()
  await test.client.delete(backups, key, { propagationPolicy: 'Orphan' })
  await test.settled()
  await test.client.create(backups, backup(1))
  await test.settled()
  t.equal((await test.client.get(configMaps, at)).metadata.ownerReferences, undefined)
})
