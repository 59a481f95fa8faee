import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Client } from '../client/client.js'
import type { Lease } from '../kube/builtin.js'
import { ApiError } from '../kube/error.js'
import type { KubeObject } from '../kube/object.js'
import { type Clock, sleep } from '../time/clock.js'
import { follow, recordLines } from './followed-leadership.fixture.js'
import { type LeaseLeadershipOptions, leaseLeadership } from './lease-leadership.js'

/** The one Lease of an API server, with faults to order. */
class LeaseServer implements Pick<Client, 'get' | 'create' | 'update'> {
  lease: Lease | undefined
  writes: Lease[] = []
  reads = 0
  /** Asked before each call; what it throws is the answer. */
  fault: (verb: 'get' | 'write') => void | Promise<void> = () => {}
  /** Throws after the write was done. */
  loseAnswer = false
  #version = 0

  get<T extends KubeObject>(): Promise<T> {
    this.reads++
    return this.#answer<T>('get', () => this.lease ?? fail(404, 'NotFound'))
  }

  create<T extends KubeObject>(_resource: unknown, object: T): Promise<T> {
    return this.#answer<T>('write', () =>
      this.lease ? fail(409, 'AlreadyExists') : this.#store(object as Lease),
    )
  }

  update<T extends KubeObject>(_resource: unknown, object: T): Promise<T> {
    const isStale = () => object.metadata.resourceVersion !== this.lease?.metadata.resourceVersion
    return this.#answer<T>('write', () => (isStale() ? fail(409, 'Conflict') : this.#store(object as Lease)))
  }

  /** An edit by another client. */
  edit(spec: Lease['spec']): void {
    this.#store({
      ...this.lease,
      metadata: { ...this.lease?.metadata },
      spec: { ...this.lease?.spec, ...spec },
    } as Lease)
    this.writes.pop()
  }

  /** A delete by another client. */
  remove(): void {
    this.lease = undefined
  }

  async #answer<T>(verb: 'get' | 'write', act: () => Lease): Promise<T> {
    await this.fault(verb)
    const lease = structuredClone(act())
    if (verb === 'write' && this.loseAnswer) throw new Error('socket hang up')
    return lease as T
  }

  #store(object: Lease): Lease {
    this.#version++
    const metadata = { ...object.metadata, resourceVersion: String(this.#version) }
    this.lease = structuredClone({ ...object, metadata })
    this.writes.push(this.lease)
    return this.lease
  }
}

function fail(code: number, reason: string): never {
  throw new ApiError({ code, reason, message: reason })
}

const unreachable = () => {
  throw new Error('connect ECONNREFUSED')
}

function candidate(
  t: Test,
  server: LeaseServer,
  options: Partial<LeaseLeadershipOptions> & { identity: string },
) {
  const clock = new VirtualClock()
  const lines: string[] = []
  const lease = { namespace: 'vc-host', name: 'vc-mirror' }
  const defaults = { client: server, lease, clock, logger: recordLines(lines), random: () => 0 }
  const leadership = leaseLeadership({ ...defaults, ...options })
  t.teardown(async () => {
    server.fault = () => {}
    server.loseAnswer = false
    await leadership.release()
  })
  return { clock, lines, leadership, said: follow(leadership) }
}

/** The first leads, the second is a candidate for the same Lease. */
async function twoCandidates(t: Test) {
  const server = new LeaseServer()
  const clock = new VirtualClock()
  const one = candidate(t, server, { identity: 'one', clock })
  await clock.advance(0)
  return { server, clock, one, two: candidate(t, server, { identity: 'two', clock }) }
}

