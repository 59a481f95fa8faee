import t, { type Test } from 'tap'
import * as z from 'zod'
import { type ApiServer, createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { createClient } from '../../engine/client/create-client.js'
import { isNotFound } from '../../engine/kube/error.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport, TransportRequest } from '../../engine/transport/transport.js'
import type { ControllerContext } from '../controller/context.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import type { ObjectOf } from '../kind/define/kind.js'
import { crdOf } from '../kind/definition/crd-of.js'
import type { Effect } from './effect.js'
import { defaultToken } from './effect-steps.js'

const zones = defineKind({
  group: 'dns.my.domain',
  version: 'v1',
  kind: 'Zone',
  spec: z.object({ hosts: z.array(z.string()) }),
  status: z.object({ records: z.array(z.string()).optional() }),
  effects: ['record'],
  conditions: ['Ready'],
})
type Zone = ObjectOf<typeof zones>

const key = { namespace: 'default', name: 'shop' }
const annotation = 'dns.my.domain/effect-keys.record'

interface DnsRecord {
  readonly id: string
  readonly token: string
  readonly host: string
}

/** DNS outside of the cluster. */
class Dns {
  readonly records = new Map<string, DnsRecord>()
  readonly calls: string[] = []
  finds = 0
  /** Hosts of which it cannot tell whether they have a record. */
  unknown = new Set<string>()
  /** Calls that fail, for example `create a.example`. */
  broken = new Set<string>()
  #made = 0

  get hosts(): string[] {
    return [...this.records.values()].map(({ host }) => host).sort()
  }

  async find(token: string, host: string): Promise<DnsRecord | undefined | 'unknown'> {
    this.finds++
    if (this.unknown.has(host)) return 'unknown'
    return [...this.records.values()].find((one) => one.token === token)
  }

  async create(token: string, host: string): Promise<DnsRecord> {
    this.#call('create', host)
    const made = { id: `r-${++this.#made}`, token, host }
    this.records.set(made.id, made)
    return made
  }

  async remove(id: string): Promise<void> {
    this.#call('remove', this.records.get(id)?.host ?? id)
    this.records.delete(id)
  }

  #call(what: string, host: string): void {
    const call = `${what} ${host}`
    this.calls.push(call)
    if (this.broken.has(call)) throw new Error('DNS is away')
  }
}

const recordEffect = (dns: Dns): Effect<Zone, DnsRecord> => ({
  keyed: true,
  find: (ctx, token) => dns.find(token, ctx.key),
  create: (ctx, token) => dns.create(token, ctx.key),
  remove: (_ctx, id) => dns.remove(id),
})

type Reconcile = (ctx: ControllerContext<Zone, { record: DnsRecord }, 'Ready'>, zone: Zone) => Promise<void>

const showRecords: Reconcile = async (ctx, { spec }) => {
  const records = await ctx.effects('record', spec.hosts)
  ctx.status.records = [...records].map(([host, { id }]) => `${host}=${id}`)
  ctx.condition('Ready', true, 'RecordsCreated')
}

interface StartOptions {
  server: ApiServer
  dns: Dns
  effect?: Partial<Effect<Zone, DnsRecord>>
  reconcile?: Reconcile
  finalize?: () => Promise<void>
  wrap?: (transport: Transport) => Transport
  clock?: VirtualClock
}

const start = ({ server, dns, effect = {}, reconcile = showRecords, finalize, ...more }: StartOptions) =>
  testOperator(
    (operator) =>
      operator.register(
        controller(zones, {
          effects: { record: { ...recordEffect(dns), ...effect } },
          reconcile: (ctx, zone) => reconcile(ctx as never, zone as Zone),
          ...(finalize && { finalize }),
        }),
      ),
    { definitions: [crdOf(zones)], servers: { main: server }, logger: silentLogger, ...more },
  )

type Operator = Awaited<ReturnType<typeof start>>

/** An operator with one object. */
async function startWith(t: Test, hosts: string[], options: Partial<StartOptions> = {}) {
  const server = options.server ?? (await createApiServer())
  const dns = options.dns ?? new Dns()
  const operator = await start({ server, dns, ...options })
  t.teardown(() => operator.stop())
  await operator.client.create(zones, { metadata: { ...key }, spec: { hosts } })
  return { server, dns, operator, ...stepsOf(operator) }
}

function stepsOf({ client, settled }: Operator) {
  const patch = async (body: object) => {
    await client.patch(zones, key, { type: 'merge', body })
  }
  return {
    client,
    settled,
    ask: (hosts: string[]) => patch({ spec: { hosts } }),
    annotate: (annotations: object) => patch({ metadata: { annotations } }),
    forge: (status: object | null) =>
      client.patch(zones, key, { type: 'merge', subresource: 'status', body: { status } }),
    remove: () => client.delete(zones, key),
    read: () => client.get(zones, key),
  }
}

