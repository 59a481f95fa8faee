import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Backup } from '../backups.fixture.js'
import { backup, backups, key } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { createOperator } from '../create-operator.js'
import { recordedOperator } from '../recorded-operator.fixture.js'
import { controller } from './controller.js'

/** An object of a name that belongs to an account. */
const backupOf = (name: string, settings?: string): Backup => ({
  metadata: { ...key, name },
  spec: { size: 1, ...(settings !== undefined && { settings }) },
})

/** A recorded operator with a virtual clock. */
async function timed(t: Parameters<typeof recordedOperator>[0], options: ControllerOptions<Backup>) {
  const clock = new VirtualClock()
  return {
    clock,
    ...(await recordedOperator(t, options, { clock, servers: { main: await createApiServer({ clock }) } })),
  }
}

void t.test('objects with the same answer of serializeBy never run at the same time', async (t) => {
  const running = new Set<string>()
  const together = new Set<string>()
  const { client, settled, clock } = await timed(t, {
    serializeBy: ({ spec }) => {
      if (spec.settings === 'broken') throw new Error('has no account')
      return spec.settings
    },
    async reconcile(_ctx, { metadata: { name = '' } }) {
      running.add(name)
      for (const other of running) if (other !== name) together.add([name, other].sort().join(' '))
      await new Promise<void>((resolve) => clock.schedule(100, resolve))
      running.delete(name)
    },
  })
  const objects = [
    ...['a1', 'a2', 'a3'].map((name) => backupOf(name, 'account-a')),
    ...['b1', 'b2'].map((name) => backupOf(name, 'account-b')),
    ...['x1', 'x2'].map((name) => backupOf(name, 'broken')),
    ...['n1', 'n2'].map((name) => backupOf(name)),
  ]
  await Promise.all(objects.map((object) => client.create(backups, object)))
  for (let turns = 0; turns < 30; turns++) {
    await clock.advance(100)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await settled()
  const inOneGroup = [...together].filter((pair) => {
    const [one = '', other = ''] = pair.split(' ')
    return one[0] === other[0]
  })
  t.strictSame(inOneGroup, ['n1 n2'], 'objects without a group run whenever a worker is free')
  t.ok(together.has('a1 b1') || together.has('a2 b1') || together.has('a3 b1'), [...together].join(', '))
})

void t.test('maxRunsPerSecond bounds the runs of a controller in any second', async (t) => {
  const begun: number[] = []
  const { client, clock } = await timed(t, {
    maxRunsPerSecond: 5,
    reconcile: () => void begun.push(clock.now()),
  })
  for (let i = 0; i < 12; i++) await client.create(backups, backupOf(`b-${i}`))
  await clock.advance(5000)
  t.equal(begun.length, 12)
  const most = Math.max(...begun.map((from) => begun.filter((at) => at >= from && at < from + 1000).length))
  t.equal(most, 5)
})

void t.test('resyncMs runs every key again, and nothing else does', async (t) => {
  const runs: number[] = []
  const { client, settled, clock } = await timed(t, {
    resyncMs: 600_000,
    predicate: () => false,
    reconcile: () => void runs.push(clock.now()),
  })
  await client.create(backups, backup(1))
  await settled()
  t.equal(runs.length, 1)
  await clock.advance(539_000)
  t.equal(runs.length, 1)
  await clock.advance(122_000)
  await settled()
  t.equal(runs.length, 2, 'within 10 % of the interval, whatever the predicate says')
  await clock.advance(1_400_000)
  await settled()
  t.ok(runs.length >= 4 && runs.length <= 5, `${runs.length} runs`)
})

void t.test('a limit that is not above 0 is refused, with its name and its value', (t) => {
  const operator = createOperator({ name: 'limited', env: {}, logger: silentLogger })
  const wrong = controller(backups, { maxRunsPerSecond: 0, reconcile: () => {} })
  t.throws(() => controller(undefined as never, { reconcile: () => {} }), {
    code: 'INVALID_REGISTRATION',
    message:
      /^a controller has no kind: its resource is undefined, as where two files import each other; pass one such/,
  })
  const circular: { self?: object } = {}
  circular.self = circular
  t.throws(() => controller(circular as never, { reconcile: () => {} }), {
    message: /^a controller has no kind: its resource is a value without kind and plural; /,
  })
  class Misspelt {
    readonly reconcil = () => {}
  }
  t.throws(() => operator.register(controller(backups, new Misspelt() as never)), {
    code: 'INVALID_REGISTRATION',
    message: 'controller backups has no function reconcile; rename its option reconcil',
  })
  t.throws(() => operator.register(undefined as never), {
    code: 'INVALID_REGISTRATION',
    message: 'undefined is not a controller: register what controller(kind, options) returns',
  })
  t.throws(() => operator.register(controller(backups, undefined as never)), {
    message: 'controller backups has no function reconcile; write reconcile(ctx, object) in its options',
  })
  t.throws(() => createOperator(undefined as never), { message: /^the name of the operator is missing: / })
  t.throws(() => operator.register(wrong), {
    code: 'INVALID_REGISTRATION',
    message: /controller backups: maxRunsPerSecond must be above 0, got 0/,
  })
  t.end()
})
