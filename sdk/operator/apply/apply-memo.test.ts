import t from 'tap'
import { deployments } from '../../engine/kube/builtin.js'
import { backup, backups, deploymentFor, key, memcached } from '../backups.fixture.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'
import { ApplyMemo } from './apply-memo.js'

/** A remembered object that is gone makes the operator read the owner before it creates the object again. */
const ownerRead = 'GET /apis/cache.my.domain/v1/namespaces/default/backups/daily'

void t.test(
  'an object that was deleted by hand is created again only after its owner was read',
  async (t) => {
    const { client, settled, reads } = await recordedOperator(t, memcached)
    await client.create(backups, backup(1))
    await settled()
    t.notOk(reads.includes(ownerRead))
    await client.delete(deployments, key)
    await settled()
    t.ok(reads.includes(ownerRead))
  },
)

void t.test('what was applied for an object is forgotten when the object is gone', async (t) => {
  const { client, settled, reads } = await recordedOperator(t, memcached)
  await client.create(backups, backup(1))
  await settled()
  await client.delete(backups, key)
  await settled()
  await client.create(backups, backup(2))
  await settled()
  t.equal((await client.get(deployments, key)).spec?.replicas, 2)
  t.notOk(reads.includes(ownerRead))
})

void t.test('an object that a run has deleted is forgotten', async (t) => {
  const { client, settled, reads } = await recordedOperator(t, {
    ...memcached,
    reconcile: async (ctx, object) => {
      if (object.spec.size > 0) await ctx.apply(deployments, deploymentFor(object))
    },
  })
  for (const size of [1, 0, 2]) {
    if (size === 1) await client.create(backups, backup(size))
    else await client.patch(backups, key, merge({ spec: { size } }))
    await settled()
    const { items } = await client.list(deployments)
    t.equal(items.length, Math.min(size, 1))
  }
  t.notOk(reads.includes(ownerRead))
})

void t.test('an object that two primary objects applied is forgotten with the later one', (t) => {
  const memo = new ApplyMemo()
  const answer = { metadata: { name: 'shared', uid: '1' } }
  for (const primary of ['a', 'b']) memo.remember('shared', { primary, intent: {}, answer })
  memo.forgetPrimary('a')
  t.ok(memo.has('shared'))
  memo.forgetPrimary('b')
  t.notOk(memo.has('shared'))
  t.end()
})

void t.test('only the same intent for the same owner counts as deleted by others', (t) => {
  const memo = new ApplyMemo()
  const answer = { metadata: { name: 'a', uid: '1' } }
  const apply = () => memo.remember('a', { primary: 'daily', ownerUid: 'first', intent: { text: 1 }, answer })
  const isByOthers = (owner = 'first', text = 1) => memo.isDeletedByOthers('a', { text }, { uid: owner })
  t.notOk(isByOthers(), 'it was never applied')
  apply()
  t.ok(isByOthers())
  t.notOk(isByOthers('second'), 'it was deleted with its former owner')
  t.notOk(isByOthers('first', 2), 'the intent has changed')
  memo.excuseDeletion('a')
  t.notOk(isByOthers())
  apply()
  t.ok(isByOthers())
  t.end()
})
