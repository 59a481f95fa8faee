import t from 'tap'
import { until } from '../../../test/until.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { PermanentError } from '../../engine/kube/error.js'
import { modules } from '../kinds/module-kind.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { annotate, events, moduleOf, shop, startTimed } from './modules.fixture.js'

void t.test(
  'an install that fails is tried again with backoff, is failed after three times, and heals',
  async (t) => {
    const test = await startTimed(t)
    const beganMs: number[] = []
    test.noting.behaviour.install = ({ metaData, ctx }) => {
      beganMs.push(test.clock.now())
      metaData.set(`try ${ctx.attempt}`, true)
      if (ctx.attempt <= 4) throw new Error(`no luck with ${ctx.attempt}`)
    }
    await test.client.create(modules, moduleOf())
    await test.pass(0)
    t.match((await test.live()).status, {
      phase: 'installing',
      message: 'no luck with 1',
      operation: { kind: 'install', attempt: 1, lastError: 'no luck with 1', reason: 'InstallError' },
      conditions: [
        { type: 'Ready' },
        { type: 'Progressing', status: 'True' },
        { type: 'Degraded', status: 'True' },
      ],
    })
    await test.pass(1_200)
    t.match((await test.live()).status, { phase: 'installing', operation: { attempt: 2 } })
    await test.pass(2_300)
    t.match((await test.live()).status, { phase: 'failed', operation: { attempt: 3 } })
    await test.pass(4_500)
    t.match((await test.live()).status, { phase: 'failed', operation: { attempt: 4 } })
    await test.pass(8_900)
    const healed = await test.live()
    t.match(healed.status, { phase: 'ready' })
    t.notOk(healed.status?.operation)
    t.notOk(healed.status?.message)
    t.strictSame(test.noting.texts.slice(1), [
      'install 2 retry',
      'install 3 retry',
      'install 4 retry',
      'install 5 retry',
    ])
    t.equal(new Set(test.noting.calls.map(({ ctx }) => ctx.operationId)).size, 1, 'one operation')
    const waits = beganMs.slice(1).map((ms, at) => ms - (beganMs[at] ?? 0))
    for (const [at, wait] of waits.entries())
      t.ok(wait >= 900 * 2 ** at && wait <= 1_100 * 2 ** at + 50, `wait ${at} of ${wait} ms`)
    const stored = JSON.parse(healed.metadata.annotations?.['forkspacer.com/manager-data'] ?? '')
    t.strictSame(Object.keys(stored), ['try 1', 'try 2', 'try 3', 'try 4', 'try 5'], 'of failed tries, too')
    t.ok((await test.reasons()).includes('InstallError'))
  },
)

/** A clock whose date is two months ahead until it is corrected. */
class ClockAhead extends VirtualClock {
  aheadMs = 60 * 86_400_000

  override date(): Date {
    return new Date(super.date().getTime() + this.aheadMs)
  }
}

void t.test('an attempt does not wait for a time that a clock ahead has recorded', async (t) => {
  const clock = new ClockAhead()
  const test = await startTimed(t, { clock })
  test.noting.behaviour.install = ({ ctx }) => {
    if (ctx.attempt === 1) throw new Error('no luck')
  }
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  t.match((await test.live()).status, { operation: { nextAttemptAt: /^2024-03-01/ } })
  clock.aheadMs = 0
  await test.pass(1_200)
  t.match((await test.live()).status, { phase: 'ready' })
})

void t.test('a permanent error waits for a change of the spec or of the annotation retry', async (t) => {
  const test = await startTimed(t)
  test.noting.behaviour.install = () => {
    throw new PermanentError('the size is wrong')
  }
  await test.client.create(modules, moduleOf())
  await test.pass(3_600_000)
  t.strictSame(test.noting.texts, ['install 1 first'])
  t.match((await test.live()).status, { phase: 'failed', message: 'the size is wrong' })
  await annotate(test, { 'forkspacer.com/retry': '1' })
  await test.pass(10)
  await test.change({ timeout: '1m' })
  await test.pass(10)
  t.strictSame(test.noting.texts.slice(1), ['install 2 changed', 'install 3 changed'])
})

void t.test('an uninstallation that fails keeps the Module until it heals', async (t) => {
  const test = await startTimed(t)
  let left = 4
  test.noting.behaviour.uninstall = () => {
    if (left-- > 0) throw new PermanentError('still in use')
  }
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  await test.client.delete(modules, shop)
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'uninstalling', message: 'still in use' })
  await test.pass(4_000)
  t.match((await test.live()).status, {
    phase: 'failed',
    operation: { kind: 'uninstall', attempt: 3 },
    message:
      /^still in use. It is tried again; the annotation forkspacer.com\/force-delete: "true" lets the Module go/,
  })
  await test.pass(20_000)
  await t.rejects(test.live(), { code: 404 })
  t.ok((await test.reasons()).includes('UninstallError'))
})

void t.test('the annotation force-delete lets a Module go, and names what is left', async (t) => {
  const test = await startTimed(t)
  test.noting.behaviour.uninstall = () => {
    throw new Error('still in use')
  }
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  await test.client.delete(modules, shop)
  await test.pass(0)
  await annotate(test, { 'forkspacer.com/force-delete': 'true' })
  await test.pass(0)
  await t.rejects(test.live(), { code: 404 })
  const { items } = await test.client.list(events)
  const abandoned = items.find(({ reason }) => reason === 'Abandoned')
  t.match(abandoned?.message, /ConfigMap default\/shop-installed/)
})

