// Tests code around the operations of a release.
import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import { greetings, key } from '../greetings.fixture.js'
import { conditionOf, create, edit, eventsOf, find, history, start } from '../reconciled.fixture.js'

void t.test('hooks run in their order, and what they change counts', async (t) => {
  const seen: unknown[] = []
  const test = await start(t, {
    preHooks: [
      ({ values, resource }) => {
        seen.push(`first ${resource.metadata.name}`)
        values.text = 'hooked'
      },
      { run: ({ values }) => void seen.push(`second ${String(values.text)}`) },
    ],
    postHooks: [
      ({ release, values, ctx }) => {
        seen.push([release.name, release.revision, release.chart.name, values.text])
        ctx.status.version = release.chart.appVersion
      },
    ],
  })
  await create(test, { text: 'one' })
  await test.settled()
  t.match(await find(test, configMaps), { data: { text: 'hooked' } })
  t.strictSame(seen.slice(0, 3), ['first hello', 'second hooked', ['hello', 1, 'greeter', 'hooked']])
  t.match(await find(test, greetings), { status: { version: '2.0' }, spec: { text: 'one' } })
  t.strictSame(await history(test), ['1 deployed'], 'the same values are in step')
})

void t.test('an error ends the run, unless the hook says to go on', async (t) => {
  let calls = 0
  let written: unknown
  let reported: unknown
  const failing = async () => {
    written = await history(test)
    reported = await conditionOf(test, 'ReleaseFailed')
    if (++calls <= 3) throw new Error('no quota')
  }
  const test = await start(t, {
    preHooks: [{ run: () => Promise.reject(new Error('not now')), onError: 'continue' }, failing],
  })
  await create(test, { text: 'one' })
  await test.settled()
  t.strictSame(written, [], 'nothing was written while it failed')
  t.match(reported, { status: 'True', reason: 'HookError', message: 'preHooks[1] failed: no quota' })
  t.ok((await eventsOf(test, 'HookFailed')).some((one) => one.includes('preHooks[0] failed: not now')))
  t.equal(calls, 4)
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test('a hook can wait', async (t) => {
  let isKnown = false
  const test = await start(t, {
    preHooks: [() => (isKnown ? undefined : { requeueAfterMs: 3_600_000 }), () => void t.ok(isKnown)],
  })
  await create(test)
  await test.settled()
  t.strictSame(await history(test), [])
  isKnown = true
  await edit(test, { metadata: { labels: { try: 'again' } } })
  await test.settled()
  t.strictSame(await history(test), ['1 deployed'])
})

void t.test('a hook that runs is aborted when the program stops', async (t) => {
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  let reason: unknown
  const clock = new VirtualClock()
  const options: Parameters<typeof start>[1] = {
    preHooks: [
      ({ ctx: { signal } }) =>
        new Promise((_, reject) => {
          begun()
          signal.addEventListener('abort', () => {
            reason = signal.reason
            reject(signal.reason)
          })
        }),
    ],
  }
  const servers = { main: await createApiServer({ clock }) }
  const test = await start(t, options, { clock, servers })
  await create(test)
  await isBegun
  const stopped = test.stop()
  await clock.advance(60_000)
  await stopped
  t.ok(reason, 'its signal')
  t.strictSame(await history(test), [])
  t.strictSame(await eventsOf(test, 'HookFailed'), [], 'the hook did not fail')
})

void t.test('hooks run before and after a release is uninstalled', async (t) => {
  const seen: unknown[] = []
  const test = await start(t, {
    preUninstallHooks: [async () => void seen.push('before', (await find(test, configMaps))?.data)],
    postUninstallHooks: [
      async () => void seen.push('after', await find(test, configMaps), await history(test)),
    ],
  })
  await create(test, { text: 'one' })
  await test.settled()
  await test.client.delete(greetings, key)
  await test.settled()
  t.strictSame(seen, ['before', { text: 'one' }, 'after', undefined, []])
  t.equal(await find(test, greetings), undefined)
})
