import t from 'tap'
import { deployments, pods } from 'vcluster-plugin-sdk'
import { crdOf } from 'vcluster-plugin-sdk/operator'
import { type TestOperator, testOperator } from 'vcluster-plugin-sdk/testing'
import { backups } from './backup.js'
import { register } from './register.js'

const key = { namespace: 'default', name: 'daily' }

async function start(t: { teardown(done: () => Promise<void>): void }): Promise<TestOperator> {
  const test = await testOperator(register, { definitions: [crdOf(backups)] })
  t.teardown(() => test.stop())
  return test
}

/** Plays the Deployment's controller, which a cluster in process does not have. */
const setReady = ({ client }: TestOperator, readyReplicas: number) =>
  client.patch(deployments, key, {
    type: 'merge',
    subresource: 'status',
    body: { status: { replicas: readyReplicas, readyReplicas } },
  })

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
    await setReady(test, 2)
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
