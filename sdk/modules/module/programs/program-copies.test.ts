// Copies of programs, and crashes while they are written and deleted.
import { randomBytes } from 'node:crypto'
import t from 'tap'
import { type ApiServer, createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { isWrite } from '../../../../testing/requests/request-target.js'
import type { Client } from '../../../engine/client/client.js'
import { createClient } from '../../../engine/client/create-client.js'
import { configMaps } from '../../../engine/kube/builtin.js'
import type { Transport } from '../../../engine/transport/transport.js'
import { digestOf } from '../../program/digest.js'
import { type CopyUsers, ProgramCopies } from './program-copies.js'
import { type CopyCalls, copyName } from './program-copy.js'

/** Two programs that cannot be packed, so that the copy of each has two parts. */
const programs = [0, 1].map(() => {
  const content = Buffer.from(randomBytes(900 * 1024).toString('base64'))
  return { content, digest: digestOf(content) }
}) as [Loaded, Loaded]
type Loaded = { content: Buffer; digest: string }
const [program, other] = programs
/** The program of another operator of the namespace. */
const small = {
  content: Buffer.from('export default {}'),
  digest: digestOf(Buffer.from('export default {}')),
}
const own = { namespace: 'default', name: 'modules' }
const { signal } = new AbortController()
const labelSelector = 'forkspacer.com/program-copy'
const noUsers: CopyUsers = { isCached: () => false, read: async () => false }
/** A Module begins to use a program. */
const keep = (copies: ProgramCopies, loaded: Loaded, calls: CopyCalls) =>
  copies.keep(loaded.digest, { ...calls, isNewUser: true, load: async () => loaded })
const partsOf = async (client: Client) =>
  (await client.list(configMaps, { labelSelector })).items.map(({ metadata }) => metadata.name)

/** A process that is killed at its n-th write: before it is sent, or before its answer arrives. */
function dyingTransport(inner: Transport, deadAt: number, when: 'before' | 'after'): Transport {
  let writes = 0
  const dead = () => Promise.reject(new Error('killed'))
  return {
    request: async (request) => {
      if (isWrite(request)) writes++
      const isLast = isWrite(request) && writes === deadAt
      if (writes > deadAt || (isLast && when === 'before')) return dead()
      const answer = await inner.request(request)
      return isLast ? dead() : answer
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  }
}

/** A process: its copies, and its calls. */
function processOf(server: ApiServer, dies?: readonly [number, 'before' | 'after']) {
  const transport = inProcessTransport(server)
  const client = createClient({ transport: dies ? dyingTransport(transport, ...dies) : transport })
  return { copies: new ProgramCopies(own), calls: { client, signal } }
}

/** A copy has two parts: two writes. */
const deaths = [1, 2].flatMap((n) => (['before', 'after'] as const).map((when) => [n, when] as const))

void t.test('a copy is complete or is not used, whenever its process is killed', async (t) => {
  for (const death of deaths) {
    const server = await createApiServer({ name: 'main' })
    t.teardown(() => server.close())
    const dying = processOf(server, death)
    await t.rejects(keep(dying.copies, program, dying.calls), /killed/)
    const { copies, calls } = processOf(server)
    const found = await copies.read(program.digest, calls)
    const isComplete = death.join() === '2,after'
    t.equal(found?.content.equals(program.content), isComplete || undefined, death.join(' '))
    await keep(copies, program, calls)
    t.ok((await copies.read(program.digest, calls))?.content.equals(program.content))
    t.equal((await partsOf(calls.client)).length, 2)
  }
})

void t.test('the next process deletes what one that was killed has not, and nothing else', async (t) => {
  for (const death of deaths) {
    const server = await createApiServer({ name: 'main' })
    t.teardown(() => server.close())
    const { copies, calls } = processOf(server)
    await keep(copies, program, calls)
    await keep(copies, other, calls)
    const dying = processOf(server, death)
    await t.rejects(dying.copies.release(program.digest, { ...dying.calls, users: noUsers }), /killed/)
    const labelled = {
      'forkspacer.com/program-copy': copyName(program.digest, own),
      'forkspacer.com/program-copies-of': own.name,
    }
    const neighbour = { ...own, name: 'another' }
    await keep(new ProgramCopies(neighbour), small, calls)
    await calls.client.create(configMaps, {
      metadata: { namespace: 'default', name: 'settings', labels: labelled },
    })
    const next = processOf(server)
    const used = copyName(other.digest, own)
    const isUsed = (copy: string) => copy === used
    await next.copies.sweep({
      ...next.calls,
      users: { isCached: isUsed, read: async (copy) => isUsed(copy) },
    })
    t.strictSame(
      (await partsOf(calls.client)).sort(),
      [`${used}-0`, `${used}-1`, `${copyName(small.digest, neighbour)}-0`, 'settings'].sort(),
      death.join(' '),
    )
    t.ok(await next.copies.read(other.digest, next.calls))
  }
})

void t.test('a copy that a Module uses is left alone without a write', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const { copies, calls } = processOf(server)
  await keep(copies, small, calls)
  const before = server.resourceVersion
  const users: CopyUsers = {
    isCached: () => true,
    read: async () => t.fail('the cache knows a user') as never,
  }
  await copies.release(small.digest, { ...calls, users })
  await copies.sweep({ ...calls, users })
  t.equal(server.resourceVersion, before)
})

void t.test('a part of another program does not count', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const { copies, calls } = processOf(server)
  await keep(copies, program, calls)
  await keep(copies, other, calls)
  const key = (loaded: Loaded) => ({ namespace: 'default', name: `${copyName(loaded.digest, own)}-1` })
  const { binaryData } = await calls.client.get(configMaps, key(other))
  await calls.client.patch(configMaps, key(program), { type: 'merge', body: { binaryData } })
  t.equal(await copies.read(program.digest, calls), undefined)
  const next = processOf(server)
  await keep(next.copies, program, next.calls)
  t.ok(await next.copies.read(program.digest, next.calls), 'it is written again')
})
