import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Client } from '../../engine/client/client.js'
import { configMaps, events, namespaces } from '../../engine/kube/builtin.js'
import { ApiError, isNotFound } from '../../engine/kube/error.js'
import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { backup, backups, key } from '../backups.fixture.js'
import { merge, type RecordedOperator, recordedOperator } from '../recorded-operator.fixture.js'
import { addFinalizer, removeFinalizer } from './finalizers.js'

const ours = 'cache.my.domain/backups'
const theirs = 'backup.example.com/hold'
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function find<T extends KubeObject>(
  { client }: RecordedOperator,
  resource: Resource<T>,
  at: Key,
): Promise<T | undefined> {
  return client.get(resource, at).catch((error: unknown) => {
    if (isNotFound(error)) return undefined
    throw error
  })
}

void t.test('a finalizer for an object that is being deleted is refused without an error', async (t) => {
  const { client } = await recordedOperator(t, { reconcile: () => {} })
  const read = await client.create(backups, { ...backup(1), metadata: { ...key, finalizers: [theirs] } })
  await client.delete(backups, key)
  const terminating = await client.get(backups, key)
  const options = { client, resource: backups, finalizer: ours }
  t.equal(await addFinalizer(terminating, options), undefined)
  t.same((await client.get(backups, key)).metadata.finalizers, [theirs])
  await client.patch(backups, key, merge({ metadata: { finalizers: null } }))
  t.equal(await addFinalizer(read, options), undefined, 'nor for one that is gone')
})

void t.test('a finalizer is not added to an object that others have changed meanwhile', async (t) => {
  const { client } = await recordedOperator(t, { reconcile: () => {} })
  const read = await client.create(backups, backup(1))
  await client.patch(backups, key, merge({ metadata: { finalizers: [theirs] } }))
  const options = { client, resource: backups, finalizer: ours }
  await t.rejects(addFinalizer(read, options), { code: 409 })
  t.same((await client.get(backups, key)).metadata.finalizers, [theirs], 'that of the other one stays')
})

void t.test('a finalizer that an API server refuses for another reason is an error', async (t) => {
  const { client } = await recordedOperator(t, { reconcile: () => {} })
  const read = await client.create(backups, backup(1))
  const invalid = new ApiError({
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: 'no finalizers here',
  })
  const refusing = { ...client, get: client.get.bind(client), patch: () => Promise.reject(invalid) } as Client
  const options = { client: refusing, resource: backups, finalizer: ours }
  await t.rejects(addFinalizer(read, options), { message: 'no finalizers here' })
})

void t.test('only our own finalizer is removed, whatever others write meanwhile', async (t) => {
  const { client } = await recordedOperator(t, { reconcile: () => {} })
  const options = { client, resource: backups, finalizer: ours }
  const read = await client.create(backups, {
    ...backup(1),
    metadata: { ...key, finalizers: [ours, theirs] },
  })
  await client.patch(backups, key, merge({ metadata: { finalizers: [theirs, 'example.com/new', ours] } }))
  await removeFinalizer(read, options)
  t.same((await client.get(backups, key)).metadata.finalizers, [theirs, 'example.com/new'])
})

void t.test('the finalizer of an object that is gone needs no removal', async (t) => {
  const { client } = await recordedOperator(t, { reconcile: () => {} })
  const read = await client.create(backups, { ...backup(1), metadata: { ...key, finalizers: [ours] } })
  await client.patch(backups, key, merge({ metadata: { finalizers: null } }))
  await client.delete(backups, key)
  await t.resolves(removeFinalizer(read, { client, resource: backups, finalizer: ours }))
})

void t.test('the finalizer of an object that was created again is not removed', async (t) => {
  const { client } = await recordedOperator(t, { reconcile: () => {} })
  const read = await client.create(backups, { ...backup(1), metadata: { ...key, finalizers: [ours] } })
  await client.patch(backups, key, merge({ metadata: { finalizers: null } }))
  await client.delete(backups, key)
  await client.create(backups, { ...backup(1), metadata: { ...key, finalizers: [ours] } })
  await removeFinalizer(read, { client, resource: backups, finalizer: ours })
  t.same((await client.get(backups, key)).metadata.finalizers, [ours])
})

void t.test(
  'our finalizer goes while that of others keeps the object, and nothing runs any more',
  async (t) => {
    const runs: string[] = []
    const test = await recordedOperator(t, {
      reconcile: () => void runs.push('reconcile'),
      finalize: () => void runs.push('finalize'),
    })
    await test.client.create(backups, { ...backup(1), metadata: { ...key, finalizers: [theirs] } })
    await test.settled()
    t.same((await find(test, backups, key))?.metadata.finalizers, [theirs, ours])
    runs.length = 0
    await test.client.delete(backups, key)
    await test.settled()
    t.same((await find(test, backups, key))?.metadata.finalizers, [theirs])
    await test.client.patch(backups, key, merge({ metadata: { labels: { still: 'here' } } }))
    await test.settled()
    t.same(runs, ['finalize'])
  },
)

void t.test(
  'a namespace that is deleted goes with its objects, and nothing is created in it again',
  async (t) => {
    const at = { namespace: 'team', name: 'daily' }
    const runs: string[] = []
    const test = await recordedOperator(t, {
      owns: [configMaps],
      async reconcile(ctx) {
        await ctx.apply(configMaps, { metadata: { name: 'settings' } })
      },
      finalize: () => void runs.push('finalize'),
    })
    await test.client.create(namespaces, { metadata: { name: 'team' } })
    await test.client.create(backups, { ...backup(1), metadata: at })
    await test.settled()
    test.writes.length = 0
    await test.client.delete(namespaces, { namespace: '', name: 'team' })
    while (await find(test, namespaces, { namespace: '', name: 'team' })) await nextTurn()
    await test.settled()
    t.same(runs, ['finalize'])
    t.same(
      test.writes.filter((write) => write.includes('configmaps')),
      [],
    )
  },
)

void t.test('a finalize that fails ten times is said, costs a run a minute, and then goes on', async (t) => {
  const clock = new VirtualClock()
  const server = await createApiServer({ clock })
  let runs = 0
  let isAway = true
  const test = await recordedOperator(
    t,
    {
      reconcile: () => {},
      finalize: () => {
        runs++
        if (isAway) throw new Error('the cloud is away')
      },
    },
    { servers: { main: server }, clock },
  )
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1000) {
      await clock.advance(Math.min(left, 1000))
      for (let turns = 0; turns < 20; turns++) await nextTurn()
    }
  }
  await test.client.create(backups, { ...backup(1), metadata: { ...key, finalizers: [theirs] } })
  await test.settled()
  await test.client.delete(backups, key)
  await pass(120_000)
  t.ok(runs >= 10, `${runs} runs`)
  const failed = await test.client.get(backups, key)
  t.match(
    JSON.stringify(failed.status?.conditions),
    /"type":"Finalized","status":"False"|"status":"False","type":"Finalized"/,
  )
  const told = (await test.client.listAll(events)).items.map(({ message }) => message ?? '')
  t.ok(
    told.some((message) => message.includes('failed 10 times in a row')),
    told.join('\n'),
  )
  const before = runs
  await pass(600_000)
  t.ok(runs > before && runs - before <= 10, `${runs - before} runs in ten minutes`)
  isAway = false
  await pass(1_200_000)
  t.same((await test.client.get(backups, key)).metadata.finalizers, [theirs])
})
