import fc from 'fast-check'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { formatKey, type Key } from '../kube/key.js'
import { type MetricLabels, type Metrics, noMetrics } from '../observe/metrics.js'
import { KeyLine } from './key-line.js'
import { NamespaceBudget } from './namespace-budget.js'
import { runWorkers } from './run-workers.js'
import { WorkQueue } from './work-queue.js'
import type { WorkQueueOptions } from './work-queue-options.js'

const key = (name: string): Key => ({ namespace: 'default', name })
const a = key('a')
const b = key('b')

function createQueue(options: WorkQueueOptions = {}) {
  const clock = new VirtualClock()
  return { clock, queue: new WorkQueue({ clock, random: () => 0.5, ...options }) }
}

void t.test(
  'a key enqueued many times is served once, and keys are served in the order they were enqueued',
  async (t) => {
    const { queue } = createQueue()
    for (const key of [a, b, a, { ...a }, b]) queue.add(key)
    t.strictSame([queue.size, queue.running], [2, 0])
    t.strictSame([await queue.next(), await queue.next(), queue.size], [a, b, 0])
    t.equal(queue.running, 2)
    queue.done(a)
    t.equal(queue.running, 1)
  },
)

void t.test(
  'a key enqueued while it is served waits for the end of its run and comes back exactly once',
  async (t) => {
    const { queue } = createQueue()
    queue.add(a)
    await queue.next()
    for (let i = 0; i < 3; i++) queue.add(a)
    t.equal(queue.size, 0)
    queue.done(a)
    t.equal(queue.size, 1)
    t.strictSame(await queue.next(), a)
    queue.done(a)
    queue.done(a)
    t.equal(queue.size, 0)
  },
)

void t.test(
  'namespaces are served in turn, so that a busy one does not keep a quiet one waiting',
  async (t) => {
    const { queue } = createQueue()
    for (let i = 0; i < 10_000; i++) queue.add({ namespace: 'busy', name: `x-${i}` })
    queue.add({ namespace: 'quiet', name: 'one' })
    queue.add({ namespace: 'quiet', name: 'two' })
    const order = await taken(queue, 5)
    t.strictSame(order, ['busy/x-0', 'quiet/one', 'busy/x-1', 'quiet/two', 'busy/x-2'])
  },
)

void t.test('changes run before background keys, which still run', async (t) => {
  const { queue } = createQueue()
  for (const name of ['old-1', 'old-2', 'old-3']) queue.add(key(name), 'background')
  for (let i = 0; i < 12; i++) queue.add(key(`new-${i}`))
  const order = await taken(queue, 15)
  t.strictSame(
    order.slice(0, 9),
    Array.from({ length: 9 }, (_, i) => `default/new-${i}`),
  )
  t.equal(order[9], 'default/old-1')
  t.strictSame(
    order.slice(10),
    ['new-9', 'new-10', 'new-11', 'old-2', 'old-3'].map((name) => `default/${name}`),
  )
})

void t.test('a key in the background moves up when it changes, and is still served once', async (t) => {
  const { queue } = createQueue()
  for (const name of ['one', 'two', 'three']) queue.add(key(name), 'background')
  queue.add(key('two'))
  queue.add(key('two'), 'background')
  t.equal(queue.size, 3)
  t.strictSame(await taken(queue, 3), ['default/two', 'default/one', 'default/three'])
  queue.add(key('four'))
  t.strictSame(await taken(queue, 1), ['default/four'])
})

void t.test('whatever is enqueued and however, each key is served as often as it must be', async () => {
  const step = fc.record({
    name: fc.constantFrom('a', 'b', 'c'),
    namespace: fc.constantFrom('x', 'y', 'z'),
    priority: fc.constantFrom('live' as const, 'background' as const),
    serve: fc.boolean(),
  })
  const property = fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
    const { queue } = createQueue()
    const waiting = new Set<string>()
    for (const { serve, priority, ...key } of steps) {
      queue.add(key, priority)
      waiting.add(`${key.namespace}/${key.name}`)
      const served = await taken(queue, serve ? 1 : 0)
      if (!served.every((one) => waiting.delete(one)) || queue.size !== waiting.size) return false
    }
    const rest = await taken(queue, waiting.size)
    return rest.length === waiting.size && rest.every((one) => waiting.delete(one))
  })
  await fc.assert(property)
})

