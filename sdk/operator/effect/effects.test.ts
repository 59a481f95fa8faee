import t from 'tap'
import * as z from 'zod'
import { type ApiServer, createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { isNotFound } from '../../engine/kube/error.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { Transport, TransportRequest, TransportResponse } from '../../engine/transport/transport.js'
import type { ControllerOptions } from '../controller/definition.js'
import { generationChanged } from '../controller/predicate.js'
import { controller } from '../engine/controller.js'
import { defineKind } from '../kind/define/define-kind.js'
import { crdOf } from '../kind/definition/crd-of.js'

const buckets = defineKind({
  group: 'cloud.my.domain',
  version: 'v1',
  kind: 'Bucket',
  spec: z.object({ region: z.string() }),
  status: z.object({ url: z.string().optional() }),
  effects: ['bucket', 'former'],
  conditions: ['Ready'],
})

const key = { namespace: 'default', name: 'photos' }
const object = { metadata: { ...key }, spec: { region: 'north' } }

/** The point of a step at which a test ends the process: nothing after it happens. */
type Phase = 'before' | 'unanswered' | 'after'

/** Counts the steps that change something, and dies at one of them. */
class Fuse {
  step = 0
  isDead = false
  readonly #at: number
  readonly #phase: Phase

  constructor(at: number, phase: Phase) {
    this.#at = at
    this.#phase = phase
  }

  async pass<R>(work: () => Promise<R>): Promise<R> {
    if (this.isDead) throw new Error('the process is dead')
    const isLast = this.step++ === this.#at
    if (isLast && this.#phase === 'before') return this.#die()
    const result = await work()
    if (isLast && this.#phase === 'unanswered') return this.#die()
    if (isLast) this.isDead = true
    return result
  }

  #die(): never {
    this.isDead = true
    throw new Error('the process is dead')
  }
}

interface Made {
  id: string
  token: string
  region: string
}

/** A cloud behind a network: a created thing stays even if the caller has died. */
class Cloud {
  readonly things = new Map<string, Made>()
  created = 0
  finds: 'always' | 'unknown' = 'always'
  readonly #client: Client

  constructor(server: ApiServer) {
    this.#client = clientOf(server)
  }

  /** Nothing may be created for an object that can go without a run. */
  async checkFinalizer(): Promise<void> {
    const { metadata } = await this.#client.get(buckets, key)
    if (!metadata.finalizers?.includes('cloud.my.domain/buckets')) this.unprotected++
  }

  /** How often a thing was created for an object without the finalizer. */
  unprotected = 0

  async find(token: string): Promise<Made | undefined | 'unknown'> {
    if (this.finds === 'unknown') return 'unknown'
    return [...this.things.values()].find((thing) => thing.token === token)
  }

  async create(token: string, region: string): Promise<Made> {
    const made = { id: `b-${++this.created}`, token, region }
    this.things.set(made.id, made)
    return made
  }
}

const bucketController = (
  cloud: Cloud,
  fuse = new Fuse(-1, 'after'),
  more: { predicate?: typeof generationChanged } = {},
) =>
  controller(buckets, {
    ...more,
    effects: {
      bucket: {
        find: (_ctx, token) => cloud.find(token),
        create: (ctx, token) =>
          fuse.pass(async () => {
            await cloud.checkFinalizer()
            return cloud.create(token, ctx.object.spec.region)
          }),
        remove: (_ctx, id) => fuse.pass(async () => void cloud.things.delete(id)),
      },
    },
    async reconcile(ctx) {
      const made = await ctx.effect('bucket')
      ctx.status.url = `https://${made.id}`
      ctx.condition('Ready', true, 'BucketReady')
    },
  })

function fused(transport: Transport, fuse: Fuse): Transport {
  const isWrite = ({ method }: TransportRequest) => method !== 'GET'
  return {
    request: (request): Promise<TransportResponse> =>
      isWrite(request) ? fuse.pass(() => transport.request(request)) : transport.request(request),
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
  }
}

const start = (server: ApiServer, cloud: Cloud, fuse?: Fuse) =>
  testOperator((operator) => operator.register(bucketController(cloud, fuse)), {
    definitions: [crdOf(buckets)],
    servers: { main: server },
    logger: silentLogger,
    ...(fuse && { wrap: (transport) => fused(transport, fuse) }),
  })

async function cloudBesideServer() {
  const server = await createApiServer()
  return { server, cloud: new Cloud(server) }
}

const clientOf = (server: ApiServer) => createClient({ transport: inProcessTransport(server) })
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

async function turns(enough: () => boolean): Promise<void> {
  for (let turn = 0; turn < 300 && !enough(); turn++) await nextTurn()
}

async function isThere(client: Client): Promise<boolean> {
  try {
    await client.get(buckets, key)
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

void t.test('a thing is made once, its id is in the status, and it is removed with its object', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const { client, settled, stop } = await start(server, cloud)
  t.teardown(stop)
  await client.create(buckets, object)
  await settled()
  const { status } = await client.get(buckets, key)
  t.match(status, { effects: { bucket: { id: 'b-1' } }, url: 'https://b-1' })
  t.equal(cloud.created, 1)
  await client.delete(buckets, key)
  await settled()
  t.equal(cloud.things.size, 0)
  t.notOk(await isThere(client))
})

for (const phase of ['before', 'unanswered', 'after'] as const) {
  void t.test(`a process that dies ${phase} any step leaves exactly one thing, and later none`, async (t) => {
    let steps = Number.POSITIVE_INFINITY
    for (let at = 0; at < steps; at++) {
      const { server, cloud } = await cloudBesideServer()
      const fuse = new Fuse(at, phase)
      const dying = await start(server, cloud, fuse)
      const client = clientOf(server)
      await client.create(buckets, object)
      await turns(() => fuse.isDead)
      steps = fuse.isDead ? Number.POSITIVE_INFINITY : fuse.step
      await dying.stop()
      const next = await start(server, cloud)
      await next.settled()
      t.equal(cloud.things.size, 1, `step ${at}: one thing`)
      t.equal(cloud.created, 1, `step ${at}: made once`)
      t.equal(cloud.unprotected, 0, `step ${at}: the finalizer is there first`)
      await next.client.delete(buckets, key)
      await next.settled()
      t.same([cloud.things.size, await isThere(client)], [0, false], `step ${at}: gone`)
      await next.stop()
    }
    t.ok(steps >= 4, `${steps} steps`)
  })

  void t.test(`a process that dies ${phase} any step of the removal leaves nothing`, async (t) => {
    let steps = Number.POSITIVE_INFINITY
    for (let at = 0; at < steps; at++) {
      const { server, cloud } = await cloudBesideServer()
      const first = await start(server, cloud)
      await first.client.create(buckets, object)
      await first.settled()
      await first.stop()
      const fuse = new Fuse(at, phase)
      const client = clientOf(server)
      const dying = await start(server, cloud, fuse)
      await client.delete(buckets, key)
      await turns(() => fuse.isDead)
      steps = fuse.isDead ? Number.POSITIVE_INFINITY : fuse.step
      await dying.stop()
      const next = await start(server, cloud)
      await next.settled()
      t.same([cloud.things.size, await isThere(client)], [0, false], `step ${at}`)
      await next.stop()
    }
    t.ok(steps >= 2, `${steps} steps`)
  })
}

void t.test('if `find` cannot say whether the thing exists, a person decides', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  cloud.finds = 'unknown'
  // The finalizer, the note, the token, and then the creation, whose answer is lost.
  const fuse = new Fuse(3, 'unanswered')
  const dying = await start(server, cloud, fuse)
  const client = clientOf(server)
  await client.create(buckets, object)
  await turns(() => fuse.isDead)
  await dying.stop()
  t.equal(cloud.created, 1)
  const { settled, stop } = await start(server, cloud)
  t.teardown(stop)
  await settled()
  t.equal(cloud.created, 1)
  const conditions = async () => JSON.stringify((await client.get(buckets, key)).status?.conditions)
  t.match(await conditions(), /"Stalled","status":"True","reason":"CreationUncertain"/)
  const annotations = { 'cloud.my.domain/retry-effect': 'bucket' }
  await client.patch(buckets, key, { type: 'merge', body: { metadata: { annotations } } })
  await settled()
  t.equal(cloud.created, 2)
  t.notMatch(await conditions(), 'CreationUncertain')
})

void t.test('the decision of a person counts for one attempt', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const { client, settled, stop } = await start(server, cloud)
  t.teardown(stop)
  await client.create(buckets, object)
  await settled()
  const retry = 'cloud.my.domain/retry-effect'
  const decide = async () => {
    await client.patch(buckets, key, {
      type: 'merge',
      body: { metadata: { annotations: { [retry]: 'bucket' } } },
    })
    await settled()
  }
  const isLeft = async () => (await client.get(buckets, key)).metadata.annotations?.[retry] !== undefined
  const loseStatus = async () => {
    await client.patch(buckets, key, { type: 'merge', subresource: 'status', body: { status: null } })
    await settled()
  }
  await decide()
  t.same([cloud.created, await isLeft()], [1, false], 'it is removed, although the thing was found')
  cloud.finds = 'unknown'
  await loseStatus()
  t.equal(cloud.created, 1)
  const { create } = cloud
  let wasLeft: boolean | undefined
  cloud.create = async (...of) => {
    wasLeft = await isLeft()
    await create.apply(cloud, of)
    throw new Error('the answer is lost')
  }
  await decide()
  t.same([cloud.created, wasLeft], [2, false], 'it is removed before the creation, which is not repeated')
  cloud.create = create
  await decide()
  await loseStatus()
  t.equal(cloud.created, 3)
  t.match(JSON.stringify((await client.get(buckets, key)).status), '"CreationUncertain"')
})

void t.test('a status that was lost does not make a second thing', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const { client, settled, stop } = await start(server, cloud)
  t.teardown(stop)
  await client.create(buckets, object)
  await settled()
  await client.patch(buckets, key, { type: 'merge', subresource: 'status', body: { status: null } })
  await settled()
  t.equal(cloud.created, 1)
  t.match((await client.get(buckets, key)).status, { effects: { bucket: { id: 'b-1' } } })
})

