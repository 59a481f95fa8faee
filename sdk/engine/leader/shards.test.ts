import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { Client } from '../client/client.js'
import type { Lease } from '../kube/builtin.js'
import { ApiError } from '../kube/error.js'
import type { Key } from '../kube/key.js'
import type { KubeObject } from '../kube/object.js'
import { silentLogger } from '../observe/logger.js'
import { fairShare } from './fair-share.js'
import type { Leadership } from './leadership.js'
import { leaseLeadership } from './lease-leadership.js'
import { withShardCount } from './lease-record.js'
import { Resharding } from './resharding.js'
import { shardLeadership } from './shard-leadership.js'
import { shardOf } from './shard-of.js'

const stem: Key = { namespace: 'vc-host', name: 'vc-mirror' }

type LeaseClient = Pick<Client, 'get' | 'list' | 'create' | 'update' | 'delete'>

function fail(code: number, reason: string): never {
  throw new ApiError({ code, reason, message: reason })
}

/** The Leases of a namespace, for clients that can be cut off one by one. */
class LeaseServer {
  readonly leases = new Map<string, Lease>()
  readonly #clock: VirtualClock
  #version = 0

  constructor(clock: VirtualClock) {
    this.#clock = clock
  }

  client(isCutOff: () => boolean): LeaseClient {
    const answer = async <R>(act: () => R) => {
      if (isCutOff()) throw new Error('connect ECONNREFUSED')
      const result = structuredClone(act())
      // The write may have succeeded although its caller gets an error.
      if (isCutOff()) throw new Error('socket hang up')
      return result as never
    }
    return {
      get: (_resource, { name }) => answer(() => this.leases.get(name) ?? fail(404, 'NotFound')),
      list: (_resource, { labelSelector = '' } = {}) => answer(() => this.#list(labelSelector)),
      create: (_resource, object) => answer(() => this.#create(object)),
      update: (_resource, object) => answer(() => this.#update(object)),
      delete: (_resource, { name }, { resourceVersion } = {}) =>
        answer(() => {
          const lease = this.leases.get(name) ?? fail(404, 'NotFound')
          if (lease.metadata.resourceVersion !== resourceVersion) fail(409, 'Conflict')
          this.leases.delete(name)
          return lease
        }),
    }
  }

  holder(name: string): string | undefined {
    return this.leases.get(name)?.spec?.holderIdentity
  }

  #list(labelSelector: string) {
    const [label = '', value] = labelSelector.split('=')
    const items = [...this.leases.values()].filter(({ metadata }) => metadata.labels?.[label] === value)
    return { apiVersion: 'v1', kind: 'LeaseList', metadata: {}, items }
  }

  #create(object: KubeObject): Lease {
    const { name = '' } = object.metadata
    if (this.leases.has(name)) fail(409, 'AlreadyExists')
    const creationTimestamp = this.#clock.date().toISOString()
    return this.#store(name, { ...object.metadata, uid: `${this.#version}`, creationTimestamp }, object)
  }

  #update(object: KubeObject): Lease {
    const { name = '', resourceVersion } = object.metadata
    const known = this.leases.get(name) ?? fail(404, 'NotFound')
    if (known.metadata.resourceVersion !== resourceVersion) fail(409, 'Conflict')
    return this.#store(name, object.metadata, object)
  }

  #store(name: string, metadata: KubeObject['metadata'], object: KubeObject): Lease {
    this.#version++
    const lease = structuredClone({
      ...object,
      metadata: { ...metadata, resourceVersion: String(this.#version) },
    }) as Lease
    this.leases.set(name, lease)
    return lease
  }
}

type Sharded = ReturnType<typeof shardLeadership>

interface Replica {
  readonly name: string
  readonly leadership: Leadership & Partial<Pick<Sharded, 'assignment'>>
  /** Whether it may write for objects of a namespace. */
  writes(namespace: string): boolean
  /** The process dies, or its network does. */
  cutOff: boolean
  dead: boolean
}

class Fleet {
  readonly clock = new VirtualClock()
  readonly server = new LeaseServer(this.clock)
  readonly replicas: Replica[] = []
  readonly lines: string[] = []

