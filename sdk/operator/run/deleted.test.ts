import { Subject } from 'rxjs'
import t from 'tap'
import { configMaps } from '../../engine/kube/builtin.js'
import type { Key } from '../../engine/kube/key.js'
import { backup, backups, key } from '../backups.fixture.js'
import { byLabel, watch } from '../controller/watch.js'
import { recordedOperator } from '../recorded-operator.fixture.js'

void t.test(
  'deleted runs once for an object that is gone, and not for a key that never had one',
  async (t) => {
    const triggers$ = new Subject<Key>()
    const deleted: string[] = []
    const test = await recordedOperator(t, {
      triggers$,
      watches: [watch(configMaps, { keys: byLabel('backup') })],
      reconcile: () => {},
      deleted: (_ctx, { name }) => void deleted.push(name),
    })
    await test.client.create(backups, backup(1))
    await test.client.create(configMaps, {
      metadata: { ...key, name: 'settings', labels: { backup: 'never' } },
    })
    triggers$.next({ ...key, name: 'unknown' })
    await test.settled()
    t.same(deleted, [])
    await test.client.delete(backups, key)
    await test.settled()
    triggers$.next(key)
    await test.settled()
    t.same(deleted, ['daily'])
  },
)

void t.test('deleted runs again after it has failed, and after it has asked for more time', async (t) => {
  let runs = 0
  const test = await recordedOperator(t, {
    reconcile: () => {},
    deleted: () => {
      runs++
      if (runs === 1) throw new Error('the cloud is away')
      return runs === 2 ? { requeueAfterMs: 1 } : undefined
    },
  })
  await test.client.create(backups, backup(1))
  await test.settled()
  await test.client.delete(backups, key)
  await test.settled()
  while (runs < 3) await new Promise((resolve) => setImmediate(resolve))
  t.equal(runs, 3)
})
