import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { KeyAssignment } from '../../queue/key-assignment.js'
import type { WorkQueue } from '../../queue/work-queue.js'
import type { ReconcileResult } from '../reconcile-result.js'
import type { ResultHandler } from '../result-handler.js'
import { compose, type Middleware, type Run } from '../run.js'
import { UnhandledRejections } from '../unhandled-rejections.js'
import type { WaitForCaches } from '../wait-for-caches.js'
import { containRejections } from './contain-rejections.js'
import { onlyOwnShard } from './only-own-shard.js'
import { recordResult } from './record-result.js'
import { RunTimeoutError, timeLimit } from './time-limit.js'
import { whenCachesSynced } from './when-caches-synced.js'

const run: Run = { key: { namespace: 'default', name: 'greeting' }, signal: new AbortController().signal }
const again: ReconcileResult = { requeueAfterMs: 5 }

void t.test('middleware runs from the first of the list to reconcile, and back', async (t) => {
  const steps: string[] = []
  const layer =
    (name: string): Middleware =>
    (next) =>
    async (run) => {
      steps.push(`${name} before`)
      const result = await next(run)
      steps.push(`${name} after`)
      return result
    }
  const handler = compose([layer('outer'), layer('inner')], async () => {
    steps.push('reconcile')
    return again
  })
  t.same(await handler(run), again)
  t.same(steps, ['outer before', 'inner before', 'reconcile', 'inner after', 'outer after'])
})

void t.test('a key of another shard is forgotten, one of our own runs with its deadline', async (t) => {
  const forgotten: unknown[] = []
  const queue = { forget: (key: unknown) => forgotten.push(key) } as unknown as WorkQueue
  const assigned = (holds: boolean) =>
    ({
      holds: () => holds,
      run: (_key: unknown, work: (deadline: () => number) => Promise<unknown>) => work(() => 7),
    }) as unknown as KeyAssignment
  const seen: (number | undefined)[] = []
  const reconcile = async ({ deadline }: Run) => {
    seen.push(deadline?.())
    return undefined
  }
  await onlyOwnShard({ assignment: assigned(false), queue })(reconcile)(run)
  t.same([seen, forgotten], [[], [run.key]])
  await onlyOwnShard({ assignment: assigned(true), queue })(reconcile)(run)
  t.same([seen, forgotten.length], [[7], 1])
})

void t.test('the result of a run goes to its handler, an error as well', async (t) => {
  const ended: unknown[] = []
  const results = {
    record: async (_key: unknown, work: () => Promise<unknown>) => {
      ended.push(await work().catch((error: unknown) => error))
    },
  } as unknown as ResultHandler
  const failure = new Error('broken')
  t.equal(await recordResult(results)(async () => again)(run), undefined)
  await recordResult(results)(() => Promise.reject(failure))(run)
  t.same(ended, [again, failure])
})

void t.test('a rejection that a run did not await is assigned to its key', async (t) => {
  const rejected: unknown[] = []
  const results = { handleRejection: (...of: unknown[]) => rejected.push(of) } as unknown as ResultHandler
  const rejections = new UnhandledRejections()
  const listening = new AbortController()
  rejections.listen(listening.signal)
  t.teardown(() => listening.abort())
  const lost = new Error('lost')
  await containRejections(
    rejections,
    results,
  )(async () => {
    void Promise.reject(lost)
    return undefined
  })(run)
  await sleep(10)
  t.same(rejected, [[run.key, lost]])
})

void t.test('a run that takes too long is aborted, and its error says so', async (t) => {
  const clock = new VirtualClock()
  const untilAborted = ({ signal }: Run) =>
    new Promise<undefined>((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))))
  const late = t.rejects(timeLimit({ limitMs: 1000, clock })(untilAborted)(run), RunTimeoutError)
  await clock.advance(1000)
  await late
  t.same(await timeLimit({ limitMs: 1000, clock })(async () => again)(run), again)
  t.equal(clock.pending, 0, 'the timer of a run that ended is cancelled')
})

void t.test('no key runs while its caches cannot be used', async (t) => {
  let isWaiting = true
  const caches = { skips: () => isWaiting } as unknown as WaitForCaches
  const handler = whenCachesSynced(caches)(async () => again)
  t.equal(await handler(run), undefined)
  isWaiting = false
  t.same(await handler(run), again)
})