  /** Starts a replica that splits the work into `count` shards. */
  join(name: string, count: number): Replica {
    const replica = { name, cutOff: false, dead: false } as Replica & { leadership: Leadership }
    const line = (_fields: object, message: string) => this.lines.push(`${name}: ${message}`)
    const logger = { ...silentLogger, info: line, warn: line, error: line, child: () => logger }
    const options = {
      client: this.server.client(() => replica.cutOff),
      lease: stem,
      identity: name,
      clock: this.clock,
      random: () => 0.5,
      logger,
    }
    const leadership = count === 1 ? leaseLeadership(options) : shardLeadership({ ...options, count })
    const assignment = 'assignment' in leadership ? leadership.assignment : undefined
    const deadline = (namespace: string) => {
      if (!assignment) return leadership.deadline()
      let asked = () => Number.NaN
      void assignment.run({ namespace, name: 'x' }, async (own) => {
        asked = own
      })
      return asked()
    }
    Object.assign(replica, { leadership, writes: (ns: string) => deadline(ns) > this.clock.now() })
    // A plugin that loses a shard ends.
    leadership.leader$.subscribe((leads) => leads || void this.#leave(replica))
    this.replicas.push(replica)
    return replica
  }

  async stop(replica: Replica): Promise<void> {
    replica.leadership.drain?.()
    await this.#leave(replica)
  }

  crash(replica: Replica): void {
    Object.assign(replica, { cutOff: true, dead: true })
  }

  get alive(): Replica[] {
    return this.replicas.filter(({ dead }) => !dead)
  }

  /** Which shards each of those alive serves. */
  get shards(): Record<string, readonly number[]> {
    return Object.fromEntries(
      this.alive.map(({ name, leadership }) => [name, leadership.assignment?.shards ?? []]),
    )
  }

  /** Lets time pass, and answers the namespaces that two could write for at once. */
  async pass(ms: number): Promise<string[]> {
    const wrong: string[] = []
    for (let passed = 0; passed < ms; passed += stepMs) {
      await this.clock.advance(stepMs)
      for (const namespace of namespaces) {
        const writers = this.replicas.filter((replica) => replica.writes(namespace))
        if (writers.length > 1) wrong.push(`${namespace}: ${writers.map(({ name }) => name)}`)
      }
    }
    return wrong
  }

  async close(): Promise<void> {
    for (const replica of this.replicas) {
      replica.cutOff = false
      await replica.leadership.release()
    }
  }

  async #leave(replica: Replica): Promise<void> {
    replica.dead = true
    await replica.leadership.release()
  }
}

/** How often it is looked who may write, in milliseconds. */
const stepMs = 500

const namespaces = Array.from({ length: 8 }, (_, i) => `tenant-${i}`)

function fleet(t: Test): Fleet {
  const made = new Fleet()
  t.teardown(() => made.close())
  return made
}

void t.test('the shard of a key', async (t) => {
  void t.test('is the same in every version', async (t) => {
    const shards = ['default', 'kube-system', 'tenant-1', 'tenant-2', 'grüße'].map((namespace) =>
      shardOf({ namespace, name: 'x' }, 1000),
    )
    t.same(shards, [652, 651, 711, 764, 489])
    t.equal(shardOf({ namespace: '', name: 'default' }, 16), shardOf({ namespace: 'default', name: 'x' }, 16))
  })

  void t.test('spreads namespaces whose names differ in a digit', async (t) => {
    for (const count of [2, 3, 7, 16]) {
      const sizes = Array.from({ length: count }, () => 0)
      for (let i = 0; i < 1600; i++) {
        const shard = shardOf({ namespace: `tenant-${i}`, name: '' }, count)
        sizes[shard] = (sizes[shard] ?? 0) + 1
      }
      t.ok(Math.max(...sizes) < (1600 / count) * 1.35, `${count} shards of ${sizes}`)
    }
  })
})

void t.test('fair shares are all shards together, and differ by one at most', async (t) => {
  for (const count of [2, 3, 16]) {
    for (const replicas of [1, 2, 3, 5, 20]) {
      const shares = Array.from({ length: replicas }, (_, rank) => fairShare({ count, replicas, rank }))
      t.equal(
        shares.reduce((sum, share) => sum + share),
        count,
      )
      t.equal(Math.max(...shares), Math.ceil(count / replicas))
      t.same(
        [...shares].sort((a, b) => b - a),
        shares,
        'the older have the larger',
      )
    }
  }
})

void t.test('the Leases of shards', async (t) => {
  void t.test('are all won at once by a single replica, and have their number as a label', async (t) => {
    const { clock, server, join, ...f } = bound(fleet(t))
    const one = join('one', 3)
    await clock.advance(0)
    t.same(f.shards(), { one: [0, 1, 2] })
    t.match(server.leases.get('vc-mirror'), {
      metadata: {
        labels: {
          'plugin.vcluster.loft.sh/leases-of': 'vc-mirror',
          'plugin.vcluster.loft.sh/lease-role': 'shard',
        },
        annotations: { 'plugin.vcluster.loft.sh/shards': '3' },
      },
      spec: { holderIdentity: 'one', leaseDurationSeconds: 15, renewTime: '2024-01-01T00:00:00.000000Z' },
    })
    t.same([...server.leases.keys()].sort().slice(0, 3), [
      'vc-mirror',
      'vc-mirror-replica-7692c3ad35',
      'vc-mirror-shard-1',
    ])
    let asked = () => 0
    await one.leadership.assignment?.run({ namespace: 'tenant-1', name: 'x' }, async (own) => {
      asked = own
    })
    t.equal(asked(), 10_000, 'each has a deadline')
  })

  void t.test('are given to a joining replica, and taken back from a leaving one', async (t) => {
    const { join, ...f } = bound(fleet(t))
    const one = join('one', 3)
    t.same(await f.pass(3000), [])
    const two = join('two', 3)
    t.same(await f.pass(10_000), [])
    t.same(f.shards(), { one: [0, 1], two: [2] })
    const three = join('three', 3)
    t.same(await f.pass(10_000), [])
    t.same(f.shards(), { one: [0], two: [2], three: [1] })
    const four = join('four', 3)
    t.same(await f.pass(10_000), [])
    t.same(
      f.shards(),
      { one: [0], two: [2], three: [1], four: [] },
      'the replica without a shard is on standby',
    )
    for (const { leadership } of [one, two, three, four]) {
      const holders = [0, 1, 2].map((shard) => leadership.assignment?.holder(shard))
      t.same(holders, ['one', 'three', 'two'], 'each knows who has which')
    }
    await f.stop(one)
    t.same(await f.pass(5000), [])
    t.same(f.shards(), { two: [2], three: [1], four: [0] }, 'and takes over without waiting for a Lease')
    f.crash(two)
    f.crash(three)
    t.same(await f.pass(12_000), [])
    t.same(f.shards(), { four: [0] })
    t.equal(four.leadership.assignment?.holder(1), 'three', 'as its Lease still says')
    t.same(await f.pass(8000), [])
    t.same(f.shards(), { four: [0, 1, 2] }, 'a crash is waited out')
    t.equal(f.server.leases.size, 4, 'the Leases of crashed replicas are removed')
  })

  void t.test(
    'have one holder at most while replicas join, leave, crash or lose their network',
    async (t) => {
      for (let seed = 1; seed <= 4; seed++) {
        const f = new Fleet()
        const random = randoms(seed)
        const count = 2 + Math.floor(random() * 7)
        const wrong: string[] = []
        for (let event = 0; event < 15; event++) {
          const [any] = f.alive.sort(() => random() - 0.5)
          const what = random()
          if (any === undefined || what < 0.4) f.join(`r${event}`, count)
          else if (what < 0.6) await f.stop(any)
          else if (what < 0.8) f.crash(any)
          else any.cutOff = !any.cutOff
          wrong.push(...(await f.pass(Math.floor(random() * 12_000))))
        }
        for (const one of f.alive) one.cutOff = false
        if (f.alive.length === 0) f.join('last', count)
        wrong.push(...(await f.pass(60_000)))
        const sizes = Object.values(f.shards).map((shards) => shards.length)
        t.same(wrong, [], `seed ${seed}`)
        t.equal(
          sizes.reduce((sum, size) => sum + size, 0),
          count,
          `seed ${seed}: every shard is served`,
        )
        t.ok(
          Math.max(...sizes) <= Math.ceil(count / f.alive.length),
          `seed ${seed}: ${count} shards as ${sizes}`,
        )
        await f.close()
      }
    },
  )

  void t.test('are given away when what runs in them has ended', async (t) => {
    const { clock, server, join, ...f } = bound(fleet(t))
    const one = join('one', 2)
    await clock.advance(0)
    const run = openRun(one, keyIn(1, 2))
    join('two', 2)
    t.same(await f.pass(6000), [])
    t.same(f.shards(), { one: [0], two: [] }, 'no further run begins')
    t.equal(server.holder('vc-mirror-shard-1'), 'one')
    t.ok(run.deadline() > clock.now(), 'the one under way may write')
    run.end()
    await clock.advance(0)
    t.equal(server.holder('vc-mirror-shard-1'), '')
    t.equal(run.deadline(), Number.NEGATIVE_INFINITY, 'what it left behind may not')
    t.same(await f.pass(3000), [])
    t.same(f.shards(), { one: [0], two: [1] })
  })

  void t.test('go to the next when a run does not end, which then may no longer write', async (t) => {
    const { clock, join, ...f } = bound(fleet(t))
    const one = join('one', 2)
    await clock.advance(0)
    const run = openRun(one, keyIn(1, 2))
    join('two', 2)
    t.same(await f.pass(13_000), [])
    t.equal(run.deadline(), Number.NEGATIVE_INFINITY)
    t.same(f.shards(), { one: [0], two: [] }, 'the Lease has to expire')
    t.same(await f.pass(18_000), [])
    t.same(f.shards(), { one: [0], two: [1] })
  })

  void t.test('are freed one by one at a stop, the busy last', async (t) => {
    const { clock, server, join, ...f } = bound(fleet(t))
    const one = join('one', 3)
    await clock.advance(0)
    const run = openRun(one, keyIn(1, 3))
    one.leadership.drain?.()
    t.same(f.shards(), { one: [] })
    await clock.advance(0)
    const holders = () =>
      ['vc-mirror', 'vc-mirror-shard-1', 'vc-mirror-shard-2'].map((name) => server.holder(name))
    t.same(holders(), ['', 'one', ''])
    await clock.advance(20_000)
    t.ok(run.deadline() > clock.now(), 'and it is kept meanwhile')
    run.end()
    await clock.advance(0)
    t.same(holders(), ['', '', ''])
    await one.leadership.release()
    t.same([...server.leases.keys()], ['vc-mirror', 'vc-mirror-shard-1', 'vc-mirror-shard-2'])
    t.equal(clock.pending, 0)
  })

  void t.test('end all leadership when one is lost', async (t) => {
    const { clock, server, join, ...f } = bound(fleet(t))
    const one = join('one', 2)
    await clock.advance(0)
    const lease = server.leases.get('vc-mirror-shard-1')
    if (lease?.spec) lease.spec.holderIdentity = 'thief'
    await clock.advance(4000)
    t.same(f.shards(), {})
    t.ok(one.dead)
    t.match(server.holder('vc-mirror'), '')
    t.ok(f.lines.some((line) => line.includes('Lease vc-host/vc-mirror-shard-1 is held by thief')))
  })

  for (const [before, after] of [
    [1, 3],
    [3, 1],
    [3, 2],
  ] as const) {
    void t.test(`are never held in ${before} and in ${after} parts at once`, async (t) => {
      const { join, ...f } = bound(fleet(t))
      const old = [join('old', before), join('older', before)]
      t.same(await f.pass(10_000), [])
      join('new', after)
      t.same(await f.pass(20_000), [])
      t.same(writersOf(f.fleet).has('new'), false, 'who counts otherwise waits')
      for (const one of old.slice(0, 1)) await f.stop(one)
      t.same(await f.pass(30_000), [])
      for (const one of old) if (!one.dead) f.crash(one)
      t.same(await f.pass(50_000), [])
      t.same([...writersOf(f.fleet)], ['new'])
    })
  }

  void t.test('are founded in one number of parts, though two numbers come at once', async (t) => {
    const { join, ...f } = bound(fleet(t))
    for (const count of [3, 2, 5, 2]) join(`of-${count}-${f.fleet.replicas.length}`, count)
    t.same(await f.pass(20_000), [])
    t.equal(new Set([...writersOf(f.fleet)].map((name) => name.slice(0, 4))).size, 1)
  })

  void t.test(
    'are taken from another number of shards only after its holders had time to see it',
    async (t) => {
      const { clock, join, server, ...f } = bound(fleet(t))
      const [one, two] = [join('one', 2), join('two', 2)]
      t.same(await f.pass(6000), [])
      t.same(f.shards(), { one: [0], two: [1] })
      two.cutOff = true
      await f.stop(one)
      join('plain', 1)
      const startMs = clock.now()
      t.same(await f.pass(5000), [])
      t.equal(
        server.leases.get('vc-mirror')?.metadata.annotations?.['plugin.vcluster.loft.sh/shards'],
        'changing',
      )
      while (!writersOf(f.fleet).has('plain')) t.same(await f.pass(stepMs), [])
      t.ok(clock.now() - startMs >= 15_000)
    },
  )

  void t.test('refuse a number that is none', async (t) => {
    const client = new Fleet().server.client(() => false)
    for (const count of [0, 1, 1.5, 65, Number.NaN])
      t.throws(() => shardLeadership({ client, lease: stem, count }), { code: 'INVALID_SHARDS' })
  })
})

void t.test(
  'a number of shards that changes is ours only after we have held it for a lease duration',
  async (t) => {
    const resharding = new Resharding({ count: 2, identity: 'mine', leaseDurationMs: 15_000 })
    const lease = (holderIdentity: string, shards: string) =>
      withShardCount({ metadata: { name: 'x' }, spec: { holderIdentity } }, shards)
    t.equal(resharding.next(undefined, 0), '2')
    t.equal(resharding.next(lease('', '3'), 0), 'changing')
    t.equal(resharding.next(lease('mine', 'changing'), 1000), 'changing')
    t.equal(resharding.next(lease('other', 'changing'), 17_000), 'changing', 'another took it meanwhile')
    t.equal(resharding.next(lease('mine', 'changing'), 20_000), 'changing')
    t.equal(resharding.next(lease('mine', 'changing'), 34_999), 'changing')
    t.equal(resharding.next(lease('mine', 'changing'), 35_000), '2')
  },
)

void t.test(
  'work without a key writes on the replica of shard 0, and `whenFirst` resolves when it gets shard 0',
  async (t) => {
    const { join, ...f } = bound(fleet(t))
    const [one, two] = [join('one', 2), join('two', 2)]
    t.same(await f.pass(8000), [])
    t.ok(one.leadership.deadline() > f.clock.now())
    t.equal(two.leadership.deadline(), Number.NEGATIVE_INFINITY)
    t.ok((two.leadership.assignment?.latestDeadline() ?? 0) > f.clock.now())
    let isFirst = false
    void two.leadership.assignment?.whenFirst().then(() => {
      isFirst = true
    })
    await f.pass(1000)
    t.notOk(isFirst)
    await f.stop(one)
    await f.pass(4000)
    t.ok(isFirst)
  },
)

/** A fleet in parts, for tests to take apart. */
function bound(f: Fleet) {
  return {
    fleet: f,
    clock: f.clock,
    server: f.server,
    lines: f.lines,
    join: f.join.bind(f),
    stop: f.stop.bind(f),
    crash: f.crash.bind(f),
    pass: f.pass.bind(f),
    shards: () => f.shards,
  }
}

const writersOf = (f: Fleet) =>
  new Set(
    namespaces.flatMap((namespace) =>
      f.replicas.filter((one) => one.writes(namespace)).map(({ name }) => name),
    ),
  )

function keyIn(shard: number, count: number): Key {
  const namespace = namespaces.find((name) => shardOf({ namespace: name, name: '' }, count) === shard) ?? ''
  return { namespace, name: 'x' }
}

/** A run that ends when the test says so. */
function openRun({ leadership: { assignment } }: Replica, key: Key) {
  let end = () => {}
  let deadline = () => 0
  void assignment?.run(key, (own) => {
    deadline = own
    return new Promise<void>((resolve) => {
      end = resolve
    })
  })
  return { end: () => end(), deadline: () => deadline() }
}

/** Numbers from 0 up to 1, the same for a seed (mulberry32). */
function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