void t.test('a thing is removed although the status was lost, and without a run in between', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const { client, settled, stop } = await start(server, cloud)
  t.teardown(stop)
  await client.create(buckets, object)
  await settled()
  const paused = { metadata: { annotations: { 'cloud.my.domain/paused': 'true' } } }
  await client.patch(buckets, key, { type: 'merge', body: paused })
  await client.patch(buckets, key, { type: 'merge', subresource: 'status', body: { status: null } })
  await settled()
  const { metadata, status } = await client.get(buckets, key)
  // Not the whole object: its UID may contain the text.
  const written = JSON.stringify([metadata.annotations, metadata.labels, status])
  t.notMatch(written, 'b-1', 'nothing has written it again')
  await client.delete(buckets, key)
  await settled()
  t.same([cloud.things.size, await isThere(client)], [0, false])
})

void t.test('a lost status and a `find` that cannot tell make no second thing', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const first = await start(server, cloud)
  await first.client.create(buckets, object)
  await first.settled()
  await first.stop()
  await first.client.patch(buckets, key, { type: 'merge', subresource: 'status', body: { status: null } })
  cloud.finds = 'unknown'
  const next = await start(server, cloud)
  await next.settled()
  t.equal(cloud.created, 1)
  t.match(JSON.stringify((await next.client.get(buckets, key)).status), '"CreationUncertain"')
  await next.stop()
})

