import t from 'tap'
import { modules } from '../kinds/module-kind.js'
import { moduleOf, startTimed, type TimedTest } from './modules.fixture.js'

const ready = async (test: TimedTest) =>
  (await test.live()).status?.conditions?.find(({ type }) => type === 'Ready')

void t.test('a check decides the condition Ready, at most once a minute', async (t) => {
  const test = await startTimed(t)
  const timesMs: number[] = []
  let isGood = true
  test.noting.behaviour.check = ({ ctx }) => {
    timesMs.push(test.clock.now())
    if (isGood) return true
    if (timesMs.length % 2 === 0) throw new Error(`not reachable in ${ctx.deadlineMs} ms`)
    return false
  }
  await test.client.create(modules, moduleOf())
  await test.pass(600_000)
  t.ok(timesMs.length >= 10 && timesMs.length <= 11, `${timesMs.length} checks in 10 minutes`)
  for (const [at, ms] of timesMs.slice(1).entries()) t.ok(ms - (timesMs[at] ?? 0) >= 60_000)
  t.match(await ready(test), { status: 'True', reason: 'Installed' })
  const { metadata } = await test.live()
  await test.pass(600_000)
  t.equal((await test.live()).metadata.resourceVersion, metadata.resourceVersion, 'nothing was written')

  isGood = false
  const conditions = []
  for (let minutes = 0; minutes < 2; minutes++) {
    await test.pass(60_000)
    conditions.push(await ready(test))
  }
  const reported = conditions.map((condition) => `${condition?.reason}: ${condition?.message}`).sort()
  t.match(reported, [
    'CheckError: not reachable in 30000 ms',
    'NotReady: the check of the manager says that it is not ready; to say why, let it throw an error',
  ])
  t.match((await test.live()).status, { phase: 'ready' })
  isGood = true
  await test.pass(60_000)
  t.match(await ready(test), { status: 'True', reason: 'Installed' })
  await test.change({ hibernated: true })
  await test.pass(10)
  const { length } = timesMs
  await test.pass(600_000)
  t.equal(timesMs.length, length, 'no check while it sleeps')
})

void t.test('a check that hangs is aborted by a sleep, and fails after 30 s', async (t) => {
  const test = await startTimed(t)
  let reason = ''
  test.noting.behaviour.check = ({ ctx }) =>
    new Promise((_, reject) =>
      ctx.signal.addEventListener('abort', () => {
        reason = String(ctx.signal.reason)
        reject(ctx.signal.reason)
      }),
    )
  await test.client.create(modules, moduleOf())
  while (!test.noting.texts.includes('check 1 first')) await test.clock.advance(1)
  await test.pass(40_000)
  t.match(reason, /longer than 30 s/)
  t.match(await ready(test), {
    status: 'False',
    reason: 'CheckError',
    message: /check took longer than 30 s/,
  })
  await test.pass(25_000)
  await test.change({ hibernated: true })
  await test.clock.advance(100)
  await test.pass(0)
  t.match(reason, /is to sleep/)
  t.match((await test.live()).status, { phase: 'sleeped' })
})