/** Takes and serves so many keys, one after the other. */
async function taken(queue: WorkQueue, count: number): Promise<string[]> {
  const order: string[] = []
  while (order.length < count) {
    const next = await queue.next()
    if (!next) break
    order.push(`${next.namespace}/${next.name}`)
    queue.done(next)
  }
  return order
}

void t.test('a waiting worker gets the next key that is enqueued', async (t) => {
  const { queue } = createQueue()
  const [first, second] = [queue.next(), queue.next()]
  queue.add(a)
  queue.add(a)
  queue.add(b)
  t.strictSame(await first, a)
  t.strictSame(await second, b)
})

void t.test('a worker that stops waiting takes no key', async (t) => {
  const { queue } = createQueue()
  const stop = new AbortController()
  const waiting = queue.next(stop.signal)
  stop.abort()
  t.equal(await waiting, undefined)
  t.equal(await queue.next(stop.signal), undefined)
  queue.add(a)
  t.strictSame(await queue.next(), a)
})

void t.test('a delayed key is served after its delay, the earliest of several', async (t) => {
  const { queue, clock } = createQueue()
  queue.addAfter(a, 100)
  queue.addAfter(a, 50)
  queue.addAfter(a, 70)
  t.strictSame([queue.size, queue.delayed, clock.pending], [0, 1, 1])
  await clock.advance(49)
  t.equal(queue.size, 0)
  await clock.advance(1)
  t.strictSame([queue.size, queue.delayed], [1, 0])
  await clock.advance(100)
  t.equal(queue.size, 1)
  queue.addAfter(b, 0)
  t.equal(queue.size, 2)
})

void t.test(
  'a failing key waits longer each time, its neighbours do not, and success starts it afresh',
  async (t) => {
    const { queue, clock } = createQueue()
    t.strictSame([queue.retry(a), queue.retry(a), queue.retry(a), queue.retry(b)], [2.5, 5, 10, 2.5])
    t.strictSame([queue.failures(a), queue.failures(b)], [3, 1])
    await clock.advance(2.5)
    t.equal(queue.size, 2)
    for (let failures = 3; failures < 2000; failures++) queue.retry(a)
    t.equal(queue.retry(a), 500_000)
    queue.forget(a)
    t.strictSame([queue.failures(a), queue.retry(a)], [0, 2.5])
  },
)

void t.test('a run ends the delay of its key, and what it asks for counts from then on', async (t) => {
  const { clock, queue } = createQueue()
  queue.addAfter(a, 60_000)
  await clock.advance(10_000)
  queue.add(a)
  t.strictSame(await queue.next(), a)
  t.equal(queue.delayed, 0)
  queue.addAfter(a, 60_000)
  queue.done(a)
  await clock.advance(50_000)
  t.equal(queue.size, 0, 'the delay from before the run')
  await clock.advance(10_000)
  t.equal(queue.size, 1)
})

void t.test('retries are spread over the whole delay', async (t) => {
  const delays = [0, 0.25, 0.999].map((share) => {
    const { queue } = createQueue({ random: () => share, retryBaseMs: 1000, retryMaxMs: 1500 })
    return [queue.retry(a), queue.retry(a)]
  })
  t.strictSame(delays, [
    [0, 0],
    [250, 375],
    [999, 1498.5],
  ])
})

void t.test('a closed queue hands out nothing more and leaves no timer behind', async (t) => {
  const { queue, clock } = createQueue()
  queue.add(a)
  await queue.next()
  queue.add(a)
  queue.add(b)
  queue.addAfter(key('c'), 10)
  queue.close()
  for (const enqueue of [
    () => queue.add(b),
    () => queue.addAfter(b, 5),
    () => queue.retry(b),
    () => queue.done(a),
  ]) {
    enqueue()
  }
  t.strictSame([queue.size, queue.delayed, clock.pending, await queue.next()], [0, 0, 0, undefined])
  const { queue: other } = createQueue()
  const waiting = other.next()
  other.close()
  t.equal(await waiting, undefined)
})