void t.test('a thing that cannot be looked for is created, and an object without one can go', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  cloud.finds = 'unknown'
  const { client, stop } = await start(server, cloud)
  t.teardown(stop)
  await client.create(buckets, object)
  await turns(() => cloud.created > 0)
  t.equal(cloud.created, 1)
  // The finalizer is there, and nothing was begun.
  const finalizers = ['cloud.my.domain/buckets']
  const annotations = { 'cloud.my.domain/paused': 'true' }
  await client.create(buckets, { ...object, metadata: { ...key, name: 'new', finalizers, annotations } })
  await client.delete(buckets, { ...key, name: 'new' })
  await turns(() => false)
  await t.rejects(client.get(buckets, { ...key, name: 'new' }), { code: 404 })
})

void t.test('entries of another form, and those that others write, do not hold an object', async (t) => {
  const forged: unknown[] = [{ id: 'x', pending: 'y' }, {}, { id: '' }, { pending: '' }]
  for (const bucket of forged)
    for (const isEarly of [true, false]) {
      const { server, cloud } = await cloudBesideServer()
      const { client, settled, stop } = await start(server, cloud)
      const body = { status: { effects: { bucket } } }
      const forge = () => client.patch(buckets, key, { type: 'merge', subresource: 'status', body })
      await client.create(buckets, object)
      if (isEarly) await forge()
      await settled()
      if (!isEarly) await forge()
      await settled()
      await client.delete(buckets, key)
      await settled()
      const what = `${JSON.stringify(bucket)} ${isEarly ? 'before' : 'after'} the creation`
      t.same([cloud.things.size, cloud.created, await isThere(client)], [0, 1, false], what)
      await stop()
    }
})

