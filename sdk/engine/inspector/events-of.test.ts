import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Client } from '../client/client.js'
import { createClient } from '../client/create-client.js'
import { createEventRecorder } from '../client/event-recorder.js'
import { events, secrets } from '../kube/builtin.js'
import { ApiError } from '../kube/error.js'
import { silentLogger } from '../observe/logger.js'
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

void t.test('an Event of either group has its count, its last time and its reporter', async (t) => {
  const server = await createApiServer({ name: 'main' })
  const client = createClient({ transport: inProcessTransport(server) })
  const about = { kind: 'Backup', namespace: 'default', name: 'daily' }
  const clock = new VirtualClock(new Date('2026-01-01T00:00:00Z'))
  const recorder = createEventRecorder({ client, component: 'operator.backups', clock, logger: silentLogger })
  const object = { apiVersion: 'cache.my.domain/v1', kind: 'Backup', metadata: about }
  for (let times = 0; times < 3; times++) recorder.warning(object, 'Late', 'it is late')
  await clock.advance(30_000)
  await client.create(events, {
    metadata: { namespace: 'default', name: 'old' },
    involvedObject: about,
    type: 'Normal',
    reason: 'Old',
    message: 'as before',
    count: 2,
    lastTimestamp: '2026-01-01T00:00:05Z',
    source: { component: 'kubelet' },
  })
  const read = () => eventsOf({ client }, backups, { namespace: 'default', name: 'daily' })
  while ((await read()).events.at(0)?.count === 1) await new Promise((resolve) => setImmediate(resolve))
  const found = (await read()).events
  t.match(found, [
    { type: 'Warning', reason: 'Late', message: 'it is late', count: 3, from: 'operator.backups' },
    { type: 'Normal', reason: 'Old', message: 'as before', count: 2, from: 'kubelet' },
  ])
  t.same(
    found.map(({ atMs }) => atMs),
    [Date.parse('2026-01-01T00:00:00Z'), Date.parse('2026-01-01T00:00:05Z')],
  )
})
