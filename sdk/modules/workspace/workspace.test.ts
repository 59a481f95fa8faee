import t from 'tap'
import { PermanentError } from '../../engine/kube/error.js'
import { modules } from '../kinds/module-kind.js'
import type { Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { moduleOf, startTimed, switchWorkspace, type TimedTest } from '../module/modules.fixture.js'

const dev = { namespace: 'default', name: 'dev' }
const hourMs = 3_600_000
const live = ({ client }: TimedTest): Promise<Workspace> => client.get(workspaces, dev)
const change = ({ client }: TimedTest, spec: object) =>
  client.patch(workspaces, dev, { type: 'merge', body: { spec } })
/** To sleep at 20:00 and to wake at 07:00. The clock begins at midnight. */
const nightly = { enabled: true, schedule: '0 20 * * *', wakeSchedule: '0 7 * * *' }

void t.test('a Workspace sleeps and wakes by its schedules, and by hand between them', async (t) => {
  const test = await startTimed(t)
  await test.client.create(modules, moduleOf())
  await change(test, { autoHibernation: nightly })
  await test.pass(19 * hourMs)
  t.match(await live(test), { spec: { hibernated: false }, status: { phase: 'ready' } })
  await test.pass(hourMs)
  t.match(await live(test), {
    spec: { hibernated: true },
    status: { phase: 'hibernated', lastScheduleTime: '2024-01-01T20:00:00.000Z' },
  })
  await switchWorkspace(test.client, false)
  await test.pass(2 * hourMs)
  t.match((await live(test)).status, { phase: 'ready' }, 'until the next time')
  await test.pass(22 * hourMs)
  t.match((await live(test)).status, { phase: 'hibernated' })
  await test.pass(11 * hourMs)
  t.match((await live(test)).status, { phase: 'ready' })
})

void t.test('schedules follow the clocks of their time zone, also when these change', async (t) => {
  const test = await startTimed(t)
  // From 1 January 2024 to the last days of winter.
  test.clock.jump(89 * 24 * hourMs)
  await test.pass(0)
  await change(test, { autoHibernation: { ...nightly, timeZone: 'Europe/Berlin' } })
  await test.pass(0)
  const switches: string[] = []
  const look = async () => {
    const { spec, status } = await live(test)
    const text = `${spec.hibernated ? 'asleep' : 'awake'} since ${status?.lastScheduleTime}`
    if (switches.at(-1) !== text) switches.push(text)
  }
  for (let hours = 0; hours < 60; hours += 5) {
    await test.pass(5 * hourMs)
    await look()
  }
  t.strictSame(switches.slice(1), [
    'awake since 2024-03-30T06:00:00.000Z',
    'asleep since 2024-03-30T19:00:00.000Z',
    // Summer time begins on 31 March at 01:00 UTC.
    'awake since 2024-03-31T05:00:00.000Z',
    'asleep since 2024-03-31T18:00:00.000Z',
    'awake since 2024-04-01T05:00:00.000Z',
  ])
})

void t.test('a schedule that is edited or switched off does not come due at its former times', async (t) => {
  const test = await startTimed(t)
  await change(test, { autoHibernation: nightly })
  await test.pass(19 * hourMs)
  await change(test, { autoHibernation: { ...nightly, schedule: '0 22 * * *' } })
  await test.pass(2 * hourMs)
  t.match(await live(test), { spec: { hibernated: false } }, 'the former time has passed')
  await test.pass(hourMs)
  t.match(await live(test), {
    spec: { hibernated: true },
    status: { lastScheduleTime: '2024-01-01T22:00:00.000Z' },
  })
  await change(test, { autoHibernation: { ...nightly, enabled: false } })
  await test.pass(30 * hourMs)
  const { spec, status, metadata } = await live(test)
  t.match(spec, { hibernated: true }, 'it is not waked any more')
  t.notOk(status?.lastScheduleTime)
  t.notOk(metadata.annotations?.['forkspacer.com/last-schedule-time'])
  await change(test, { autoHibernation: nightly })
  await test.pass(hourMs)
  t.match((await live(test)).spec, { hibernated: true }, 'times while it was switched off do not count')
})

void t.test('an edited schedule does not act on times before the edit', async (t) => {
  const test = await startTimed(t)
  await change(test, { autoHibernation: nightly })
  await test.pass(21 * hourMs)
  t.match((await live(test)).spec, { hibernated: true })
  await test.pass(11 * hourMs)
  t.match((await live(test)).spec, { hibernated: false }, '08:00, since 07:00')
  await test.pass(11 * hourMs)
  await change(test, { autoHibernation: { ...nightly, schedule: '30 18 * * *' } })
  await test.pass(2 * hourMs)
  t.match((await live(test)).spec, { hibernated: false }, '21:00: 18:30 was before the edit at 19:00')
  await change(test, { autoHibernation: { ...nightly, schedule: '61 18 * * *' } })
  await test.pass(hourMs)
  await change(test, { autoHibernation: { ...nightly, schedule: '30 18 * * *' } })
  await test.pass(hourMs)
  t.match((await live(test)).spec, { hibernated: false }, 'also after one that could not be read')
  await change(test, { autoHibernation: { ...nightly, schedule: '0 22 * * *', timeZone: 'Etc/GMT-2' } })
  await test.pass(hourMs)
  t.match((await live(test)).spec, { hibernated: false }, '22:00 there was at 20:00')
  await test.pass(21 * hourMs)
  t.match((await live(test)).spec, { hibernated: true }, '21:00 of the next day')
})

void t.test('a schedule that is new, or removed, does not switch at once', async (t) => {
  const test = await startTimed(t)
  await test.pass(22 * hourMs)
  await change(test, { autoHibernation: nightly })
  await test.pass(hourMs)
  t.match((await live(test)).spec, { hibernated: false }, 'it counts from now on')
  await change(test, { autoHibernation: null })
  await test.pass(48 * hourMs)
  const { spec, metadata } = await live(test)
  t.match(spec, { hibernated: false })
  t.notOk(metadata.annotations?.['forkspacer.com/last-schedule-time'])
})

void t.test('a schedule that is corrected counts at once', async (t) => {
  const test = await startTimed(t)
  const cases: [object, RegExp][] = [
    [{ timeZone: 'Europe/Nowhere' }, /time zone "Europe\/Nowhere" is not an IANA name/],
    [{ timeZone: 'UTC', schedule: '61 * * * *' }, /minute "61" must be between 0 and 59/],
  ]
  for (const [wrong, message] of cases) {
    await change(test, { autoHibernation: { ...nightly, ...wrong } })
    await test.pass(0)
    t.match((await live(test)).status, { phase: 'failed', message })
    await test.pass(hourMs)
  }
  await change(test, { autoHibernation: { ...nightly, timeZone: 'Africa/Cairo' } })
  await test.pass(0)
  t.match((await live(test)).status, { phase: 'ready', message: undefined })
})

void t.test('a time that a clock ahead has recorded does not stop the schedules', async (t) => {
  const test = await startTimed(t)
  await change(test, { autoHibernation: nightly })
  await test.pass(hourMs)
  const annotations = { 'forkspacer.com/last-schedule-time': '2024-03-01T20:00:00.000Z' }
  await test.client.patch(workspaces, dev, { type: 'merge', body: { metadata: { annotations } } })
  await test.pass(20 * hourMs)
  t.match(await live(test), {
    spec: { hibernated: true },
    status: { lastScheduleTime: '2024-01-01T20:00:00.000Z' },
  })
})

void t.test('after a downtime the newest time counts once', async (t) => {
  const test = await startTimed(t)
  await change(test, { autoHibernation: nightly })
  await test.pass(hourMs)
  await test.operator.stop()
  test.clock.jump(69 * hourMs)
  const next = await startTimed(t, { servers: { main: test.server }, clock: test.clock })
  await next.pass(0)
  t.match(await live(next), {
    spec: { hibernated: true },
    status: { lastScheduleTime: '2024-01-03T20:00:00.000Z' },
  })
})

void t.test('schedules and connections that cannot be used are refused with a sentence', async (t) => {
  const test = await startTimed(t)
  const cases: [object, RegExp][] = [
    [{ autoHibernation: { enabled: true, schedule: '0 0 30 2 *' } }, /never/],
    [{ autoHibernation: { enabled: true, schedule: '', wakeSchedule: '0 7 * * *' } }, /needs a schedule/],
    [{ connection: { type: 'kubeconfig' } }, /does not support the connection kubeconfig/],
    [{ connection: { type: 'virtual' } }, /the operator has no cluster virtual; it has main/],
    [{ type: 'managed' }, /the type managed is not supported/],
  ]
  for (const [at, [spec]] of cases.entries())
    await test.client.create(workspaces, { metadata: { ...dev, name: `wrong-${at}` }, spec } as never)
  await test.pass(0)
  for (const [at, [, message]] of cases.entries()) {
    const { status } = await test.client.get(workspaces, { ...dev, name: `wrong-${at}` })
    t.match(status, { phase: 'failed', ready: false, message })
  }
})

void t.test('a Workspace is hibernated only after its last Module sleeps', async (t) => {
  const test = await startTimed(t)
  for (const name of ['quick', 'slow']) await test.client.create(modules, moduleOf({}, { name }))
  await test.pass(0)
  let end = () => {}
  test.noting.behaviour.sleep = ({ metaData }) => {
    metaData.set('slept', true)
    const isLast = test.noting.texts.filter((text) => text.startsWith('sleep')).length === 2
    const goesOn = new Promise<void>((resolve) => {
      end = resolve
    })
    return isLast ? goesOn : undefined
  }
  await switchWorkspace(test.client, true)
  await test.pass(1_000)
  t.match((await live(test)).status, { phase: 'ready', modules: { total: 2, sleeped: 1 } })
  end()
  await test.pass(10)
  t.match((await live(test)).status, { phase: 'hibernated', ready: false, modules: { sleeped: 2 } })
})

void t.test('a failing Module is named and does not stop the others; deletion waits for all', async (t) => {
  const test = await startTimed(t)
  await test.client.create(modules, moduleOf({}, { name: 'good' }))
  await test.client.create(modules, moduleOf({ config: { fails: true } }, { name: 'bad' }))
  await test.pass(0)
  test.noting.behaviour.sleep = ({ config }) => {
    if (config.fails) throw new PermanentError('no luck')
  }
  await switchWorkspace(test.client, true)
  await test.pass(0)
  t.match((await live(test)).status, {
    phase: 'ready',
    message: 'failed: the Modules default/bad',
    modules: { total: 2, ready: 0, sleeped: 1, failed: 1 },
  })
  test.noting.behaviour = {
    uninstall: () => {
      throw new Error('still in use')
    },
  }
  await test.client.delete(workspaces, dev)
  await test.pass(0)
  t.match((await live(test)).status, {
    phase: 'terminating',
    message: 'waits for the Modules default/bad, default/good',
  })
  test.noting.behaviour = {}
  await test.pass(400_000)
  await t.rejects(live(test), { code: 404 })
})