void t.test('a known thing of which `find` cannot tell whether it is there is not made again', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const first = await start(server, cloud)
  await first.client.create(buckets, object)
  await first.settled()
  await first.stop()
  cloud.finds = 'unknown'
  let looks = 0
  const find = cloud.find.bind(cloud)
  cloud.find = (token) => {
    looks++
    return find(token)
  }
  const next = await start(server, cloud)
  await turns(() => looks > 1)
  t.ok(looks > 1, 'it is looked for again')
  t.same([cloud.created, cloud.things.size], [1, 1])
  const { status } = await next.client.get(buckets, key)
  t.match(status, { effects: { bucket: { id: 'b-1' } } })
  t.notMatch(JSON.stringify(status), 'CreationUncertain', 'no decision is needed')
  await next.stop()
})

void t.test('a thing that vanished outside is made again', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const { client, settled, stop } = await start(server, cloud)
  t.teardown(stop)
  await client.create(buckets, object)
  await settled()
  cloud.things.clear()
  await client.patch(buckets, key, { type: 'merge', body: { spec: { region: 'south' } } })
  await settled()
  t.same([...cloud.things.keys()], ['b-2'])
  t.match((await client.get(buckets, key)).status, { effects: { bucket: { id: 'b-2' } } })
})

void t.test(
  'an entry of an effect that is not declared is named, after the others are removed',
  async (t) => {
    const { server, cloud } = await cloudBesideServer()
    const clock = new VirtualClock()
    const hiding = bucketController(cloud, undefined, { predicate: generationChanged })
    const { client, settled, stop } = await testOperator((operator) => operator.register(hiding), {
      definitions: [crdOf(buckets)],
      servers: { main: server },
      logger: silentLogger,
      clock,
    })
    t.teardown(stop)
    await client.create(buckets, object)
    await settled()
    const forge = async (entry: object | null) => {
      const body = { status: { effects: { former: entry } } }
      await client.patch(buckets, key, { type: 'merge', subresource: 'status', body })
      await settled()
    }
    await forge({ id: 'x' })
    await client.delete(buckets, key)
    await settled()
    t.same([cloud.things.size, await isThere(client)], [0, true])
    t.match(
      JSON.stringify((await client.get(buckets, key)).status?.conditions),
      /"PermanentError","message":"status.effects.former: no such effect is declared.* remove the entries/,
    )
    await forge(null)
    await clock.advance(60_000)
    await settled()
    t.notOk(await isThere(client), 'although the predicate hides the change of the status')
  },
)

void t.test('a forged status reaches no thing of another object', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const foreign = await cloud.create('of-another-object', 'north')
  const forged = [{ id: foreign.id }, { pending: foreign.token }]
  for (const entry of forged) {
    const first = await start(server, cloud)
    await first.client.create(buckets, object)
    await first.settled()
    await first.stop()
    const body = { status: { effects: { bucket: null } } }
    await first.client.patch(buckets, key, { type: 'merge', subresource: 'status', body })
    const lie = { status: { effects: { bucket: entry } } }
    await first.client.patch(buckets, key, { type: 'merge', subresource: 'status', body: lie })
    await first.client.delete(buckets, key)
    const next = await start(server, cloud)
    await next.settled()
    t.notOk(await isThere(next.client))
    t.same([...cloud.things.keys()], [foreign.id], `${JSON.stringify(entry)} removes its own thing alone`)
    await next.stop()
  }
})

