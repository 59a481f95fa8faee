import t from 'tap'
import { deployments, pods } from 'vcluster-plugin-sdk'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { exhaust, operatorScenario, type TestOperator, testOperator } from 'vcluster-plugin-sdk/testing'
import { backups } from './backup.js'
import { register } from './register.js'

const key = { namespace: 'default', name: 'daily' }

async function start(t: { teardown(done: () => Promise<void>): void }): Promise<TestOperator> {
  const test = await testOperator(register, { definitions: [crdOf(backups)] })
  t.teardown(() => test.stop())
  return test
}

void t.test(
  'a MemcachedBackup gets a Deployment of its size, and is available once that is ready',
  async (t) => {
    const test = await start(t)
    await test.client.create(backups, { metadata: key, spec: { size: 2 } })
    await test.settled()
    t.equal((await test.client.get(deployments, key)).spec?.replicas, 2)
    t.match((await test.client.get(backups, key)).status?.conditions, [
      { type: 'Available', status: 'False' },
    ])
    await test.setReady({ metadata: key })
    await test.settled()
    t.match((await test.client.get(backups, key)).status?.conditions, [
      { type: 'Available', status: 'True', reason: 'DeploymentReady' },
    ])
  },
)

void t.test('the status lists the Pods of the backup', async (t) => {
  const test = await start(t)
  await test.client.create(backups, { metadata: key, spec: { size: 1 } })
  for (const name of ['b', 'a']) {
    await test.client.create(pods, {
      metadata: { namespace: 'default', name, labels: { backup: 'daily' } },
      spec: { containers: [{ name: 'memcached', image: 'memcached' }] },
    })
  }
  await test.settled()
  t.same((await test.client.get(backups, key)).status?.nodes, ['a', 'b'])
})

void t.test('a size that is out of bounds is refused by the API server', async (t) => {
  const test = await start(t)
  const tooMany = test.client.create(backups, { metadata: key, spec: { size: 101 } })
  await t.rejects(tooMany, /spec.size.*should be less than or equal to 100/)
})

/** The life of a MemcachedBackup, which the explorations run with a fault at every place. */
const scenario = operatorScenario({
  register,
  definitions: [crdOf(backups)],
  steps: {
    'a backup is created': ({ client }) => client.create(backups, { metadata: key, spec: { size: 2 } }),
    'it grows': ({ client }) => client.patch(backups, key, { type: 'merge', body: { spec: { size: 3 } } }),
    'its Deployment is deleted': ({ client }) => client.delete(deployments, key),
    'it is deleted': ({ client }) => client.delete(backups, key),
    'it is created again': ({ client }) => client.create(backups, { metadata: key, spec: { size: 1 } }),
  },
  simulate: ({ setAllReady }) => setAllReady(),
})

void t.test('it survives a crash and a leader change at every write', async (t) => {
  const crashes = await exhaust(scenario, { faults: ['crashes'] })
  const changes = await exhaust(scenario, { faults: ['leader-changes'] })
  t.same([...crashes.missed, ...changes.missed], [], 'every fault was injected')
  t.comment(`${crashes.writes.length} writes, ${crashes.runs} crashes, ${changes.runs} leader changes`)
})

void t.test('users may edit, delete and create again what they like', async (t) => {
  const { changes } = await exhaust(scenario, { faults: ['edits', 'deletions', 'recreation'] })
  t.ok(changes.includes('main deployments default/daily /spec/replicas'))
  t.comment(`${changes.length} edits and deletions were put right`)
})