void t.test('a long line is served in order', async (t) => {
  const { queue } = createQueue()
  const served: string[] = []
  for (let index = 0; index < 5000; index++) queue.add(key(`${index}`))
  for (let index = 0; index < 5000; index++) {
    served.push((await queue.next())?.name ?? '')
    if (index % 10 === 0) queue.add(key(`late-${index}`))
  }
  t.strictSame(
    served,
    Array.from({ length: 5000 }, (_, index) => `${index}`),
  )
  t.equal(queue.size, 500)
})

type Step = { do: 'add' | 'addAfter' | 'retry' | 'done' | 'next' | 'wait'; name: string }

const steps = (...actions: Step['do'][]) =>
  fc.array(fc.record({ do: fc.constantFrom(...actions), name: fc.constantFrom('a', 'b', 'c') }), {
    maxLength: 60,
  })

void t.test(
  'whatever happens in whatever order, keys come as often as they were enqueued in between',
  async (t) => {
    const run = async (sequence: Step[]) => {
      const { queue } = createQueue()
      const waiting: string[] = []
      const running = new Set<string>()
      const again = new Set<string>()
      const model: Partial<Record<Step['do'], (name: string) => unknown>> = {
        add(name) {
          queue.add(key(name))
          if (running.has(name)) again.add(name)
          else if (!waiting.includes(name)) waiting.push(name)
        },
        async next() {
          const expected = waiting.shift()
          if (expected === undefined) return
          t.match(await queue.next(), { name: expected })
          running.add(expected)
        },
        done(name) {
          queue.done(key(name))
          if (running.delete(name) && again.delete(name)) waiting.push(name)
        },
      }
      for (const { do: action, name } of sequence) await model[action]?.(name)
      t.equal(queue.size, waiting.length)
    }
    await fc.assert(fc.asyncProperty(steps('add', 'next', 'done'), run))
  },
)

void t.test(
  'whatever happens in whatever order, no key is lost and none is served twice at a time',
  async () => {
    const run = async (sequence: Step[]) => {
      const { queue, clock } = createQueue()
      const running = new Set<string>()
      const unserved = new Set<string>()
      const enqueued = (name: string) => {
        unserved.add(name)
        return key(name)
      }
      const actions: Record<Step['do'], (name: string) => unknown> = {
        add: (name) => queue.add(enqueued(name)),
        addAfter: (name) => queue.addAfter(enqueued(name), 3),
        retry: (name) => queue.retry(enqueued(name)),
        done: (name) => running.delete(name) && queue.done(key(name)),
        wait: () => clock.advance(2),
        async next() {
          if (queue.size === 0) return
          const { name = '' } = (await queue.next()) ?? {}
          if (running.has(name)) throw new Error(`${name} was served twice at a time`)
          running.add(name)
          unserved.delete(name)
        },
      }
      for (const { do: action, name } of sequence) await actions[action](name)
      for (let rounds = 0; rounds < 3; rounds++) {
        for (const name of running) actions.done(name)
        await clock.advance(10_000)
        while (queue.size > 0) await actions.next('')
      }
      if (unserved.size > 0) throw new Error(`${[...unserved]} was never served`)
    }
    const every = steps('add', 'addAfter', 'retry', 'done', 'next', 'wait')
    await fc.assert(fc.asyncProperty(every, run), { numRuns: 50 })
  },
)

