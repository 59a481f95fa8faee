// Tests that an upgrade applies only the objects that differ from what the release applied before.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { configMaps } from '../../engine/kube/builtin.js'
import type { Transport } from '../../engine/transport/transport.js'
import { create, edit, history, start } from './reconciled.fixture.js'

/** Notes the applies of ConfigMaps. */
const noting =
  (applied: string[]) =>
  (transport: Transport): Transport => ({
    request: (request) => {
      const [, name] = /^\/api\/v1\/namespaces\/default\/configmaps\/([^?]*)/.exec(request.path) ?? []
      if (request.method === 'PATCH' && name) applied.push(name)
      return transport.request(request)
    },
    stream: transport.stream.bind(transport),
    close: () => transport.close(),
  })

const patch = (fieldManager: string, body: object) => ({ type: 'merge', fieldManager, body }) as const
const named = (name: string) => ({ namespace: 'default', name })

void t.test('an upgrade applies the objects that it changes, and those that others changed', async (t) => {
  const applied: string[] = []
  const server = await createApiServer()
  const options = { driftDetection: 'off', reconcilePeriodMs: 0 } as const
  const test = await start(t, options, { servers: { main: server }, wrap: noting(applied) })
  const upgraded = async (spec: object) => {
    applied.length = 0
    await edit(test, { spec })
    await test.settled()
    return [...applied]
  }
  await create(test, { text: 'one', more: ['a', 'b', 'c'] })
  await test.settled()
  t.strictSame(applied, ['hello', 'hello-a', 'hello-b', 'hello-c'], 'the installation')
  t.strictSame(await upgraded({ text: 'two' }), ['hello'], 'the object that it changes')

  const annotations = { 'example.com/of': 'others' }
  await test.client.patch(configMaps, named('hello-a'), patch('other', { metadata: { annotations } }))
  t.strictSame(await upgraded({ text: 'three' }), ['hello'], 'a field of others')

  const label = 'app.kubernetes.io/managed-by'
  for (const value of ['other', 'Helm'])
    await test.client.patch(
      configMaps,
      named('hello-b'),
      patch('other', { metadata: { labels: { [label]: value } } }),
    )
  t.strictSame(await upgraded({ text: 'four' }), ['hello', 'hello-b'], 'a field that others own now')

  await test.client.delete(configMaps, named('hello-c'))
  t.strictSame(await upgraded({ text: 'five' }), ['hello', 'hello-c'], 'an object that is gone')

  t.strictSame(await upgraded({ text: 'five', more: ['a', 'b'] }), [], 'an object that leaves the chart')
  t.strictSame((await history(test)).at(-1), '6 deployed')
})

void t.test('a new process applies all objects', async (t) => {
  const server = await createApiServer()
  const first = await start(t, {}, { servers: { main: server } })
  await create(first, { text: 'one', more: ['a'] })
  await first.settled()
  await first.stop()
  const applied: string[] = []
  const second = await start(t, {}, { servers: { main: server }, definitions: [], wrap: noting(applied) })
  await edit(second, { spec: { text: 'two' } })
  await second.settled()
  t.strictSame(applied, ['hello', 'hello-a'])
})
