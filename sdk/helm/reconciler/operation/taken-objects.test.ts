// Tests that objects of others that a release takes over, and does not keep, stay: sequences of several operations.
import t, { type Test } from 'tap'
import type { TestOperator } from '../../../../testing/index.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { ApiError } from '../../../engine/kube/error.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { functionChart } from '../../chart/function-chart.js'
import { ReleaseStore } from '../../release/release-store.js'
import { configMap, greetings, key } from '../greetings.fixture.js'
import { end, job, jobs } from '../hooked.fixture.js'
import { create, edit, find, statusOf, until } from '../reconciled.fixture.js'
import { deployed, failed, makeExisting, started, superseded } from './failing-releases.fixture.js'

/** A chart with the ConfigMaps that the values name, with a hook before them, and with an object that is refused. */
const chart = functionChart({ name: 'taking', version: '1.0.0' }, ({ more, bad, slow }, { name }) => [
  ...(more as string[]).map((one) => configMap(`${name}-${one}`, {})),
  ...(slow ? [job('slow', { events: 'pre-install,pre-upgrade' })] : []),
  ...(bad ? [configMap('z', { 'no key': String(bad) })] : []),
])

const startTaking = (
  t: Test,
  options: Parameters<typeof started>[1] = {},
  more: Parameters<typeof started>[2] = {},
) => started(t, { chart, takeOwnership: true, ...options }, more)

/** A user makes an object without the label of Helm. Returns its UID. */
const makeForeign = async ({ client }: TestOperator, name: string) =>
  (await client.create(configMaps, { metadata: { namespace: 'default', name } })).metadata.uid

const uidOf = async (test: TestOperator, name: string) => (await find(test, configMaps, name))?.metadata.uid

void t.test('an object that an older revision had, and a user makes again, stays', async (t) => {
  const { test, reach } = await startTaking(t)
  await create(test, { more: ['a', 'b'] })
  await reach(deployed)
  await edit(test, { spec: { more: ['a'] } })
  await reach(superseded, deployed)
  const uid = await makeForeign(test, 'hello-b')
  await edit(test, { spec: { more: ['a', 'b'], bad: true } })
  await reach(superseded, superseded, failed, deployed)
  t.equal(await uidOf(test, 'hello-b'), uid, 'when the upgrade is rolled back')
  await test.client.delete(greetings, key)
  await reach()
  t.strictSame([await uidOf(test, 'hello-a'), await uidOf(test, 'hello-b')], [undefined, uid])
})

void t.test('an object that a deleted installation had, and a user makes again, stays', async (t) => {
  const { test, reach, pass } = await startTaking(t, { onFailure: 'uninstall' })
  await create(test, { more: ['a', 'b'], bad: true })
  await reach(failed)
  await pass(5_000)
  t.equal(await uidOf(test, 'hello-b'), undefined)
  const uid = await makeExisting(test, 'hello-b')
  await edit(test, { spec: { more: ['a'], bad: false } })
  await reach(failed, deployed)
  t.equal(await uidOf(test, 'hello-b'), uid)
})

void t.test('so does one of a release that helm uninstalled with its history', async (t) => {
  const selector = { matchLabels: { managed: 'yes' } }
  const { test, reach, pass } = await startTaking(t, { onFailure: 'uninstall', selector })
  const label = (managed: string | null) => edit(test, { metadata: { labels: { managed } } })
  await create(test, { more: ['a'] })
  await label('yes')
  await reach(deployed)
  await edit(test, { spec: { more: ['a', 'c'] } })
  await reach(superseded, deployed)
  await label(null)
  await pass(1_000)
  const store = new ReleaseStore(test.client, Date.now)
  const [, last] = await store.revisions('default', 'hello')
  if (!last) throw new Error('there is no second revision')
  const info = { ...last.release.info, status: 'uninstalled' } as const
  await store.update({ ...last, release: { ...last.release, info } })
  await test.client.delete(configMaps, { namespace: 'default', name: 'hello-a' })
  const uid = await makeForeign(test, 'hello-a')
  await edit(test, { spec: { more: ['a'], bad: true } })
  await label('yes')
  await reach(superseded, /uninstalled/, failed)
  await pass(5_000)
  t.equal(await uidOf(test, 'hello-a'), uid)
})