void t.test('the leadership of a Lease', async (t) => {
  void t.test('is won at once if the holder is known to have ended', async (t) => {
    const server = new LeaseServer()
    const clock = new VirtualClock()
    const one = candidate(t, server, { identity: 'one', clock })
    await clock.advance(0)
    server.fault = unreachable
    await clock.advance(4000)
    t.strictSame(one.said, [true])
    server.fault = () => {}
    const two = candidate(t, server, { identity: 'two', clock, hasEnded: (identity) => identity === 'one' })
    await clock.advance(0)
    t.strictSame(two.said, [true])
    t.equal(server.lease?.spec?.holderIdentity, 'two')
    t.equal(server.lease?.spec?.leaseTransitions, 1)
    t.match(two.lines.join('\n'), /is held by one, which has ended: taking over/)
  })

  void t.test('is won at once where there is no Lease, and renewed by one write every 2 s', async (t) => {
    const server = new LeaseServer()
    const { clock, leadership, said } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    t.strictSame(said, [true])
    t.equal(leadership.deadline(), 10_000)
    t.strictSame(server.lease, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { namespace: 'vc-host', name: 'vc-mirror', resourceVersion: '1' },
      spec: {
        holderIdentity: 'one',
        leaseDurationSeconds: 15,
        acquireTime: '2024-01-01T00:00:00.000000Z',
        renewTime: '2024-01-01T00:00:00.000000Z',
        leaseTransitions: 0,
      },
    })
    await clock.advance(6000)
    t.match(server.lease?.spec, {
      acquireTime: '2024-01-01T00:00:00.000000Z',
      renewTime: '2024-01-01T00:00:06.000000Z',
      leaseTransitions: 0,
    })
    t.strictSame([server.writes.length, server.reads, leadership.deadline()], [4, 1, 16_000])
  })

  void t.test('goes to one of two candidates, and to the other when the first is gone', async (t) => {
    const { server, clock, one, two } = await twoCandidates(t)
    await clock.advance(60_000)
    t.strictSame([one.said, two.said], [[true], []])
    t.match(two.lines, [/^Lease vc-host\/vc-mirror is held by one: standing by/])
    t.equal(two.lines.length, 1)
    const lastRenewedMs = one.leadership.deadline() - 10_000
    server.fault = (verb) => (verb === 'write' ? unreachable() : undefined)
    await clock.advance(10_000)
    t.strictSame(one.said, [true, false, 'end'])
    t.match(one.lines.at(-1), /lost: Lease vc-host\/vc-mirror could not be renewed for 10 s/)
    server.fault = () => {}
    await clock.advance(lastRenewedMs + 15_000 - clock.now() - 1)
    t.strictSame(two.said, [])
    await clock.advance(2001)
    t.strictSame(two.said, [true])
    t.match(server.lease?.spec, { holderIdentity: 'two', leaseTransitions: 1 })
  })

  void t.test('does not trust the clock of the holder', async (t) => {
    for (const renewTime of ['1999-01-01T00:00:00.000000Z', '2099-01-01T00:00:00.000000Z']) {
      const server = new LeaseServer()
      server.edit({ holderIdentity: 'other', leaseDurationSeconds: 20, renewTime, leaseTransitions: 3 })
      const { clock, said } = candidate(t, server, { identity: 'mine' })
      await clock.advance(19_999)
      t.strictSame(said, [])
      await clock.advance(1)
      t.strictSame(said, [true])
      t.match(server.lease?.spec, { holderIdentity: 'mine', leaseTransitions: 4 })
    }
  })

  void t.test('is not renewed by a process that was suspended past its deadline', async (t) => {
    const server = new LeaseServer()
    const timers = new VirtualClock()
    let suspendedMs = 0
    // The timer of the next renewal is due before the one of the deadline.
    const clock: Clock = {
      now: () => timers.now() + suspendedMs,
      date: () => timers.date(),
      schedule: (delayMs, callback) => timers.schedule(delayMs, callback),
    }
    const { said } = candidate(t, server, { identity: 'one', clock })
    await timers.advance(1000)
    suspendedMs = 30_000
    await timers.advance(1500)
    t.equal(server.writes.length, 1)
    t.strictSame(said, [true, false, 'end'])
  })

  void t.test('is not taken while its holder renews, though others touch the Lease', async (t) => {
    const server = new LeaseServer()
    server.edit({ holderIdentity: 'other', leaseDurationSeconds: 15, renewTime: 'a' })
    const { clock, said } = candidate(t, server, { identity: 'mine' })
    await clock.advance(14_000)
    server.edit({ renewTime: 'b' })
    await clock.advance(14_000)
    t.strictSame(said, [])
    server.edit({})
    await clock.advance(4000)
    t.strictSame(said, [true])
  })

  void t.test('comes through failed renewals that end before the deadline', async (t) => {
    const server = new LeaseServer()
    const { clock, said, lines } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    server.fault = unreachable
    await clock.advance(9000)
    server.fault = () => {}
    await clock.advance(60_000)
    t.strictSame(said, [true])
    const failure = 'Lease vc-host/vc-mirror could not be claimed, trying again'
    t.equal(lines.filter((line) => line === failure).length, 1, 'a failure that lasts is said once')
    t.match(lines, [/won/, failure, 'Lease vc-host/vc-mirror can be reached again'])
  })

  void t.test('says about an outage that it lasts, rarely', async (t) => {
    const server = new LeaseServer()
    server.fault = unreachable
    const { clock, lines } = candidate(t, server, { identity: 'one' })
    await clock.advance(59_000)
    t.equal(lines.length, 1)
    await clock.advance(4 * 60_000)
    t.equal(lines.length, 3, 'again after one minute and after three')
  })

  void t.test('holds for 10 s from the start of a renewal, not from its answer', async (t) => {
    const server = new LeaseServer()
    const { clock, leadership } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    server.fault = () => sleep(clock, 3000)
    await clock.advance(5000)
    t.equal(server.writes.length, 2)
    t.equal(leadership.deadline(), 12_000)
  })

  void t.test('is ours when the answer to our claim got lost', async (t) => {
    const server = new LeaseServer()
    server.loseAnswer = true
    const { clock, said, leadership } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    t.strictSame(said, [])
    server.loseAnswer = false
    await clock.advance(2000)
    t.strictSame(said, [true])
    t.equal(leadership.deadline(), 12_000)
    t.match(server.lease?.spec, { leaseTransitions: 0 })
  })

  void t.test('is not won against a candidate that was faster', async (t) => {
    const server = new LeaseServer()
    let raced = false
    server.fault = (verb) => {
      if (verb !== 'write' || raced) return
      raced = true
      server.edit({ holderIdentity: 'faster', leaseDurationSeconds: 15 })
    }
    const { clock, said } = candidate(t, server, { identity: 'slower' })
    await clock.advance(10_000)
    t.strictSame(said, [])
    t.strictSame(server.writes, [])
  })

  void t.test('survives an edit that only moves the resourceVersion', async (t) => {
    const server = new LeaseServer()
    const { clock, said, leadership } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    server.edit({})
    await clock.advance(4000)
    t.strictSame(said, [true])
    t.equal(leadership.deadline(), 14_000, 'it looked again at once')
  })

  const removals: [string, (server: LeaseServer) => void][] = [
    ['deleted', (server) => server.remove()],
    ['emptied', (server) => server.edit({ holderIdentity: '' })],
  ]
  for (const [what, remove] of removals) {
    void t.test(
      `is not taken from a holder under whom the Lease was ${what}, until it would have expired`,
      async (t) => {
        const { server, clock, one, two } = await twoCandidates(t)
        await clock.advance(5000)
        // The holder is cut off, and knows nothing of it.
        const lastRenewedMs = one.leadership.deadline() - 10_000
        server.fault = (verb) => (verb === 'write' ? unreachable() : undefined)
        await clock.advance(1)
        remove(server)
        await clock.advance(lastRenewedMs + 10_000 - clock.now() - 1)
        t.strictSame([one.said, two.said], [[true], []], 'the holder may still write')
        await clock.advance(1)
        t.strictSame(one.said, [true, false, 'end'])
        server.fault = () => {}
        await clock.advance(4000)
        t.strictSame(two.said, [], 'nor is it taken before the Lease would have expired')
        await clock.advance(5000)
        t.strictSame(two.said, [true])
      },
    )

    void t.test(`goes on for the holder under whom the Lease was ${what}`, async (t) => {
      const { server, clock, one, two } = await twoCandidates(t)
      await clock.advance(5000)
      remove(server)
      await clock.advance(60_000)
      t.strictSame([one.said, two.said], [[true], []])
      t.match(server.lease?.spec, { holderIdentity: 'one' })
    })
  }

  void t.test('is lost at once when another is seen to hold the Lease', async (t) => {
    const server = new LeaseServer()
    const { clock, said, lines } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    server.edit({ holderIdentity: 'thief' })
    await clock.advance(4000)
    t.strictSame(said, [true, false, 'end'])
    t.match(lines.at(-1), /lost: Lease vc-host\/vc-mirror is held by thief/)
    t.equal(clock.pending, 0)
  })

  void t.test('tries again when an attempt hangs', async (t) => {
    const server = new LeaseServer()
    let hangs = true
    const get: Client['get'] = (_resource, _key, { signal } = {}) => {
      if (!hangs) return server.get()
      hangs = false
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    const client = { get, create: server.create.bind(server), update: server.update.bind(server) }
    const { clock, said } = candidate(t, server, { identity: 'one', client })
    await clock.advance(7000)
    t.strictSame(said, [true])
  })

  void t.test('once released is free for the next, which need not wait', async (t) => {
    const { server, clock, one, two } = await twoCandidates(t)
    await clock.advance(1000)
    await one.leadership.release()
    t.strictSame(one.said, [true])
    t.equal(one.leadership.deadline(), Number.NEGATIVE_INFINITY)
    t.match(server.lease?.spec, { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 })
    await clock.advance(1000)
    t.strictSame(two.said, [true])
    t.match(server.lease?.spec, { holderIdentity: 'two', leaseTransitions: 1 })
  })

  void t.test('released while a renewal is under way is freed after it', async (t) => {
    const server = new LeaseServer()
    const { clock, leadership } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    let letGo = () => {}
    server.fault = (verb) => {
      if (verb === 'get') return
      server.fault = () => {}
      return new Promise((resolve) => {
        letGo = resolve
      })
    }
    await clock.advance(2000)
    const releasing = leadership.release()
    letGo()
    await releasing
    t.match(
      server.writes.map(({ spec }) => spec?.holderIdentity),
      ['one', 'one', ''],
    )
    t.equal(server.reads, 2)
    t.equal(clock.pending, 0)
  })

  void t.test('released against a conflict reads again', async (t) => {
    const server = new LeaseServer()
    const { clock, leadership } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    server.fault = (verb) => {
      if (verb === 'get') return
      server.fault = () => {}
      server.edit({})
    }
    await leadership.release()
    t.match(server.lease?.spec, { holderIdentity: '' })
  })

  void t.test('of another is left alone by a release', async (t) => {
    const server = new LeaseServer()
    server.edit({ holderIdentity: 'other', leaseDurationSeconds: 15 })
    const { clock, leadership } = candidate(t, server, { identity: 'mine' })
    await clock.advance(0)
    await leadership.release()
    t.strictSame([server.writes, server.reads], [[], 1])
    t.equal(clock.pending, 0)
  })

  void t.test('says when it could not be released', async (t) => {
    const server = new LeaseServer()
    const { clock, leadership, lines } = candidate(t, server, { identity: 'one' })
    await clock.advance(0)
    server.fault = unreachable
    await leadership.release()
    t.match(lines.at(-1), /Lease vc-host\/vc-mirror was not released: it has to expire/)
  })

  void t.test('refuses times that cannot work', async (t) => {
    const client = new LeaseServer()
    const lease = { namespace: 'a', name: 'b' }
    for (const times of [{ leaseDurationMs: 10_000 }, { renewDeadlineMs: 2000 }, { retryPeriodMs: 0 }]) {
      t.throws(() => leaseLeadership({ client, lease, ...times }), { code: 'INVALID_LEASE_TIMES' })
    }
  })
})
