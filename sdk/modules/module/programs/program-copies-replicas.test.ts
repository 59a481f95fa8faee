// Replicas that share copies: one keeps a copy while others delete it, in every order of their requests.
import t from 'tap'
import { type ApiServer, createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { createClient } from '../../../engine/client/create-client.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { digestOf } from '../../program/digest.js'
import { ProgramCopies } from './program-copies.js'

const content = Buffer.from('export default { name: "shop" } // in a copy of two parts')
const program = { content, digest: digestOf(content) }
const own = { namespace: 'default', name: 'modules', partBytes: 50 }
const { signal } = new AbortController()

/** Lets one step of one replica happen at a time, in the order that a list of choices says. */
class Order {
  /** The choices that were made: which one, of how many. */
  readonly made: { readonly choice: number; readonly of: number }[] = []
  readonly #given: readonly number[]
  readonly #waiting = new Map<string, () => void>()

  constructor(given: readonly number[]) {
    this.#given = given
  }

  /** Waits for the turn of a replica. */
  turn(replica: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(replica, resolve))
  }

  /** Runs replicas to their end. */
  async run(replicas: readonly Promise<unknown>[]): Promise<void> {
    let isOver = false
    const all = Promise.all(replicas).finally(() => {
      isOver = true
    })
    all.catch(() => {})
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve))
      const names = [...this.#waiting.keys()].sort()
      if (names.length === 0) continue
      const choice = (this.#given[this.made.length] ?? 0) % names.length
      this.made.push({ choice, of: names.length })
      const name = names[choice] ?? ''
      const go = this.#waiting.get(name)
      this.#waiting.delete(name)
      go?.()
    }
    await all
  }
}

/** The next list of choices of a search through all of them; undefined after the last one. */
function nextChoices(made: Order['made']): number[] | undefined {
  const last = made.findLastIndex(({ choice, of }) => choice + 1 < of)
  if (last < 0) return undefined
  return made.slice(0, last + 1).map(({ choice }, at) => (at === last ? choice + 1 : choice))
}

/** A replica whose requests wait for their turns. */
function replicaOf(server: ApiServer, order: Order, name: string) {
  const inner = inProcessTransport(server)
  const transport: Transport = {
    ...inner,
    request: async (request) => {
      await order.turn(name)
      return inner.request(request)
    },
  }
  return { copies: new ProgramCopies(own), calls: { client: createClient({ transport }), signal } }
}

const clientOf = (server: ApiServer) => createClient({ transport: inProcessTransport(server) })

/** Writes the copy by a process that is gone. */
const writeFormer = (server: ApiServer) =>
  new ProgramCopies(own).keep(program.digest, {
    client: clientOf(server),
    signal,
    isNewUser: true,
    load: async () => program,
  })

/**
 * One replica begins to use the program while others, whose caches are late, delete its copy. Returns whether the copy
 * is there at the end.
 */
async function race(server: ApiServer, order: Order, deleting: readonly string[]): Promise<boolean> {
  let isUsed = false
  const users = (name: string) => ({
    isCached: () => false,
    read: async () => {
      await order.turn(name)
      return isUsed
    },
  })
  const keeps = async () => {
    const { copies, calls } = replicaOf(server, order, 'keeps')
    await order.turn('keeps')
    isUsed = true // The definition is frozen.
    await copies.keep(program.digest, { ...calls, isNewUser: true, load: async () => program })
  }
  const deletes = (name: string) => {
    const { copies, calls } = replicaOf(server, order, name)
    return copies.sweep({ ...calls, users: users(name) })
  }
  await order.run([keeps(), ...deleting.map(deletes)])
  const found = await new ProgramCopies(own).read(program.digest, { client: clientOf(server), signal })
  return found !== undefined
}

void t.test('a sweep of one replica never deletes the copy that another has begun to use', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const lost: string[] = []
  let runs = 0
  for (let choices: number[] | undefined = []; choices; runs++) {
    const order = new Order(choices)
    await writeFormer(server)
    if (!(await race(server, order, ['deletes']))) lost.push(order.made.map(({ choice }) => choice).join(''))
    choices = nextChoices(order.made)
  }
  t.ok(runs > 50, String(runs))
  t.strictSame(lost, [])
})

/** Numbers that are the same in each run of the test. */
function* pseudoRandom(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    yield state >> 8
  }
}

void t.test('nor do the sweeps of two replicas', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const numbers = pseudoRandom(7)
  const lost: number[] = []
  for (let run = 0; run < 200; run++) {
    await writeFormer(server)
    const order = new Order(Array.from({ length: 40 }, () => Number(numbers.next().value) % 3))
    if (!(await race(server, order, ['deletes', 'deletes too']))) lost.push(run)
  }
  t.strictSame(lost, [])
})

void t.test('a replica that finds a user leaves no part to another that still deletes', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  await writeFormer(server)
  const [deletes, deletesToo, keeps] = [0, 1, 2]
  const steps = [
    ...[deletes, deletes, deletes, deletes], // lists the parts, writes that both are unused, and finds no Module
    ...[deletesToo, deletesToo, deletesToo], // lists the parts, and writes that both are unused
    keeps, // The Module begins to use the program.
    ...[deletesToo, deletesToo], // finds the Module, and takes that back for the first part that it writes
    ...[keeps, keeps, keeps], // looks for the copy, and reads both parts
    ...[deletes, deletes], // deletes both parts if they have not changed
  ]
  t.ok(await race(server, new Order(steps), ['deletes', 'deletes too']))
})

void t.test(
  'a copy that this process knows is written again for a new user if another replica has deleted it',
  async (t) => {
    const server = await createApiServer({ name: 'main' })
    t.teardown(() => server.close())
    const client = clientOf(server)
    const calls = { client, signal, load: async () => program }
    const [here, there] = [new ProgramCopies(own), new ProgramCopies(own)]
    await here.keep(program.digest, { ...calls, isNewUser: true })
    await there.release(program.digest, {
      client,
      signal,
      users: { isCached: () => false, read: async () => false },
    })
    t.strictSame((await client.list(configMaps, { labelSelector: 'forkspacer.com/program-copy' })).items, [])
    await here.keep(program.digest, { ...calls, isNewUser: true })
    t.ok(await there.read(program.digest, calls))
  },
)