void t.test('so does one that a user makes while a hook runs', async (t) => {
  const { test, reach, pass } = await startTaking(t, { onFailure: 'uninstall' })
  await create(test, { more: ['a', 'b'], bad: true, slow: true })
  await until(async () => (await find(test, jobs, 'slow')) !== undefined)
  const uid = await makeForeign(test, 'hello-b')
  await end(test, 'slow', 'Complete')
  await reach(failed)
  await pass(5_000)
  t.strictSame([await uidOf(test, 'hello-a'), await uidOf(test, 'hello-b')], [undefined, uid])
})

void t.test(
  'an object that a release gave back with the policy keep stays when the policy goes',
  async (t) => {
    const keeping = functionChart({ name: 'keeping', version: '1.0.0' }, ({ b, bad }, { name }) => [
      configMap(`${name}-a`, {}),
      ...(b ? [configMap(`${name}-b`, {}, b === 'kept' ? { 'helm.sh/resource-policy': 'keep' } : {})] : []),
      ...(bad ? [configMap('z', { 'no key': String(bad) })] : []),
    ])
    const { test, reach } = await startTaking(t, { chart: keeping })
    await create(test)
    await reach(deployed)
    const uid = await makeForeign(test, 'hello-b')
    await edit(test, { spec: { b: 'kept', bad: 'one' } })
    await reach(superseded, failed, deployed)
    await edit(test, { spec: { b: 'deletable', bad: 'two' } })
    await reach(superseded, failed, superseded, failed, deployed)
    t.equal(await uidOf(test, 'hello-b'), uid)
  },
)

void t.test('one that a user makes between the look and the write stays', async (t) => {
  let make = async () => {}
  const wrap = (transport: Transport): Transport => ({
    close: () => transport.close(),
    request: async (request) => {
      const isWrite = request.method === 'PATCH' && request.path.includes('/configmaps/hello-b?')
      if (isWrite) await make()
      return transport.request(request)
    },
    stream: (request) => transport.stream(request),
  })
  const { test, reach } = await startTaking(t, {}, { wrap })
  await create(test, { more: ['a'] })
  await reach(deployed)
  let uid: string | undefined
  make = async () => {
    make = async () => {}
    uid = await makeForeign(test, 'hello-b')
  }
  await edit(test, { spec: { more: ['a', 'b', 'c'], bad: true } })
  await reach(superseded, failed, deployed)
  t.strictSame([await uidOf(test, 'hello-b'), await uidOf(test, 'hello-c')], [uid, undefined])
})

for (const code of [403, 422])
  void t.test(
    `one that cannot be changed (${code}) holds up the end, and not the other deletions`,
    async (t) => {
      let isRefused = false
      const refusal = new ApiError({ code, ...(code === 403 && { reason: 'Forbidden' }), message: 'no' })
      const wrap = (transport: Transport): Transport => ({
        close: () => transport.close(),
        request: async (request) => {
          if (isRefused && request.method === 'PATCH' && request.path.includes('/configmaps/hello-b?'))
            throw refusal
          return transport.request(request)
        },
        stream: (request) => transport.stream(request),
      })
      const { test, reach, pass } = await startTaking(t, { onFailure: 'retry' }, { wrap })
      const uid = await makeForeign(test, 'hello-b')
      await create(test, { more: ['a', 'b'], bad: true })
      await reach(failed)
      isRefused = true
      await test.client.delete(greetings, key)
      await until(async () => (await uidOf(test, 'hello-a')) === undefined)
      await until(async () =>
        /ConfigMap default\/hello-b \(v1\): no/.test(JSON.stringify(await statusOf(test))),
      )
      isRefused = false
      await pass(60_000)
      await reach()
      t.equal(await uidOf(test, 'hello-b'), uid)
    },
  )
