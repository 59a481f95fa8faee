import fc from 'fast-check'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { formatKey, type Key } from '../kube/key.js'
import { AgeOrder } from './age-order.js'
import type { WaitingKey } from './waiting-key.js'
import { WorkQueue } from './work-queue.js'
import type { WorkQueueOptions } from './work-queue-options.js'

const key = (name: string, namespace = 'default'): Key => ({ namespace, name })
/** The group of a key is the part of its name before the hyphen. */
const groupOf = ({ name }: Key) => name.split('-')[0]

function createQueue(options: WorkQueueOptions = {}) {
  const clock = new VirtualClock()
  return { clock, queue: new WorkQueue({ clock, ...options }) }
}

/** The keys that may be served now, by name. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const taken: string[] = []
  for (;;) {
    const none = new AbortController()
    const next = queue.next(none.signal)
    none.abort()
    const key = await next
    if (!key) return taken
    taken.push(key.name)
  }
}

void t.test('keys of one group take turns, in their order, and others run meanwhile', async (t) => {
  const { queue } = createQueue({ groupOf })
  for (const name of ['a-1', 'a-2', 'a-3', 'b-1']) queue.add(key(name))
  t.strictSame(await takeAll(queue), ['a-1', 'b-1'])
  t.strictSame([queue.size, queue.stateOf(key('a-2')).isWaiting], [2, true])
  queue.done(key('b-1'))
  t.strictSame(await takeAll(queue), [])
  queue.add(key('a-2'))
  t.equal(queue.size, 2, 'a key that waits for its group is enqueued once')
  queue.done(key('a-1'))
  t.strictSame(await takeAll(queue), ['a-2'])
  queue.done(key('a-2'))
  t.strictSame(await takeAll(queue), ['a-3'])
  queue.done(key('a-3'))
  t.equal(queue.size, 0)
})

void t.test('a key whose turn has come is not overtaken by a later one of its group', async (t) => {
  const { queue } = createQueue({ groupOf })
  queue.add(key('a-1'))
  t.strictSame(await takeAll(queue), ['a-1'])
  queue.add(key('a-2'))
  t.strictSame(await takeAll(queue), [])
  queue.add(key('a-3'))
  queue.done(key('a-1'))
  t.strictSame(await takeAll(queue), ['a-2'])
})

void t.test('a key that waits for a group and moves to another one leaves the first', async (t) => {
  const groups = new Map([
    ['one', 'a'],
    ['two', 'a'],
    ['three', 'b'],
  ])
  const { queue } = createQueue({ groupOf: ({ name }) => groups.get(name) })
  queue.add(key('one'))
  queue.add(key('two'), 'background')
  t.strictSame(await takeAll(queue), ['one'])
  groups.set('two', 'b')
  queue.add(key('two'))
  t.strictSame(await takeAll(queue), ['two'])
  queue.done(key('one'))
  queue.done(key('two'))
  queue.add(key('three'))
  t.strictSame(await takeAll(queue), ['three'])
})

void t.test('a run that its worker has left still keeps its group', async (t) => {
  const { queue } = createQueue({ groupOf })
  queue.add(key('a-1'))
  queue.add(key('a-2'))
  t.strictSame(await takeAll(queue), ['a-1'])
  queue.leave(key('a-1'))
  t.strictSame(await takeAll(queue), [])
  queue.done(key('a-1'))
  t.strictSame(await takeAll(queue), ['a-2'])
})

void t.test(
  'whatever happens in whatever order, one key of a group runs at a time and none is lost',
  async () => {
    const groups = fc.constantFrom(undefined, 'a', 'b')
    const step = fc.record({
      do: fc.constantFrom('add', 'background', 'done', 'next', 'regroup'),
      name: fc.constantFrom('1', '2', '3', '4', '5'),
      group: groups,
    })
    const play = async (steps: { do: string; name: string; group: string | undefined }[]) => {
      const grouped = new Map<string, string | undefined>()
      const { queue } = createQueue({ groupOf: ({ name }) => grouped.get(name) })
      const running = new Map<string, string | undefined>()
      const unserved = new Set<string>()
      const take = async () => {
        const none = new AbortController()
        const next = queue.next(none.signal)
        none.abort()
        const taken = await next
        if (!taken) return false
        const group = grouped.get(taken.name)
        if (group !== undefined && [...running.values()].includes(group))
          throw new Error(`two of ${group} run`)
        running.set(taken.name, group)
        unserved.delete(taken.name)
        return true
      }
      const end = (name: string) => {
        if (running.delete(name)) queue.done(key(name))
      }
      for (const { do: action, name, group } of steps) {
        if (action === 'add' || action === 'background') {
          queue.add(key(name), action === 'add' ? 'live' : 'background')
          unserved.add(name)
        } else if (action === 'done') end(name)
        else if (action === 'next') await take()
        else grouped.set(name, group)
      }
      for (let rounds = 0; rounds < 20; rounds++) {
        while (await take());
        for (const name of [...running.keys()]) end(name)
      }
      if (unserved.size > 0 || queue.size > 0) throw new Error(`${[...unserved]} was never served`)
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 60 }), play), { numRuns: 300 })
  },
)

void t.test('a thousand keys of one group do not slow down the others', async (t) => {
  let asked = 0
  const { queue } = createQueue({
    groupOf: (key) => {
      asked++
      return groupOf(key)
    },
  })
  for (let i = 0; i < 1000; i++) queue.add(key(`a-${i}`))
  for (let i = 0; i < 1000; i++) queue.add(key(`${i}x`, `tenant-${i}`))
  t.equal((await takeAll(queue)).length, 1001)
  for (let i = 0; i < 1000; i++) {
    queue.done(key(`a-${i}`))
    t.strictSame(await takeAll(queue), i < 999 ? [`a-${i + 1}`] : [])
  }
  t.ok(asked <= 4000, `groupOf was called ${asked} times for 2000 keys`)
})

void t.test('no more runs begin in any second than the limit', async (t) => {
  const { queue, clock } = createQueue({ maxRunsPerSecond: 3 })
  const begun: number[] = []
  const work = async () => {
    for (let next = await queue.next(); next; next = await queue.next()) {
      begun.push(clock.now())
      queue.done(next)
    }
  }
  const workers = [work(), work()]
  for (let i = 0; i < 5; i++) queue.add(key(`${i}`))
  await clock.advance(900)
  t.strictSame(begun, [0, 0, 0])
  queue.add(key('5'))
  await clock.advance(2000)
  t.strictSame(begun, [0, 0, 0, 1000, 1000, 1000])
  await clock.advance(10_000)
  t.equal(clock.pending, 0, 'no timer is left when nothing waits')
  queue.close()
  await Promise.all(workers)
})

void t.test('a limit below one run per second spreads runs over longer times', async (t) => {
  const { queue, clock } = createQueue({ maxRunsPerSecond: 0.1 })
  queue.add(key('1'))
  queue.add(key('2'))
  t.strictSame(await takeAll(queue), ['1'])
  await clock.advance(9_999)
  t.strictSame(await takeAll(queue), [])
  await clock.advance(1)
  t.strictSame(await takeAll(queue), ['2'])
  queue.add(key('3'))
  t.strictSame(await takeAll(queue), [])
  queue.close()
  t.equal(clock.pending, 0)
})

void t.test(
  'background keys that have waited for a minute are served in turn with those of changes',
  async (t) => {
    const { queue, clock } = createQueue()
    for (let i = 0; i < 30; i++) queue.add(key(`old-${i}`), 'background')
    const share = async () => {
      for (let i = 0; i < 20; i++) queue.add(key(`new-${i}`))
      const served: string[] = []
      for (let i = 0; i < 20; i++) {
        const next = await queue.next()
        if (!next) break
        served.push(next.name)
        queue.done(next)
      }
      return served.filter((name) => name.startsWith('old')).length
    }
    t.equal(await share(), 2)
    await clock.advance(59_999)
    t.equal(await share(), 2)
    await clock.advance(1)
    t.equal(await share(), 10)
  },
)

void t.test('20,000 keys of a start run within a minute while changes wait less than a second', async (t) => {
  const workers = 32
  const { queue, clock } = createQueue({ workers })
  for (let i = 0; i < 20_000; i++) queue.add(key(`old-${i}`, `tenant-${i % 50}`), 'background')
  const addedMs = new Map<string, number>()
  const waitsMs: number[] = []
  let [changes, left] = [0, 20_000]
  // Each run takes 20 ms; 1,000 changes arrive in a second.
  while (left > 0 && clock.now() < 120_000) {
    for (let i = 0; i < 20; i++) {
      const name = `new-${changes++}`
      queue.add(key(name, `tenant-${changes % 50}`))
      addedMs.set(name, clock.now())
    }
    const running: Key[] = []
    while (running.length < workers && queue.size > 0) running.push((await queue.next()) ?? key(''))
    for (const { name } of running) {
      if (name.startsWith('old')) left--
      else waitsMs.push(clock.now() - (addedMs.get(name) ?? 0))
    }
    await clock.advance(20)
    for (const key of running) queue.done(key)
  }
  t.ok(clock.now() <= 60_000, `all ran after ${clock.now()} ms`)
  const sorted = waitsMs.sort((one, other) => one - other)
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.POSITIVE_INFINITY
  t.ok(p99 <= 1000, `a change waited ${p99} ms at p99`)
})

void t.test('the oldest of many waiting keys is found without looking through those that have left', (t) => {
  const gone = new Set<string>()
  let asked = 0
  const found = new Set<string | undefined>()
  const order = new AgeOrder(({ id }) => {
    asked++
    return gone.has(id)
  })
  const waiting = (name: string): WaitingKey => ({
    id: formatKey(key(name)),
    key: key(name),
    sinceMs: 0,
    priority: 'background',
  })
  order.push(waiting('stays'), 1)
  for (let i = 0; i < 20_000; i++) {
    order.push(waiting(`${i}`), 2)
    gone.add(formatKey(key(`${i}`)))
    found.add(order.oldest?.key.name)
  }
  t.strictSame([...found], ['stays'])
  t.ok(asked < 100_000, `${asked} questions`)
  gone.add(formatKey(key('stays')))
  asked = 0
  t.equal(order.oldest, undefined)
  t.ok(asked < 2000, `${asked} entries were kept`)
  t.end()
})