void t.test('workers serve each key alone, at most so many at a time, and to the end', async (t) => {
  const { queue, clock } = createQueue()
  const running = new Set<string>()
  const served: string[] = []
  let most = 0
  const work = async ({ name }: Key) => {
    t.notOk(running.has(name))
    running.add(name)
    most = Math.max(most, running.size)
    await new Promise<void>((resolve) => clock.schedule(10, resolve))
    if (served.length < 5) queue.add(key(name))
    running.delete(name)
    served.push(name)
  }
  const stop = new AbortController()
  const ended = runWorkers({ queue, workers: 3, work, signal: stop.signal, clock })
  for (const name of ['a', 'b', 'c', 'd', 'e']) queue.add(key(name))
  await clock.advance(100)
  t.equal(most, 3)
  t.equal(served.length, 10)
  queue.add(a)
  queue.add(b)
  await clock.advance(0)
  queue.close()
  t.strictSame([...running], ['a', 'b'])
  await clock.advance(10)
  await ended
  t.equal(served.length, 12)
})

void t.test('one namespace leaves workers for the others, and gets them when they are free', async (t) => {
  const { queue } = createQueue({ workers: 8 })
  const got: Key[] = []
  const stop = new AbortController()
  const ask = () => void queue.next(stop.signal).then((next) => next && got.push(next))
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const namespaces = () => got.map(({ namespace }) => namespace)
  for (let i = 0; i < 20; i++) queue.add({ namespace: 'greedy', name: `${i}` })
  for (let worker = 0; worker < 8; worker++) ask()
  await turn()
  t.strictSame(namespaces(), Array(6).fill('greedy'), 'three quarters are the most')
  queue.add({ namespace: 'late', name: 'a' }, 'background')
  queue.add({ namespace: 'latest', name: 'a' }, 'background')
  await turn()
  t.strictSame(namespaces().slice(6), ['late', 'latest'], 'others need not wait, not even in the background')
  const [first = key(''), second = key('')] = got
  queue.done(first)
  ask()
  await turn()
  t.equal(got.length, 8, 'with one free, who holds five gets no other')
  queue.leave(second)
  ask()
  await turn()
  t.strictSame(namespaces().slice(8), ['greedy'], 'with two free, who holds four does')
  t.equal(queue.running, 8, 'a run that was left goes on')
  stop.abort()
})

interface PoolStep {
  readonly do: 'add' | 'ask' | 'done' | 'leave' | 'stop'
  readonly namespace: string
  readonly name: string
  readonly priority: 'live' | 'background'
  /** Which of those that it may be about. */
  readonly which: number
}

/** A model of workers and their keys, which the queue must agree with. */
class Pool {
  readonly queue: WorkQueue
  readonly serving: { id: string; key: Key; isLeft: boolean }[] = []
  readonly waiting: AbortController[] = []
  readonly unserved = new Set<string>()
  readonly #workers: number

  constructor(workers: number) {
    this.queue = createQueue({ workers }).queue
    this.#workers = workers
  }

  act({ do: action, namespace, name, priority, which }: PoolStep): void {
    const served = this.serving[which % this.serving.length]
    if (action === 'add') this.add({ namespace, name }, priority)
    if (action === 'ask') this.ask()
    if (action === 'done' && served) this.done(served)
    if (action === 'leave' && served) this.leave(served)
    if (action === 'stop') this.waiting[which % this.waiting.length]?.abort()
  }

  add(key: Key, priority: PoolStep['priority']): void {
    this.unserved.add(formatKey(key))
    this.queue.add(key, priority)
  }

  /** One of the workers that have nothing to do asks for a key, if there is one. */
  ask(): void {
    if (this.waiting.length >= this.#free()) return
    const stop = new AbortController()
    this.waiting.push(stop)
    void this.queue.next(stop.signal).then((key) => {
      this.waiting.splice(this.waiting.indexOf(stop), 1)
      if (key) this.#begin(key)
    })
  }

  done(run: Pool['serving'][number]): void {
    this.serving.splice(this.serving.indexOf(run), 1)
    this.queue.done(run.key)
  }

  leave(run: Pool['serving'][number]): void {
    run.isLeft = true
    this.queue.leave(run.key)
  }

  /** Violations: a worker that waits although it may serve a key, or a run that should not have begun. */
  readonly problems: string[] = []

  look(): void {
    for (const id of this.waiting.length > 0 ? this.unserved : []) {
      const isRunning = this.serving.some((run) => run.id === id)
      if (!isRunning && this.#mayBegin(id)) this.problems.push(`no worker serves ${id}`)
    }
  }

  #begin(key: Key): void {
    const id = formatKey(key)
    if (this.serving.some((run) => run.id === id)) this.problems.push(`${id} is served twice at a time`)
    if (!this.#mayBegin(id)) this.problems.push(`${id} is beyond the budget`)
    this.unserved.delete(id)
    this.serving.push({ id, key, isLeft: false })
  }

  #free(): number {
    return this.#workers - this.serving.filter(({ isLeft }) => !isLeft).length
  }

  #mayBegin(id: string): boolean {
    const namespaceOf = (text: string) => (text.includes('/') ? text.split('/')[0] : '')
    const namespace = namespaceOf(id)
    const own = this.serving.filter((run) => !run.isLeft && namespaceOf(run.id) === namespace)
    return namespace === '' || own.length === 0 || own.length < 3 * this.#free()
  }
}

