// Tests how long one namespace waits while another floods the example or never ends its runs, in virtual time
// and in writes.
import t, { type Test } from 'tap'
import { createApiServer } from '../apiserver/api-server.js'
import { register } from '../examples/sync-all-configmaps/register.js'
import { configMaps, namespaces } from '../sdk/engine/kube/builtin.js'
import { VirtualClock } from '../testing/clock/virtual-clock.js'
import { testPlugin } from '../testing/plugin/test-plugin.js'

/** The duration of a write on the host, in milliseconds. */
const writeMs = 50
/** The number of keys of one syncer that run at a time. */
const workers = 32
const flood = 2000
const merge = (body: object) => ({ type: 'merge', body }) as const

async function open(t: Test) {
  const clock = new VirtualClock()
  const [virtualServer, hostServer] = [await createApiServer({ clock }), await createApiServer({ clock })]
  const test = await testPlugin((plugin, ctx) => register(plugin, ctx, { excludeRootCa: true }), {
    clock,
    virtualServer,
    hostServer,
  })
  t.teardown(async () => {
    hostServer.faults.clear()
    await test.stop()
  })
  const { virtual, host } = test
  for (const name of ['noisy', 'quiet']) await virtual.create(namespaces, { metadata: { name } })
  const write = (namespace: string, name: string) =>
    virtual.create(configMaps, { metadata: { namespace, name }, data: { text: 'first' } })
  const edit = (namespace: string, name: string, text = 'second') =>
    virtual.patch(configMaps, { namespace, name }, merge({ data: { text } }))
  /** The texts of all copies of a namespace's objects. */
  const copies = async (namespace: string) => {
    const { items } = await host.listAll(configMaps, { namespace: test.targetNamespace })
    const own = items.filter(({ metadata }) => metadata.name?.endsWith(`-x-${namespace}-x-vc`))
    return own.map(({ data }) => data?.text)
  }
  /** The time until a condition holds, in steps of a tenth of a write. */
  const timeUntil = async (holds: () => Promise<boolean>) => {
    const startMs = clock.now()
    while (!(await holds())) {
      if (clock.now() - startMs > flood * writeMs) throw new Error('the condition did not become true')
      await clock.advance(writeMs / 10)
    }
    return clock.now() - startMs
  }
  return { clock, hostServer, settled: test.settled, write, edit, copies, timeUntil }
}

void t.test('while one namespace is flooded, a change in another is written without delay', async (t) => {
  const { clock, hostServer, settled, write, copies, timeUntil } = await open(t)
  const writes = hostServer.faults.add(
    { resource: 'configmaps', verb: 'create' },
    { type: 'delay', delayMs: writeMs },
  )
  await settled()
  for (let i = 0; i < flood; i++) await write('noisy', `cm-${i}`)
  await clock.advance(10 * writeMs)
  const done = (await copies('noisy')).length
  t.ok(done > 0 && done < flood / 2, `${done} of the flood are written`)

  const before = writes.matches
  await write('quiet', 'one')
  const tookMs = await timeUntil(async () => (await copies('quiet')).length === 1)
  t.ok(tookMs <= 2 * writeMs, `${tookMs} ms, of which its write took ${writeMs}`)
  const others = writes.matches - before - 1
  t.ok(others <= workers, `${others} writes of the flood started meanwhile`)

  await timeUntil(async () => writes.matches > flood)
  await clock.advance(10 * writeMs)
  t.equal((await copies('noisy')).length, flood)
  t.equal(writes.matches, flood + 1, 'no object of the flood is lost or created twice')
})

void t.test('while the writes of one namespace never end, another still gets workers', async (t) => {
  const { hostServer, settled, write, edit, copies, timeUntil } = await open(t)
  for (let i = 0; i < 2 * workers; i++) await write('noisy', `cm-${i}`)
  await write('quiet', 'one')
  await settled()
  const update = { resource: 'configmaps', verb: 'update' }
  const hanging = hostServer.faults.add(
    { ...update, name: /-x-noisy-x-/ },
    { type: 'delay', delayMs: Number.MAX_SAFE_INTEGER },
  )
  hostServer.faults.add({ ...update, name: /-x-quiet-x-/ }, { type: 'delay', delayMs: writeMs })
  for (let i = 0; i < 2 * workers; i++) await edit('noisy', `cm-${i}`)
  await settledTurns()
  t.equal(hanging.matches, (workers * 3) / 4, 'it gets at most three quarters of the workers')
  await edit('quiet', 'one')
  const tookMs = await timeUntil(async () => (await copies('quiet'))[0] === 'second')
  t.ok(tookMs <= 2 * writeMs, `${tookMs} ms, of which its write took ${writeMs}`)
  hanging.remove()
  await timeUntil(async () => (await copies('noisy')).every((text) => text === 'second'))
})

void t.test('a thousand changes of one object during a write need one more write', async (t) => {
  const { clock, hostServer, settled, write, edit, copies } = await open(t)
  await write('noisy', 'cm')
  await settled()
  const writes = hostServer.faults.add(
    { resource: 'configmaps', verb: 'update' },
    { type: 'delay', delayMs: writeMs },
  )
  for (let i = 0; i < 1000; i++) await edit('noisy', 'cm', `${i}`)
  await clock.advance(3 * writeMs)
  t.same(await copies('noisy'), ['999'])
  t.equal(writes.matches, 2)
})

/** Runs all work that needs no time. */
async function settledTurns(): Promise<void> {
  for (let turns = 0; turns < 100; turns++) await new Promise((resolve) => setImmediate(resolve))
}
