// Tests how a second delete of an object changes its deletion.
import t, { type Test } from 'tap'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { createApiServer } from '../api-server.js'

const start = new Date('2030-01-01T00:00:00Z')
const hold = 'x.example/hold'

async function opened(t: Test) {
  const clock = new VirtualClock(start)
  const server = await createApiServer({ clock, controllers: false })
  t.teardown(() => server.close())
  const send = async (method: string, path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const request = { method, path: `/api/v1/namespaces/default/${path}`, headers }
    const answer = await server.handle({ ...request, body: JSON.stringify(body) })
    const object = parseJson(answer.body as Uint8Array) as KubeObject
    return { status: answer.status, kind: object.kind, metadata: object.metadata }
  }
  const make = (plural: string, body: object) => send('POST', plural, body)
  const remove = (path: string, options: object) => send('DELETE', path, options)
  return { clock, make, remove }
}

const deletedAt = (second: number, deletionGracePeriodSeconds: number) => ({
  status: 200,
  metadata: {
    deletionTimestamp: `2030-01-01T00:00:${String(second).padStart(2, '0')}Z`,
    deletionGracePeriodSeconds,
  },
})

void t.test('a second delete adds a finalizer, and keeps the time of the first', async (t) => {
  const { clock, make, remove } = await opened(t)
  await make('configmaps', { metadata: { name: 'a', finalizers: [hold] } })
  t.match(await remove('configmaps/a', {}), deletedAt(0, 0))
  await clock.advance(20_500)
  const second = await remove('configmaps/a', { propagationPolicy: 'Foreground' })
  t.match(second, deletedAt(0, 0))
  t.strictSame(second.metadata.finalizers, [hold, 'foregroundDeletion'])
})

const pod = (...finalizers: string[]) => ({
  metadata: { name: 'a', finalizers },
  spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] },
})

void t.test('a shorter grace period counts from the first delete', async (t) => {
  const { clock, make, remove } = await opened(t)
  await make('pods', pod())
  t.match(await remove('pods/a', { gracePeriodSeconds: 30 }), deletedAt(30, 30))
  await clock.advance(10_250)
  t.match(await remove('pods/a', { gracePeriodSeconds: 40 }), deletedAt(30, 30), 'a longer one is ignored')
  t.match(await remove('pods/a', { gracePeriodSeconds: 20 }), deletedAt(20, 20))
  await clock.advance(1000)
  t.match(await remove('pods/a', { gracePeriodSeconds: 5 }), deletedAt(11, 1), 'it is over: one second')
  t.match(await remove('pods/a', { gracePeriodSeconds: 5 }), deletedAt(11, 1))
})

void t.test('a grace period of zero ends a pod that finalizers keep', async (t) => {
  const { clock, make, remove } = await opened(t)
  await make('pods', pod(hold))
  t.match(await remove('pods/a', { gracePeriodSeconds: 30 }), deletedAt(30, 30))
  await clock.advance(2000)
  t.match(await remove('pods/a', { gracePeriodSeconds: 0 }), deletedAt(2, 0))
  await clock.advance(2000)
  const orphaning = await remove('pods/a', { propagationPolicy: 'Orphan' })
  t.match(orphaning, deletedAt(2, 0), 'the time stays')
  t.strictSame(orphaning.metadata.finalizers, [hold, 'orphan'])
})

void t.test('a grace period beyond all times is counted as Go counts it', async (t) => {
  const { make, remove } = await opened(t)
  await make('pods', pod())
  const answer = await remove('pods/a', { gracePeriodSeconds: 9_000_000_000_000_000 })
  t.match(answer, { status: 200, metadata: { deletionGracePeriodSeconds: 9_000_000_000_000_000 } })
})