/** Waits for runs that fail and are tried again, so that the operator does not settle. */
async function until(enough: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 2000; turn++) {
    if (await enough()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('it did not happen')
}

const isGone = ({ client }: Pick<Operator, 'client'>) =>
  client.get(zones, key).then(
    () => false,
    (error: unknown) => isNotFound(error),
  )

void t.test('an object has one thing for each key, and those of other keys are removed', async (t) => {
  const zone = await startWith(t, ['a.example', 'b.example', 'a.example'])
  await zone.settled()
  const { status, metadata } = await zone.read()
  t.same(status?.records, ['a.example=r-1', 'b.example=r-2'])
  const things = [
    { key: 'a.example', id: 'r-1' },
    { key: 'b.example', id: 'r-2' },
  ]
  t.match(status, { effects: { record: { things } } })
  t.equal(metadata.annotations?.[annotation], 'a.example b.example')
  await zone.ask(['b.example', 'c.example'])
  await zone.settled()
  t.same(zone.dns.hosts, ['b.example', 'c.example'])
  const changed = await zone.read()
  t.equal(changed.metadata.annotations?.[annotation], 'b.example c.example')
  t.notMatch(JSON.stringify(changed.status), 'a.example')
  await zone.ask([])
  await zone.settled()
  t.same([zone.dns.hosts, (await zone.read()).metadata.annotations?.[annotation]], [[], undefined])
  await zone.ask(['d.example', 'e.example'])
  await zone.settled()
  await zone.remove()
  await zone.settled()
  t.same([zone.dns.hosts, await isGone(zone)], [[], true])
  t.equal(zone.dns.calls.filter((call) => call.startsWith('create')).length, 5)
})

void t.test('a lost status, or lost notes, leave no thing behind, and make no second one', async (t) => {
  for (const lost of ['status', 'notes']) {
    const zone = await startWith(t, ['a.example', 'b.example'])
    await zone.settled()
    const lose = () => (lost === 'status' ? zone.forge(null) : zone.annotate({ [annotation]: null }))
    await lose()
    await zone.settled()
    t.equal(zone.dns.calls.length, 2, 'nothing is made again')
    await zone.annotate({ 'dns.my.domain/paused': 'true' })
    await lose()
    await zone.remove()
    await zone.settled()
    t.same([zone.dns.hosts, await isGone(zone)], [[], true], lost)
  }
})

void t.test('things that fail do not hold up the others, and are tried again', async (t) => {
  const dns = new Dns()
  dns.broken = new Set(['create b.example'])
  const zone = await startWith(t, ['a.example', 'b.example', 'c.example'], { dns })
  await until(() => dns.hosts.length === 2)
  t.same(dns.hosts, ['a.example', 'c.example'])
  dns.broken = new Set(['remove a.example'])
  await zone.ask(['c.example', 'd.example'])
  await until(() => dns.calls.includes('remove a.example') && dns.hosts.includes('d.example'))
  t.match((await zone.read()).metadata.annotations?.[annotation], /^a.example /, 'it is still noted')
  dns.broken = new Set()
  await until(async () => !(await zone.read()).metadata.annotations?.[annotation]?.includes('a.example'))
  t.same(dns.hosts, ['c.example', 'd.example'])
})

void t.test('keys that do not fit stall the object, and change nothing', async (t) => {
  const zone = await startWith(t, ['a.example'])
  await zone.settled()
  const numbers = Array.from({ length: 101 }, (_, n) => `h${n}.example`)
  const wrong: [string[], RegExp][] = [
    [numbers, /effect record: 101 keys are too many; one object may have 100/],
    [['b.example', 'two words'], /effect record: \\"two words\\" is not a valid key/],
    [['x'.repeat(254)], /is not a valid key/],
    [[''], /is not a valid key/],
    [['\u0000'], /is not a valid key/],
  ]
  for (const [hosts, message] of wrong) {
    await zone.ask(hosts)
    await zone.settled()
    t.match(JSON.stringify((await zone.read()).status?.conditions), message)
    t.same(zone.dns.hosts, ['a.example'])
  }
  await zone.ask(numbers.slice(1))
  await zone.settled()
  t.equal(zone.dns.hosts.length, 100, 'as many as possible')
  t.notMatch(JSON.stringify((await zone.read()).status?.conditions), 'too many')
})

void t.test('forged keys reach no thing of another object, and are forgotten', async (t) => {
  const dns = new Dns()
  await dns.create('of-another-object', 'foreign.example')
  const clock = new VirtualClock()
  const zone = await startWith(t, ['a.example'], { dns, clock })
  await zone.settled()
  const junk = Array.from({ length: 1000 }, (_, n) => `junk-${n}`).join(' ')
  await zone.annotate({ [annotation]: `foreign.example ${junk} ${'x'.repeat(300)} "quoted"` })
  const lies = [{ key: 'foreign.example', id: 'r-1' }, { key: 'two words', id: 'r-1' }, { key: 'b' }]
  await zone.forge({ effects: { record: { id: 'r-1', things: lies } } })
  await zone.settled()
  const notedKeys = async () => (await zone.read()).metadata.annotations?.[annotation]
  const hasJunk = async () => (await notedKeys())?.includes('junk')
  let minutes = 0
  while (await hasJunk()) {
    dns.finds = 0
    await clock.advance(70_000)
    await zone.settled()
    minutes++
    t.ok(dns.finds <= 402, `${dns.finds} calls of find, of two runs at most`)
  }
  t.ok(minutes >= 3, 'one run looks for 200 keys')
  t.same(dns.hosts, ['a.example', 'foreign.example'])
  const { metadata, status } = await zone.read()
  t.equal(metadata.annotations?.[annotation], 'a.example')
  t.match(status?.records, ['a.example=r-2'])
  await zone.annotate({ [annotation]: `${junk} a.example` })
  await zone.remove()
  await zone.settled()
  for (let minute = 0; minute < 10 && !(await isGone(zone)); minute++) {
    await clock.advance(70_000)
    await zone.settled()
  }
  t.same([dns.hosts, await isGone(zone)], [['foreign.example'], true])
})

void t.test('names that every JavaScript object has can be keys', async (t) => {
  const names = ['__proto__', 'constructor', 'toString']
  const zone = await startWith(t, names)
  await zone.settled()
  t.same(zone.dns.hosts, [...names].sort())
  await zone.ask(['constructor'])
  await zone.settled()
  t.same(zone.dns.hosts, ['constructor'])
  await zone.remove()
  await zone.settled()
  t.same(zone.dns.hosts, [])
})

void t.test(
  'a person decides about each key of which `find` cannot tell whether its thing exists',
  async (t) => {
    const first = await startWith(t, ['a.example'])
    await first.settled()
    await first.operator.stop()
    await first.forge(null)
    first.dns.unknown = new Set(['a.example'])
    const { server, dns } = first
    const next = await start({ server, dns })
    t.teardown(() => next.stop())
    const zone = stepsOf(next)
    await zone.ask(['a.example', 'b.example'])
    await zone.settled()
    t.same(dns.hosts, ['a.example', 'b.example'], 'the key that was not begun is made')
    const conditions = async () => JSON.stringify((await zone.read()).status?.conditions)
    t.match(await conditions(), /CreationUncertain.*retry-effect: record\/a.example/)
    for (const value of ['record', 'a.example', 'record/b.example']) {
      await zone.annotate({ 'dns.my.domain/retry-effect': value })
      await until(async () => /CreationUncertain/.test(await conditions()))
      t.equal(dns.calls.filter((call) => call === 'create a.example').length, 1, `not for ${value}`)
    }
    dns.records.clear()
    await zone.annotate({ 'dns.my.domain/retry-effect': 'record/a.example' })
    await until(() => dns.hosts.length === 2)
    t.same(dns.hosts, ['a.example', 'b.example'])
  },
)

void t.test('a decision about a key that is not wanted any more is used up', async (t) => {
  const zone = await startWith(t, ['a.example'])
  await zone.settled()
  zone.dns.records.clear()
  const retry = 'dns.my.domain/retry-effect'
  const body = { metadata: { annotations: { [retry]: 'record/a.example' } }, spec: { hosts: [] } }
  await zone.client.patch(zones, key, { type: 'merge', body })
  await zone.settled()
  t.equal((await zone.read()).metadata.annotations?.[retry], undefined, 'although nothing was found')
})

void t.test('a thing that two keys name is not removed with one of them', async (t) => {
  const token: Effect<Zone>['token'] = ({ metadata }, host) => `${metadata.uid}-${host.toLowerCase()}`
  const zone = await startWith(t, ['A.example'], { effect: { token } })
  await zone.settled()
  await zone.ask(['a.example'])
  await zone.settled()
  t.same(zone.dns.calls, ['create A.example'])
  t.equal((await zone.read()).metadata.annotations?.[annotation], 'a.example')
  await zone.ask(['a.example', 'A.example'])
  await zone.settled()
  t.match(
    JSON.stringify((await zone.read()).status?.conditions),
    'effect record: the keys a.example and A.example have the same token',
  )
})

void t.test(
  'an effect that gets keys, or loses them, leaves no thing of the other form behind',
  async (t) => {
    const server = await createApiServer()
    const dns = new Dns()
    const single: Reconcile = async (ctx) => void (await ctx.effect('record'))
    const first = await start({ server, dns, effect: { keyed: false }, reconcile: single })
    await first.client.create(zones, { metadata: { ...key }, spec: { hosts: ['a.example', 'b.example'] } })
    await first.settled()
    t.same(dns.hosts, [''])
    await first.stop()
    await stepsOf(first).forge(null)
    const keyed = await start({ server, dns })
    await keyed.settled()
    t.same(dns.hosts, ['a.example', 'b.example'])
    await keyed.stop()
    const last = await start({ server, dns, effect: { keyed: false }, reconcile: single })
    t.teardown(() => last.stop())
    await last.settled()
    await last.client.delete(zones, key)
    await last.settled()
    t.same([dns.hosts, await isGone(last)], [[], true])
  },
)

void t.test('the call that does not fit the declaration says which one does', async (t) => {
  const errors: unknown[] = []
  const both: Reconcile = async (ctx) => {
    await ctx.effect('record').catch((error: unknown) => errors.push(error))
    await ctx.effects('record', []).catch((error: unknown) => errors.push(error))
  }
  for (const keyed of [true, false]) {
    const zone = await startWith(t, [], { effect: { keyed }, reconcile: both })
    await zone.settled()
  }
  t.match(errors.slice(0, 1), [/effect record has keys: call ctx.effects\('record', keys\)/])
  t.match(errors.slice(-1), [/effect record has no keys: set keyed in its declaration/])
})

void t.test('a deletion finds a key that was noted after the object was read', async (t) => {
  const server = await createApiServer()
  const dns = new Dns()
  const other = createClient({ transport: inProcessTransport(server) })
  const finalize = async () => {
    // Stands for the last write of a process that this one has replaced.
    const token = defaultToken((await other.get(zones, key)).metadata.uid, {
      name: 'record',
      key: 'late.example',
    })
    const annotations = { [annotation]: 'a.example late.example' }
    await other.patch(zones, key, { type: 'merge', body: { metadata: { annotations } } })
    await dns.create(token, 'late.example')
  }
  const zone = await startWith(t, ['a.example'], { server, dns, finalize })
  await zone.settled()
  await zone.remove()
  await zone.settled()
  t.same([dns.hosts, await isGone(zone)], [[], true])
})

void t.test('a note of another process is kept when one more is made from an older state', async (t) => {
  const server = await createApiServer()
  const other = createClient({ transport: inProcessTransport(server) })
  const seen: unknown[] = []
  const annotations = { [annotation]: 'other.example' }
  const noteFirst = async ({ method, body }: TransportRequest) => {
    if (method !== 'PATCH' || !String(body).includes(annotation) || seen.length > 0) return
    seen.push('the note of the other process')
    await other.patch(zones, key, { type: 'merge', body: { metadata: { annotations } } })
  }
  const wrap = (transport: Transport): Transport => ({
    request: async (request) => {
      await noteFirst(request)
      return transport.request(request)
    },
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  })
  const reconcile: Reconcile = async (ctx, zone) => {
    await ctx.effects('record', zone.spec.hosts)
    seen.push((await other.get(zones, key)).metadata.annotations?.[annotation])
  }
  const zone = await startWith(t, ['a.example'], { server, reconcile, wrap })
  await zone.settled()
  t.same(seen.slice(0, 2), ['the note of the other process', 'other.example a.example'])
  t.equal((await zone.read()).metadata.annotations?.[annotation], 'a.example', 'then it is removed')
})

void t.test('no more keys are noted while 200 are, and their things cannot be removed', async (t) => {
  const zone = await startWith(t, ['a.example'])
  await zone.settled()
  const former = Array.from({ length: 200 }, (_, n) => `former-${n}`)
  zone.dns.unknown = new Set(former)
  await zone.annotate({ [annotation]: former.join(' ') })
  await zone.ask(['b.example'])
  await zone.settled()
  t.notOk(zone.dns.hosts.includes('b.example'))
  await zone.operator.stop()
  zone.dns.unknown = new Set()
  const next = await start(zone)
  t.teardown(() => next.stop())
  await next.settled()
  t.equal((await stepsOf(next).read()).metadata.annotations?.[annotation], 'b.example')
  t.same(zone.dns.hosts, ['b.example'])
})