void t.test('a deletion waits until `find` can tell whether the thing exists', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const first = await start(server, cloud)
  await first.client.create(buckets, object)
  await first.settled()
  await first.stop()
  cloud.finds = 'unknown'
  await first.client.delete(buckets, key)
  const next = await start(server, cloud)
  await turns(() => false)
  t.same([cloud.things.size, await isThere(next.client)], [1, true])
  t.match(JSON.stringify((await next.client.get(buckets, key)).status), /"Finalized","status":"False"/)
  await next.stop()
  cloud.finds = 'always'
  const last = await start(server, cloud)
  await last.settled()
  t.same([cloud.things.size, await isThere(last.client)], [0, false])
  await last.stop()
})

/** A bucket that is deleted while it is not known whether its thing was created. */
async function deletedInDoubt() {
  const { server, cloud } = await cloudBesideServer()
  cloud.finds = 'unknown'
  const fuse = new Fuse(3, 'unanswered')
  const dying = await start(server, cloud, fuse)
  const client = clientOf(server)
  await client.create(buckets, object)
  await turns(() => fuse.isDead)
  await dying.stop()
  await client.delete(buckets, key)
  const decide = (effect: string) => {
    const annotations = { 'cloud.my.domain/retry-effect': effect }
    return client.patch(buckets, key, { type: 'merge', body: { metadata: { annotations } } })
  }
  return { server, cloud, client, decide }
}

void t.test('a deletion after a creation in doubt waits until a person decides', async (t) => {
  const { server, cloud, client, decide } = await deletedInDoubt()
  const { settled, stop } = await start(server, cloud)
  t.teardown(stop)
  for (const effect of ['', 'another']) {
    await decide(effect)
    await settled()
    t.match(
      JSON.stringify((await client.get(buckets, key)).status),
      '"CreationUncertain"',
      `not for "${effect}"`,
    )
  }
  await decide('bucket')
  await settled()
  t.notOk(await isThere(client))
  t.equal(cloud.created, 1)
})

void t.test(
  'the decision about a deletion is not lost with a process that dies after any step',
  async (t) => {
    let steps = Number.POSITIVE_INFINITY
    for (let at = 0; at < steps; at++) {
      const { server, cloud, client, decide } = await deletedInDoubt()
      await decide('bucket')
      const fuse = new Fuse(at, 'after')
      const dying = await start(server, cloud, fuse)
      await turns(() => fuse.isDead)
      steps = fuse.isDead ? Number.POSITIVE_INFINITY : fuse.step
      await dying.stop()
      const next = await start(server, cloud)
      await next.settled()
      t.same([cloud.created, await isThere(client)], [1, false], `step ${at}`)
      await next.stop()
    }
    t.ok(steps >= 3, `${steps} steps`)
  },
)

void t.test('effects that are released are forgotten, and the things stay', async (t) => {
  const { server, cloud } = await cloudBesideServer()
  const { effects, reconcile } = bucketController(cloud).options as ControllerOptions<never>
  const released: unknown[] = []
  const releasing = controller(buckets, {
    effects: effects as never,
    reconcile: reconcile as never,
    async finalize(ctx) {
      await ctx.releaseEffects()
      released.push((await ctx.client.get(buckets, key)).status)
    },
  })
  const { client, settled, stop } = await testOperator((operator) => operator.register(releasing), {
    definitions: [crdOf(buckets)],
    servers: { main: server },
    logger: silentLogger,
  })
  t.teardown(stop)
  await client.create(buckets, object)
  await settled()
  await client.delete(buckets, key)
  await settled()
  t.notOk(await isThere(client))
  t.same([...cloud.things.keys()], ['b-1'])
  t.match(released, [{ effects: undefined }])
})

