import t from 'tap'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { exhaust, operatorScenario, testOperator } from 'vcluster-plugin-sdk/testing'
import { buckets } from './bucket.js'
import { FakeCloud } from './cloud.js'
import { register } from './register.js'

const key = { namespace: 'default', name: 'photos' }
const definitions = [crdOf(buckets)]

async function start(t: { teardown(done: () => Promise<void>): void }) {
  const cloud = new FakeCloud()
  const test = await testOperator((operator) => register(operator, cloud), { definitions })
  t.teardown(() => test.stop())
  return { cloud, ...test }
}

void t.test('a Bucket gets a bucket, and its URL', async (t) => {
  const { client, cloud, settled } = await start(t)
  await client.create(buckets, { metadata: key, spec: { region: 'north' } })
  await settled()
  t.equal(cloud.buckets.size, 1)
  t.match((await client.get(buckets, key)).status, {
    url: 'https://north.cloud.example/bucket-1',
    conditions: [{ type: 'Ready', status: 'True', reason: 'BucketReady' }],
  })
})

void t.test('the bucket goes with its object, unless it is kept', async (t) => {
  const { client, cloud, settled } = await start(t)
  for (const keep of [false, true]) {
    await client.create(buckets, { metadata: key, spec: { region: 'north', keep } })
    await settled()
    await client.delete(buckets, key)
    await settled()
    t.equal(cloud.buckets.size, keep ? 1 : 0)
    await t.rejects(client.get(buckets, key), /not found/)
  }
})

void t.test('another region stalls the object and changes nothing', async (t) => {
  const { client, cloud, settled } = await start(t)
  await client.create(buckets, { metadata: key, spec: { region: 'north' } })
  await settled()
  await client.patch(buckets, key, { type: 'merge', body: { spec: { region: 'south' } } })
  await settled()
  const { status } = await client.get(buckets, key)
  t.match(
    status?.conditions?.find(({ type }) => type === 'Stalled'),
    {
      status: 'True',
      message: 'spec.region cannot change from north: create another Bucket',
    },
  )
  t.same(
    [...cloud.buckets.values()].map(({ region }) => region),
    ['north'],
  )
})

void t.test('a crash or a leader change at any step makes no second bucket and leaves none', async (t) => {
  const cloud = new FakeCloud()
  const scenario = operatorScenario({
    register: (operator) => register(operator, cloud),
    definitions,
    before: async () => cloud.reset(),
    steps: {
      'a bucket is created': ({ client }) =>
        client.create(buckets, { metadata: key, spec: { region: 'north' } }),
      'it is deleted': ({ client }) => client.delete(buckets, key),
      'it is created again': ({ client }) =>
        client.create(buckets, { metadata: key, spec: { region: 'south' } }),
    },
    // The finalizer, the journal before and after the call, the call, and the status.
    writesPerChange: 6,
  })
  const crashes = await exhaust(scenario, { faults: ['crashes'] })
  const changes = await exhaust(scenario, { faults: ['leader-changes'] })
  t.same([...crashes.missed, ...changes.missed], [], 'every fault was injected')
  t.comment(`${crashes.writes.length} writes, ${crashes.runs} crashes, ${changes.runs} leader changes`)
})
