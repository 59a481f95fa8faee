import t from 'tap'
import type { Client } from '../client/client.js'
import { secrets } from '../kube/builtin.js'
import { ApiError } from '../kube/error.js'
import { eventsOf } from './events-of.js'

const backups = {
  group: 'cache.my.domain',
  version: 'v1',
  kind: 'Backup',
  plural: 'backups',
  namespaced: true,
}
const failing = (code: number, message: string) => {
  const list = () => Promise.reject(new ApiError({ kind: 'Status', code, message }))
  return { client: { list } as unknown as Client }
}

void t.test('Events that the program may not list are a command', async (t) => {
  const cluster = failing(403, 'events is forbidden')
  const told = await eventsOf(cluster, backups, { namespace: 'shop', name: 'daily' })
  t.strictSame(told, {
    events: [],
    eventsError:
      'this program may not list Events. kubectl events -n shop --for Backup.cache.my.domain/daily shows them',
  })
  const { eventsError } = await eventsOf(cluster, secrets, { namespace: '', name: 'plain' })
  t.match(eventsError, 'kubectl events -n default --for Secret/plain')
})

void t.test('any other error is reported as it is', async (t) => {
  const told = await eventsOf(failing(500, 'etcd is slow'), backups, { namespace: 'shop', name: 'daily' })
  t.match(told, { events: [], eventsError: /etcd is slow/ })
})
