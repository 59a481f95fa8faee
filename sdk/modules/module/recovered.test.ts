// A process is killed during each operation: the next one repeats the same operation, with the metadata of the last
// checkpoint.
import t from 'tap'
import { until } from '../../../test/until.js'
import { modules } from '../kinds/module-kind.js'
import type { OperationKind } from '../manager/manager.js'
import { moduleOf, type NotedCall, shop, startTimed, type TimedTest } from './modules.fixture.js'

/** Changes that lead to each operation. */
const begin: Partial<Record<OperationKind, (test: TimedTest) => Promise<unknown>>> = {
  install: ({ client }) => client.create(modules, moduleOf()),
  sleep: ({ change }) => change({ hibernated: true }),
  resume: ({ change }) => change({ hibernated: false }),
  uninstall: ({ client }) => client.delete(modules, shop),
}
const before: Partial<Record<OperationKind, readonly OperationKind[]>> = {
  sleep: ['install'],
  resume: ['install', 'sleep'],
  uninstall: ['install'],
}

for (const [kind, start] of Object.entries(begin))
  void t.test(`an operation ${kind} is repeated by the next process`, async (t) => {
    let isKilled = false
    const test = await startTimed(t, {
      wrap: (transport) => ({
        request: (request) => (isKilled ? Promise.reject(new Error('killed')) : transport.request(request)),
        stream: (request) => transport.stream(request),
        close: () => transport.close(),
      }),
    })
    for (const earlier of before[kind as OperationKind] ?? []) {
      await begin[earlier]?.(test)
      await test.pass(10)
    }
    let isSaved = false
    test.noting.behaviour[kind as OperationKind] = async ({ metaData, ctx }: NotedCall) => {
      metaData.set('checkpoint', 1)
      await metaData.save()
      isSaved = true
      metaData.set('later', 2)
      await new Promise((_, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason)))
    }
    await start(test)
    await until(async () => {
      await test.clock.advance(10)
      return isSaved
    })
    const broken = test.noting.calls.at(-1)
    t.match(broken, { kind, ctx: { attempt: 1, reason: 'first' } })
    isKilled = true
    await test.operator.stop()
    const next = await startTimed(t, { servers: { main: test.server }, clock: test.clock })
    await next.pass(10)
    const [repeated, ...more] = next.noting.calls
    t.match(repeated, { kind, ctx: { reason: 'crash', operationId: broken?.ctx.operationId } })
    t.strictSame(more, [], 'it is repeated once')
    t.equal(repeated?.metaData.get('checkpoint'), 1)
    t.notOk(repeated?.metaData.has('later'), 'what was not saved is lost')
    t.ok((await next.reasons()).includes('Recovered'))
  })