void t.test(
  'the token that was written before a creation counts, although `token` answers another one by now',
  async (t) => {
    const server = await createApiServer()
    const made: { id: string; token: string }[] = []
    const register = (fuse: Fuse) => (operator: { register: (one: never) => void }) =>
      operator.register(
        controller(buckets, {
          effects: {
            bucket: {
              token: ({ spec }) => `in-${spec.region}`,
              find: async (_ctx, token) => made.find((one) => one.token === token),
              create: (_ctx, token) =>
                fuse.pass(async () => {
                  made.push({ id: `b-${made.length + 1}`, token })
                  return { id: `b-${made.length}` }
                }),
              remove: async () => {},
            },
          },
          reconcile: async (ctx) => void (await ctx.effect('bucket')),
        }) as never,
      )
    const run = (fuse: Fuse) =>
      testOperator(register(fuse), {
        definitions: [crdOf(buckets)],
        servers: { main: server },
        logger: silentLogger,
        wrap: (transport) => fused(transport, fuse),
      })
    const fuse = new Fuse(3, 'unanswered')
    const dying = await run(fuse)
    const client = clientOf(server)
    await client.create(buckets, object)
    await turns(() => fuse.isDead)
    await dying.stop()
    await client.patch(buckets, key, { type: 'merge', body: { spec: { region: 'south' } } })
    const next = await run(new Fuse(-1, 'after'))
    await next.settled()
    t.same(made, [{ id: 'b-1', token: 'in-north' }])
    t.match((await client.get(buckets, key)).status, { effects: { bucket: { id: 'b-1' } } })
    await next.stop()
  },
)

const chains = defineKind({
  group: 'cloud.my.domain',
  version: 'v1',
  kind: 'Chain',
  spec: z.object({}),
  effects: ['network', 'disk', 'machine'],
})

void t.test('things are removed in the reverse order of their declaration', async (t) => {
  const things = new Map<string, string>()
  const steps: string[] = []
  const effectOf = (name: string) => ({
    find: async () => (things.has(name) ? { id: name } : undefined),
    create: async (_ctx: unknown, token: string) => {
      things.set(name, token)
      return { id: name }
    },
    remove: async (_ctx: unknown, id: string) => {
      steps.push(id)
      things.delete(id)
    },
  })
  const effects = { network: effectOf('network'), disk: effectOf('disk'), machine: effectOf('machine') }
  const chain = controller(chains, {
    effects,
    async reconcile(ctx) {
      // Begun in another order than they are declared.
      for (const name of ['disk', 'machine', 'network'] as const) await ctx.effect(name)
    },
  })
  const { client, settled, stop } = await testOperator((operator) => operator.register(chain), {
    definitions: [crdOf(chains)],
    logger: silentLogger,
  })
  t.teardown(stop)
  await client.create(chains, { metadata: { ...key }, spec: {} })
  await settled()
  t.equal(things.size, 3)
  await client.delete(chains, key)
  await settled()
  t.same(steps, ['machine', 'disk', 'network'])
})

void t.test('a person decides about each of several things of a deleted object', async (t) => {
  const effect = {
    find: async () => 'unknown' as const,
    create: async (): Promise<{ id: string }> => {
      throw new Error('the answer is lost')
    },
    remove: async () => {},
  }
  const chain = controller(chains, {
    effects: { network: effect, disk: effect },
    async reconcile(ctx) {
      for (const name of ['network', 'disk'] as const) await ctx.effect(name).catch(() => {})
    },
  })
  const { client, settled, stop } = await testOperator((operator) => operator.register(chain), {
    definitions: [crdOf(chains)],
    logger: silentLogger,
  })
  t.teardown(stop)
  await client.create(chains, { metadata: { ...key }, spec: {} })
  await settled()
  await client.delete(chains, key)
  await settled()
  for (const name of ['disk', 'network']) {
    t.match(JSON.stringify((await client.get(chains, key)).status), `retry-effect: ${name}`)
    const annotations = { 'cloud.my.domain/retry-effect': name }
    await client.patch(chains, key, { type: 'merge', body: { metadata: { annotations } } })
    await settled()
  }
  await t.rejects(client.get(chains, key), { code: 404 })
})
