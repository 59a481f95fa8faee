import t from 'tap'
import { configMaps, namespaces, secrets } from '../../engine/kube/builtin.js'
import { find } from '../helm/helm.fixture.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { startTimed, type TimedTest } from '../module/modules.fixture.js'
import {
  copied,
  copiedModule,
  copy,
  createFork,
  createSource,
  dataOfCopy,
  dev,
  migration,
  withData,
  writeSource,
} from './fork-data.fixture.js'

const base64 = (text: string) => Buffer.from(text).toString('base64')
const statusOf = async ({ client }: TimedTest, key = copy) => (await client.get(workspaces, key)).status
void t.test('a fork has the Secrets and ConfigMaps that the Modules of its source name', async (t) => {
  const calls: string[] = []
  const test = await startTimed(t, {
    modules: withData,
    wrap: (transport) => ({
      request: (request) => {
        if (/copy\/status|secrets|configmaps/.test(request.path) && request.method !== 'GET')
          calls.push(`${request.method} ${request.path}`)
        return transport.request(request)
      },
      stream: (request) => transport.stream(request),
      close: () => transport.close(),
    }),
  })
  await createSource(test.client)
  await test.pass(0)
  await writeSource(test.client)
  const before = [await find(test.client, secrets), await find(test.client, configMaps)]
  await createFork(test)
  await test.pass(0)
  t.strictSame(await dataOfCopy(test.client), copied)
  t.match(await statusOf(test), {
    phase: 'ready',
    ready: true,
    fork: {
      phase: 'done',
      modules: 1,
      data: [
        { module: 'shop', kind: 'Secret', from: 'default/web', to: /^default\/shop-/, phase: 'done' },
        { module: 'shop', kind: 'ConfigMap', from: 'default/web', to: /^default\/shop-/, phase: 'done' },
      ],
    },
  })
  t.equal((await statusOf(test))?.message, undefined)
  const made = await test.client.get(modules, { ...copy, name: copiedModule })
  t.match(made.status, { phase: 'ready' }, 'it slept during the copy, and is awake again')
  t.strictSame([await find(test.client, secrets), await find(test.client, configMaps)], before)
  const written = JSON.stringify(await statusOf(test))
  t.notOk(written.includes('theirs') || written.includes(base64('theirs')), 'no value is in the status')
  await writeSource(test.client)
  calls.length = 0
  await test.pass(600_000)
  t.strictSame(calls, [], 'it is copied once')
})

void t.test('the copy sleeps while its data is copied', async (t) => {
  const test = await startTimed(t, { modules: withData })
  await createSource(test.client)
  await test.pass(0)
  await test.client.delete(configMaps, { ...dev, name: 'web' })
  await createFork(test)
  await test.pass(0)
  const phaseOf = async () => (await test.client.get(modules, { ...copy, name: copiedModule })).status?.phase
  t.equal(await phaseOf(), 'sleeped')
  t.match(await statusOf(test), {
    message: 'copies data: 1 of 2 objects are left; ConfigMap default/web does not exist',
    fork: { phase: 'copying', data: [{ phase: 'done' }, { phase: 'waiting', attempt: 1 }] },
  })
  const labels = { 'forkspacer.com/module': 'another' }
  const metadata = { ...dev, name: 'web', labels }
  await test.client.create(configMaps, { metadata, data: { text: 'other' } })
  await test.pass(30_000)
  const message = /ConfigMap default\/web does not belong to the Module/
  t.match(await statusOf(test), { message })
  const { metadata: shop } = await test.live()
  const body = { metadata: { labels: { 'forkspacer.com/module': shop.uid } } }
  await test.client.patch(configMaps, { ...dev, name: 'web' }, { type: 'merge', body })
  await test.pass(300_000)
  t.match(await statusOf(test), { fork: { phase: 'done' } })
  t.match(await dataOfCopy(test.client), { configMap: { text: 'other' } })
  t.equal(await phaseOf(), 'ready')
})

void t.test('data does not wait for a time that a clock ahead has recorded', async (t) => {
  const test = await startTimed(t, { modules: withData })
  await createSource(test.client)
  await test.pass(0)
  const web = { ...dev, name: 'web' }
  const { metadata, data } = await test.client.get(configMaps, web)
  await test.client.delete(configMaps, web)
  await createFork(test)
  await test.pass(0)
  const { fork } = (await statusOf(test)) ?? {}
  const ahead = fork?.data?.map((one) =>
    one.nextAttemptAt ? { ...one, nextAttemptAt: '2024-03-01T00:00:00.000Z' } : one,
  )
  const body = { status: { fork: { ...fork, data: ahead } } }
  await test.client.patch(workspaces, copy, { type: 'merge', body, subresource: 'status' })
  await test.client.create(configMaps, { metadata: { ...web, labels: metadata.labels }, data } as never)
  await test.pass(60_000)
  t.match(await statusOf(test), { fork: { phase: 'done' } })
})

void t.test('only objects of the two Modules are read and written', async (t) => {
  const test = await startTimed(t, { modules: withData })
  const foreign = { metadata: { ...dev, name: 'foreign' }, data: { password: base64('not yours') } }
  await test.client.create(secrets, foreign)
  await createSource(test.client, { migration: { secret: { enabled: true, names: ['foreign'] } } })
  await test.pass(0)
  await createFork(test)
  await test.pass(0)
  const message = /Secret default\/foreign does not belong to the Module: its label/
  t.match(await statusOf(test), { fork: { phase: 'copying', data: [{ phase: 'waiting', message }] } })
  t.match(await test.client.get(secrets, foreign.metadata), { data: foreign.data })
})

void t.test('data is refused where it is not allowed', async (t) => {
  const test = await startTimed(t, { modules: { ...withData, forkData: undefined as never } })
  await createFork(test)
  await test.pass(0)
  t.match(await statusOf(test), {
    phase: 'failed',
    message: /migrateData is not supported here: set forkData/,
  })
  await test.operator.stop()
  const next = await startTimed(t, { servers: { main: test.server }, clock: test.clock, modules: withData })
  const pvc = { enabled: true, names: ['data-{{ .releaseName }}-0'] }
  await createSource(next.client, { migration: { ...migration, pvc } })
  await next.pass(0)
  await createFork(next, { ...copy, name: 'volumes' })
  await next.client.create(namespaces, { metadata: { name: 'other' } })
  await createFork(next, { namespace: 'other', name: 'copy' })
  await next.pass(0)
  t.match(await statusOf(next, { ...copy, name: 'volumes' }), {
    phase: 'failed',
    fork: undefined,
    message:
      /Module shop .* has the volume claim default\/data-web-0, and there is no image to copy volumes: set forkData.volumes/,
  })
  t.match(await statusOf(next, { namespace: 'other', name: 'copy' }), {
    message: /set forks to all-namespaces/,
  })
  const copies = await next.client.list(modules, { labelSelector: 'forkspacer.com/forked-from' })
  t.strictSame(copies.items, [], 'before a Module is copied')
})

void t.test('a migration that cannot be read is named', async (t) => {
  const test = await startTimed(t, { modules: withData })
  await createSource(test.client, { migration: { unknown: ['a'] } })
  await test.pass(0)
  await createFork(test)
  await test.pass(0)
  t.match(await statusOf(test), {
    phase: 'failed',
    message: /spec.helm.migration: unknown field: "unknown"/,
  })
})