void t.test('while workers come and go, none waits if it may serve a key, and every key runs', async () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const play = async (workers: number, story: PoolStep[]) => {
    const pool = new Pool(workers)
    for (const step of story) {
      pool.act(step)
      await turn()
      pool.look()
    }
    for (let rounds = 0; pool.unserved.size > 0 || pool.serving.length > 0; rounds++) {
      if (rounds > 500) throw new Error(`${[...pool.unserved]} never ran`)
      for (let asks = 0; asks < workers; asks++) pool.ask()
      await turn()
      const [oldest] = pool.serving
      if (oldest) pool.done(oldest)
    }
    pool.ask()
    pool.queue.close()
    await turn()
    if (pool.waiting.length > 0) pool.problems.push('a worker waits for a closed queue')
    if (pool.problems.length > 0) throw new Error(pool.problems.join(', '))
  }
  const step: fc.Arbitrary<PoolStep> = fc.record({
    do: fc.constantFrom('add', 'add', 'add', 'ask', 'ask', 'ask', 'done', 'leave', 'stop'),
    namespace: fc.constantFrom('x', 'x', 'x', 'y', 'z', ''),
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    priority: fc.constantFrom('live', 'background'),
    which: fc.nat(11),
  })
  const stories = fc.array(step, { minLength: 20, maxLength: 100 })
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 12 }), stories, play), { numRuns: 100 })
})

void t.test('the cost of a key does not grow with the waiting keys and namespaces', (t) => {
  const workers = 10
  const budget = new NamespaceBudget(workers)
  const line = new KeyLine()
  let asked = 0
  const mayServe = (namespace: string) => {
    asked++
    return budget.allows(namespace)
  }
  const running: { id: string; key: Key }[] = []
  const keys = Array.from({ length: 20_000 }, (_, i) => ({
    // Half of all are one namespace's, whose turn comes again and again.
    namespace: i % 2 === 0 ? 'greedy' : `tenant-${i % 1001}`,
    name: `${i}`,
  }))
  for (const key of keys) line.push(formatKey(key), key, { sinceMs: 0, priority: 'live' })
  for (let taken = 0; taken < keys.length; ) {
    const next = running.length < workers ? line.shift({ mayServe }) : undefined
    const { id, key } = next ?? running.shift() ?? { id: '', key: a }
    if (next) running.push(next)
    if (next) taken++
    if (next) budget.take(id, key)
    else budget.release(id)
  }
  t.ok(asked <= 2 * (workers + 1) * keys.length, `${asked} questions for ${keys.length} keys`)
  t.end()
})

void t.test('a run that throws is logged and retried, and the workers go on', async (t) => {
  const { queue, clock } = createQueue()
  const served: string[] = []
  const logged: unknown[] = []
  const error = (fields: object) => logged.push(fields)
  const nothing = () => {}
  const logger = { debug: nothing, info: nothing, warn: nothing, error, child: () => logger }
  const broken = new Error('broken')
  const work = async ({ name }: Key) => {
    served.push(name)
    if (name === 'a' && served.length < 3) throw broken
  }
  const stop = new AbortController()
  const ended = runWorkers({ queue, workers: 1, work, signal: stop.signal, clock, logger })
  queue.add(a)
  queue.add(b)
  await clock.advance(100)
  stop.abort()
  await ended
  t.strictSame(served, ['a', 'b', 'a'])
  t.strictSame(logged, [{ key: 'default/a', error: broken, retryInMs: 3 }])
})