void t.test('a Module waits for its Workspace without a time limit', async (t) => {
  const test = await startTimed(t)
  await test.client.delete(workspaces, { namespace: 'default', name: 'dev' })
  await test.pass(0)
  await test.client.create(modules, moduleOf())
  await test.pass(600_000)
  t.match((await test.live()).status, {
    phase: 'installing',
    message: 'Workspace default/dev does not exist; create it',
    conditions: [{ type: 'Ready' }, { type: 'Progressing', status: 'True', reason: 'WorkspaceNotReady' }],
  })
  await test.client.create(workspaces, { metadata: { namespace: 'default', name: 'dev' }, spec: {} } as never)
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready' })
  t.strictSame(test.noting.texts, ['install 1 first'])
})

void t.test('a Module waits longer than five minutes for a Workspace that is not ready', async (t) => {
  const test = await startTimed(t)
  const fork = { namespace: 'default', name: 'fork' }
  const from = { namespace: 'default', name: 'source' }
  await test.client.create(workspaces, { metadata: fork, spec: { from } } as never)
  await test.client.create(modules, moduleOf({ workspace: fork, timeout: '1m' }))
  for (let minutes = 0; minutes < 20; minutes += 4) await test.pass(240_000)
  t.match((await test.live()).status, {
    phase: 'installing',
    message:
      'Workspace default/fork is not ready, and the Module is installed once it is; see why: kubectl describe workspace fork -n default',
    operation: undefined,
  })
  await test.client.create(workspaces, { metadata: from, spec: {} } as never)
  await test.pass(10)
  t.match((await test.live()).status, { phase: 'ready' })
  t.strictSame(test.noting.texts, ['install 1 first'], 'the wait counted as no attempt')
})

void t.test('a deletion aborts a call that hangs, and then uninstalls', async (t) => {
  const test = await startTimed(t)
  let reason = ''
  test.noting.behaviour.install = ({ ctx, metaData }) =>
    new Promise((_, reject) => {
      metaData.set('begun', true)
      ctx.signal.addEventListener('abort', () => {
        reason = String(ctx.signal.reason)
        reject(ctx.signal.reason)
      })
    })
  await test.client.create(modules, moduleOf())
  await test.clock.advance(100)
  t.strictSame(test.noting.texts, ['install 1 first'])
  let found = {}
  test.noting.behaviour.uninstall = ({ metaData }) => {
    found = metaData.toJSON()
  }
  await test.client.delete(modules, shop)
  await test.clock.advance(100)
  await test.pass(0)
  await t.rejects(test.live(), { code: 404 })
  t.match(reason, /is being deleted/)
  t.strictSame(found, { begun: true }, 'the metadata of the aborted call was stored')
})

void t.test(
  'a call that ignores its signal fails after its time limit, and the next one waits for its end',
  async (t) => {
    const test = await startTimed(t)
    let end = () => {}
    test.noting.behaviour.install = ({ ctx }) =>
      ctx.attempt === 1
        ? new Promise<void>((resolve) => {
            end = resolve
          })
        : undefined
    await test.client.create(modules, moduleOf({ timeout: '1m' }))
    await test.clock.advance(100)
    await test.clock.advance(60_000)
    await test.clock.advance(9_000)
    t.match((await test.live()).status, { phase: 'installing' })
    await test.clock.advance(2_000)
    await test.pass(0)
    t.match((await test.live()).status?.message, /goes on 10 s after its signal was aborted/)
    await test.pass(30_000)
    t.strictSame(test.noting.texts, ['install 1 first'], 'calls never overlap')
    end()
    await test.pass(11_000)
    t.strictSame(test.noting.texts, ['install 1 first', 'install 2 retry'])
    t.match((await test.live()).status, { phase: 'ready' })
  },
)

void t.test('a call has five minutes, or the time limit of its Module', async (t) => {
  const test = await startTimed(t)
  let aborts = 0
  test.noting.behaviour.install = ({ ctx }) =>
    new Promise((_, reject) =>
      ctx.signal.addEventListener('abort', () => {
        aborts++
        reject(ctx.signal.reason)
      }),
    )
  /** Waits in real time until a call has begun, which takes at most some milliseconds of the clock. */
  const hasBegun = (count: number) =>
    until(async () => {
      await test.clock.advance(10)
      return test.noting.calls.length === count
    })
  await test.client.create(modules, moduleOf())
  await hasBegun(1)
  await test.clock.advance(299_900)
  t.equal(aborts, 0)
  await test.clock.advance(200)
  await until(() => aborts === 1)
  const isSaid = async () =>
    (await test.live()).status?.message?.startsWith('install took longer than 300 s; ')
  await until(async () => (await isSaid()) === true)
  await test.change({ timeout: '90s' })
  await hasBegun(2)
  await test.clock.advance(89_900)
  t.equal(aborts, 1)
  await test.clock.advance(200)
  await until(() => aborts === 2)
  const limits = test.noting.calls.map(({ ctx }) => ctx.deadlineMs)
  t.strictSame(limits.slice(0, 2), [300_000, 90_000])
})

void t.test('a sleep that is not wanted any more is aborted and undone', async (t) => {
  const test = await startTimed(t)
  await test.client.create(modules, moduleOf())
  await test.pass(0)
  test.noting.behaviour.sleep = ({ ctx }) =>
    new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))
  await test.change({ hibernated: true })
  await test.pass(100)
  t.match((await test.live()).status, { phase: 'sleeping' })
  await test.change({ hibernated: false })
  await test.clock.advance(100)
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready' })
  t.strictSame(test.noting.texts, ['install 1 first', 'sleep 1 first', 'resume 1 first'])
})
