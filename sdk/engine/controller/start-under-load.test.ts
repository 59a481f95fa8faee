import { Subject } from 'rxjs'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { configMaps } from '../kube/builtin.js'
import { formatKey, type Key } from '../kube/key.js'
import { noEvents } from '../observe/event-recorder.js'
import { silentLogger } from '../observe/logger.js'
import { noMetrics } from '../observe/metrics.js'
import { StoreWriter } from '../store/store-writer.js'
import { sleep } from '../time/clock.js'
import type { Controller } from './controller.js'
import { RequiredCaches } from './required-caches.js'
import { runController } from './run-controller.js'

const startKeys = 20_000
const tickMs = 20
const changesPerTick = 20

/** When each key was triggered first, and when it ran first. */
interface Served {
  triggeredMs: number
  ranMs?: number
}

/** The caches of a controller, which hold their first list. */
function fullCaches(): RequiredCaches {
  const writer = new StoreWriter()
  for (const event of [{ type: 'listStarted' }, { type: 'listDone', resourceVersion: '1' }] as const)
    writer.apply(event)
  return new RequiredCaches(() => [writer.store])
}

/** Runs a controller whose runs take 20 ms, with all keys of a start and a steady stream of changes. */
async function serve() {
  const clock = new VirtualClock()
  const served = new Map<string, Served>()
  const triggers$ = new Subject<Key>()
  const keyOf = (name: string, n: number): Key => ({ namespace: `tenant-${n % 50}`, name: `${name}-${n}` })
  const trigger = (key: Key) => void served.set(formatKey(key), { triggeredMs: clock.now() })
  const known = Array.from({ length: startKeys }, (_, n) => keyOf('old', n))
  for (const key of known) trigger(key)
  let left = startKeys
  const controller: Controller = {
    name: 'backups',
    resource: configMaps,
    runLimitMs: 300_000,
    caches: fullCaches(),
    triggers$: () => triggers$,
    knownKeys: () => known,
    eventTarget: () => undefined,
    reconcile: async ({ key }) => {
      const one = served.get(formatKey(key))
      if (one && one.ranMs === undefined) {
        one.ranMs = clock.now()
        if (key.name.startsWith('old')) left--
      }
      await sleep(clock, tickMs)
      return undefined
    },
  }
  const [stop, abort] = [new AbortController(), new AbortController()]
  const options = { clock, metrics: noMetrics, logger: silentLogger, events: noEvents }
  const running = runController(controller, { ...options, stop: stop.signal, abort: abort.signal })
  let changes = 0
  while (left > 0 && clock.now() < 120_000) {
    for (let i = 0; i < changesPerTick; i++) {
      const key = keyOf('new', changes++)
      trigger(key)
      triggers$.next(key)
    }
    await clock.advance(tickMs)
  }
  stop.abort()
  abort.abort()
  await clock.advance(tickMs)
  await running.ended
  const waits = (name: string) =>
    [...served]
      .filter(([id]) => id.includes(name))
      .map(([, { triggeredMs, ranMs = Number.POSITIVE_INFINITY }]) => ranMs - triggeredMs)
      .sort((one, other) => one - other)
  return { endedMs: clock.now(), old: waits('/old-'), changed: waits('/new-') }
}

void t.test('20,000 keys of a start run within a minute, and changes do not wait for them', async (t) => {
  const { endedMs, old, changed } = await serve()
  t.equal(old.length, startKeys)
  t.ok((old.at(-1) ?? 0) <= 60_000, `the last key of the start waited ${old.at(-1)} ms`)
  const p99 = changed[Math.floor(changed.length * 0.99)] ?? 0
  t.ok(changed.length >= (endedMs / 1000 - 1) * 1000, `${changed.length} changes in ${endedMs} ms`)
  t.ok(p99 <= 1000, `a change waited ${p99} ms at p99`)
})
