import { Subject } from 'rxjs'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps } from '../kube/builtin.js'
import { formatKey, type Key } from '../kube/key.js'
import { noEvents } from '../observe/event-recorder.js'
import { silentLogger } from '../observe/logger.js'
import { noMetrics } from '../observe/metrics.js'
import { StoreWriter } from '../store/store-writer.js'
import type { Controller } from './controller.js'
import { RequiredCaches } from './required-caches.js'
import { runController } from './run-controller.js'
import type { RunEnd } from './run-end.js'
import { WaitForCaches } from './wait-for-caches.js'

const gone: Key = { namespace: 'default', name: 'gone' }

void t.test(
  'a key that is skipped while a kind is not served runs later, though no cache knows it',
  async (t) => {
    const clock = new VirtualClock()
    const writer = new StoreWriter()
    const list = () => {
      for (const event of [{ type: 'listStarted' }, { type: 'listDone', resourceVersion: '1' }] as const)
        writer.apply(event)
    }
    const triggers$ = new Subject<Key>()
    const runs: string[] = []
    const controller: Controller = {
      name: 'backups',
      resource: configMaps,
      runLimitMs: 300_000,
      caches: new RequiredCaches(() => [writer.store]),
      triggers$: () => triggers$,
      knownKeys: () => [],
      eventTarget: () => undefined,
      reconcile: async ({ key }) => {
        runs.push(formatKey(key))
        return undefined
      },
    }
    const [stop, abort] = [new AbortController(), new AbortController()]
    const ends: string[] = []
    const onRunEnd = ({ result }: RunEnd) => void ends.push(result)
    const options = { clock, metrics: noMetrics, logger: silentLogger, events: noEvents, onRunEnd }
    list()
    const running = runController(controller, { ...options, stop: stop.signal, abort: abort.signal })
    await clock.advance(1)
    writer.apply({ type: 'unserved' })
    triggers$.next(gone)
    await clock.advance(1)
    t.same(runs, [], 'its caches may be old')
    t.same(ends, [], 'a run that is skipped did not succeed')
    list()
    await clock.advance(1)
    t.same(runs, ['default/gone'])
    list()
    await clock.advance(1)
    t.equal(runs.length, 1, 'it runs once')
    stop.abort()
    abort.abort()
    await running.ended
  },
)

void t.test('of very many skipped keys the oldest are forgotten', async (t) => {
  let becomeUsable = () => {}
  const usable = new Promise<void>((resolve) => {
    becomeUsable = resolve
  })
  const stop = new AbortController().signal
  const skipped: Key[] = []
  const caches = { usable: false, whenUsable: () => usable } as unknown as RequiredCaches
  const onUsable = (keys: Iterable<Key>) => {
    for (const key of keys) skipped.push(key)
  }
  const waiting = new WaitForCaches({ caches, stop, onUsable })
  for (let at = 0; at < 100_002; at++) waiting.skips({ namespace: 'default', name: `k${at}` })
  becomeUsable()
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(skipped.length, 100_000)
  t.same(skipped[0], { namespace: 'default', name: 'k2' })
})
