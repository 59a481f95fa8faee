import t from 'tap'
import { PermanentError } from '../../../engine/kube/error.js'
import { modules } from '../../kinds/module-kind.js'
import { annotate, moduleOf, shop, startTimed, type TimedTest } from '../modules.fixture.js'

const schema = [
  { name: 'Size', alias: 'size', integer: { default: 1, max: 9 } },
  { name: 'Key', alias: 'key', string: { secret: true } },
]
const source = { raw: { kind: 'Noting', metadata: { name: 'noting', version: '1.0.0' }, config: schema } }

const frozenOf = async (test: TimedTest) =>
  JSON.parse((await test.live()).metadata.annotations?.['forkspacer.com/resource'] ?? '{}')
const degraded = async (test: TimedTest) =>
  (await test.live()).status?.conditions?.find(({ type }) => type === 'Degraded')

async function installed(t: Parameters<typeof startTimed>[0]): Promise<TimedTest> {
  const test = await startTimed(t)
  test.noting.behaviour.upgrade = ({ metaData, config }) => metaData.set('size', config.size)
  await test.client.create(modules, moduleOf({ source, config: { size: 2 } }))
  await test.pass(0)
  return test
}

void t.test('a change of the configuration is an upgrade, with the former configuration', async (t) => {
  const test = await installed(t)
  t.strictSame((await test.live()).status?.program?.methods, ['upgrade'])
  await test.change({ config: { size: 3 } })
  await test.pass(0)
  const upgraded = await test.live()
  t.match(upgraded.status, { phase: 'ready', conditions: [{ status: 'True' }, {}, { status: 'False' }] })
  t.notOk(upgraded.status?.operation)
  t.strictSame(test.noting.texts, ['install 1 first', 'upgrade 1 first'])
  const [, call] = test.noting.calls
  t.strictSame(
    [call?.before, call?.config],
    [
      { size: 2, key: '' },
      { size: 3, key: '' },
    ],
  )
  t.match(JSON.parse(upgraded.metadata.annotations?.['forkspacer.com/manager-data'] ?? ''), { size: 3 })
  t.match(await frozenOf(test), { values: { size: 3 } })
  t.ok((await test.reasons()).includes('Upgraded'))
  await test.client.delete(modules, shop)
  await test.pass(0)
  t.strictSame(test.noting.calls.at(-1)?.config, { size: 3, key: '' }, 'uninstalled as it was upgraded')
})

void t.test(
  'an upgrade that fails is tried again; the definition changes after it has succeeded',
  async (t) => {
    const test = await installed(t)
    test.noting.behaviour.upgrade = ({ ctx }) => {
      if (ctx.attempt < 4) throw new Error('no luck')
    }
    await test.change({ config: { size: 3 } })
    await test.pass(0)
    t.match((await test.live()).status, {
      phase: 'installing',
      message: 'no luck',
      operation: { kind: 'upgrade', attempt: 1, reason: 'UpgradeError' },
    })
    t.match(await frozenOf(test), { values: { size: 2 } })
    await test.pass(3_600)
    t.match((await test.live()).status, { phase: 'failed', operation: { attempt: 3 } })
    await test.pass(10_000)
    t.match((await test.live()).status, { phase: 'ready' })
    t.match(await frozenOf(test), { values: { size: 3 } })
    const ids = test.noting.calls.slice(1).map(({ ctx }) => ctx.operationId)
    t.strictSame([ids.length, new Set(ids).size], [4, 1], 'one operation')
  },
)

void t.test('another change during an upgrade is another operation, also the change back', async (t) => {
  const test = await installed(t)
  test.noting.behaviour.upgrade = ({ ctx, config }) =>
    config.size === 3 &&
    new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))
  await test.change({ config: { size: 3 } })
  await test.pass(100)
  await test.change({ config: { size: 2 } })
  await test.clock.advance(100)
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready' })
  t.strictSame(test.noting.texts, ['install 1 first', 'upgrade 1 first', 'upgrade 1 first'])
  const [, first, second] = test.noting.calls
  t.not(first?.ctx.operationId, second?.ctx.operationId)
  t.match(String(first?.ctx.signal.reason), /changed again/)
  t.strictSame(
    [second?.before, second?.config],
    [
      { size: 2, key: '' },
      { size: 2, key: '' },
    ],
  )
})

void t.test('a change that cannot be carried out leaves the Module ready', async (t) => {
  const test = await installed(t)
  await test.change({ config: { size: 10 } })
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready', message: /config.size/ })
  t.match(await degraded(test), { status: 'True', reason: 'InvalidConfig' })
  await test.change({ source: { raw: { kind: 'Other' } }, config: { size: 2 } })
  await test.pass(0)
  t.match(await degraded(test), { status: 'True', message: /the kind Noting .* cannot change to Other/ })
  await test.change({ source, config: { size: 2 } })
  await test.pass(0)
  t.match(await degraded(test), { status: 'False' })
  delete test.noting.behaviour.upgrade
  await test.change({ config: { size: 4 } })
  await test.pass(0)
  t.match(await degraded(test), { status: 'True', reason: 'Immutable' })
  t.strictSame(test.noting.texts, ['install 1 first'])
})

void t.test('a Module that sleeps is upgraded when it has woken', async (t) => {
  const test = await installed(t)
  await test.change({ hibernated: true })
  await test.pass(0)
  await test.change({ config: { size: 3 } })
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'sleeped', message: /after it has woken/ })
  t.match(await degraded(test), { status: 'False' })
  await test.change({ hibernated: false })
  await test.pass(0)
  t.match((await test.live()).status, { phase: 'ready' })
  const kinds = test.noting.calls.map(({ kind }) => kind)
  t.strictSame(kinds, ['install', 'sleep', 'resume', 'upgrade'])
})

void t.test('a permanent error of an upgrade waits for a change, and hides secrets', async (t) => {
  const test = await installed(t)
  test.noting.behaviour.upgrade = ({ config }) => {
    throw new PermanentError(`cannot use ${config.key} with ${config.size}`)
  }
  await test.change({ config: { size: 3, key: 'hunter22' } })
  await test.pass(3_600_000)
  t.match((await test.live()).status, { phase: 'failed', message: 'cannot use [secret] with 3' })
  t.equal(test.noting.calls.length, 2)
  await annotate(test, { 'forkspacer.com/retry': '1' })
  await test.pass(0)
  t.strictSame(test.noting.texts.slice(1), ['upgrade 1 first', 'upgrade 2 changed'])
})