void t.test('a thousand runs that never wait do not keep timers from firing', async (t) => {
  let nowMs = 0
  const clock = { now: () => nowMs, date: () => new Date(0), schedule: () => () => {} }
  const queue = new WorkQueue({ clock })
  for (let index = 0; index < 1000; index++) queue.add(key(`${index}`))
  let servedByThen: number | undefined
  setImmediate(() => {
    servedByThen = 1000 - queue.size
  })
  const work = async () => {
    nowMs += 1
    if (queue.size === 0) queue.close()
  }
  await runWorkers({ queue, work, signal: new AbortController().signal, clock })
  t.ok(servedByThen !== undefined && servedByThen <= 20, `served ${servedByThen} keys before the timer`)
})

void t.test('metrics have the depth of a queue, and how long keys wait and run', async (t) => {
  const seen = new Map<string, number[]>()
  const followed: (() => void)[] = []
  const note = (metric: string) => (labels: MetricLabels, value: number) => {
    const { priority, ...rest } = labels
    t.strictSame(rest, { name: 'configmap' })
    const name = priority === undefined ? metric : `${metric} ${priority}`
    seen.set(name, [...(seen.get(name) ?? []), value])
  }
  const metrics: Metrics = {
    ...noMetrics,
    counter: ({ name }) => ({ add: (labels = {}, value = 1) => note(name)(labels, value) }),
    gauge: ({ name, follow }) => {
      const gauge = { set: note(name) }
      followed.push(() => follow?.(gauge))
      return gauge
    },
    histogram: ({ name }) => ({ observe: note(name) }),
  }
  const read = () => {
    for (const follow of followed) follow()
  }
  const { queue, clock } = createQueue({ name: 'configmap', metrics })
  queue.add(a)
  queue.add(b, 'background')
  read()
  await clock.advance(2000)
  await queue.next()
  await clock.advance(3000)
  await queue.next()
  await clock.advance(1000)
  read()
  t.equal(queue.oldestRunMs, 4000)
  queue.retry(a)
  queue.done(a)
  queue.done(b)
  t.equal(queue.oldestRunMs, 0)
  t.strictSame(Object.fromEntries(seen), {
    workqueue_adds_total: [1, 1],
    'workqueue_depth live': [1, 0],
    'workqueue_depth background': [1, 0],
    workqueue_retries_total: [1],
    workqueue_queue_duration_seconds: [2, 5],
    workqueue_work_duration_seconds: [4, 1],
    workqueue_unfinished_work_seconds: [0, 5],
    workqueue_longest_running_processor_seconds: [0, 4],
  })
})

void t.test('a key that rests is not enqueued by anything until its rest is over', async (t) => {
  const { queue, clock } = createQueue()
  queue.add(a)
  await queue.next()
  queue.add(a)
  queue.rest(a, { minMs: 1000, maxMs: 5000 })
  queue.done(a)
  await clock.advance(1000)
  t.strictSame([queue.size, queue.delayed], [0, 1], 'nothing enqueued it, so it goes on resting')
  await clock.advance(3999)
  t.equal(queue.size, 0)
  await clock.advance(1)
  t.strictSame([await queue.next(), queue.size], [a, 0])
  queue.rest(a, { minMs: 1000, maxMs: 5000 })
  queue.done(a)
  queue.add(a)
  queue.addAfter(a, 5)
  await clock.advance(999)
  t.strictSame([queue.size, queue.delayed], [0, 1])
  await clock.advance(1)
  t.equal(await queue.next(), a, 'what was enqueued is served as soon as it may')
  queue.done(a)
  queue.add(a)
  t.equal(queue.size, 1, 'afterwards it is as any other')
  queue.rest(b, { minMs: 1000, maxMs: 5000 })
  queue.close()
  t.equal(clock.pending, 0)
})
