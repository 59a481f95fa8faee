// Tests what a fork waits for, and which Modules it takes for its copies.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import type { Client } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import type { Workspace, WorkspaceFork, WorkspaceStatus } from '../kinds/workspace.js'
import { definitions, moduleOf } from '../module/modules.fixture.js'
import { continueFork, nameOfCopy } from './fork.js'

const from = { namespace: 'default', name: 'dev', migrateData: false }
const workspaceOf = (name: string, more: object = {}) =>
  ({ metadata: { namespace: 'default', name }, spec: {}, ...more }) as unknown as Workspace
const sourceOf = (status: Partial<WorkspaceStatus>, metadata: object = {}) =>
  workspaceOf('dev', { metadata: { namespace: 'default', name: 'dev', ...metadata }, status })
const ready = sourceOf({ ready: true, phase: 'ready' })
const original = moduleOf()
original.metadata.uid = 'uid-of-shop'

async function startServer(t: Test): Promise<Client> {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  await serveDefinitions(client, definitions)
  return client
}

/** One run of a fork of one Module. */
function run(
  client: Client,
  {
    source = ready,
    fork,
    migrateData = false,
    all = [original],
  }: { source?: Workspace | undefined; fork?: WorkspaceFork; migrateData?: boolean; all?: Module[] } = {},
): Promise<WorkspaceFork | undefined> {
  const spec = { from: { ...from, migrateData } }
  const workspace = workspaceOf('copy', { spec, status: { ...(fork && { fork }) } })
  const { signal } = new AbortController()
  return continueFork({ client, signal, workspace, source, modulesOfSource: all, planData: async () => [] })
}
const key = { namespace: 'default', name: nameOfCopy(original, workspaceOf('copy')) }
const count = async (client: Client) => (await client.list(modules)).items.length

void t.test('a fork waits for a source that cannot be copied, and says why', async (t) => {
  const client = await startServer(t)
  const cases: [source: Workspace, why: string][] = [
    [sourceOf({}), 'it is installing'],
    [sourceOf({ phase: 'failed', message: 'no luck' }), 'it is failed: no luck'],
    [sourceOf({ phase: 'hibernated' }), 'it is hibernated; set its spec.hibernated to false'],
    [sourceOf({ ready: true }, { deletionTimestamp: 'now' }), 'it is being deleted; delete the fork'],
    [sourceOf({ ready: true, fork: { phase: 'copying' } }), 'it is a fork that is not complete'],
    [sourceOf({ ready: true, fork: { phase: 'waiting' } }), 'it is a fork that is not complete'],
  ]
  for (const [source, why] of cases)
    t.strictSame(await run(client, { source }), {
      phase: 'waiting',
      message: `waits for Workspace default/dev to be ready: ${why}`,
    })
  const { signal } = new AbortController()
  const workspace = workspaceOf('copy', { spec: { from } })
  const gone = { client, signal, workspace, source: undefined, modulesOfSource: [], planData: async () => [] }
  t.match(await continueFork(gone), {
    phase: 'waiting',
    message: /it does not exist; create it, or delete the fork$/,
  })
  t.equal(
    await continueFork({ ...gone, workspace: workspaceOf('copy') }),
    undefined,
    'a Workspace that is none',
  )
  t.equal(await count(client), 0)
  t.match(await run(client, { source: sourceOf({ phase: 'hibernated' }), migrateData: true }), {
    phase: 'done',
  })
})

void t.test('a fork that was made is left as it is', async (t) => {
  const client = await startServer(t)
  for (const fork of [{ phase: 'done', modules: 7 }, { phase: 'copying' }] as const)
    t.equal(await run(client, { fork }), fork)
  t.equal(await count(client), 0)
  t.strictSame(await run(client, { fork: { phase: 'waiting' } }), { phase: 'done', modules: 1 })
  t.strictSame(await run(client), { phase: 'done', modules: 1 }, 'the copy of an interrupted run counts')
  t.equal(await count(client), 1)
})

void t.test('a Module that has the name of the copy is not taken for it', async (t) => {
  const client = await startServer(t)
  const foreign = moduleOf({}, key)
  await client.create(modules, foreign)
  const message = `Module default/${key.name} exists and is not the copy: delete it`
  await t.rejects(run(client), { message })
  t.notOk((await client.get(modules, key)).metadata.labels)
})

void t.test('a copy that is being deleted is created again when it is gone', async (t) => {
  const client = await startServer(t)
  await run(client)
  const body = { metadata: { finalizers: ['example.com/slow'] } }
  await client.patch(modules, key, { type: 'merge', body })
  await client.delete(modules, key)
  await t.rejects(run(client), /is being deleted; it is created again when it is gone/)
  await client.patch(modules, key, { type: 'merge', body: { metadata: { finalizers: null } } })
  t.strictSame(await run(client), { phase: 'done', modules: 1 })
  t.notOk((await client.get(modules, key)).metadata.deletionTimestamp)
})

void t.test('names of copies differ by both namespaces and names, and fit', async (t) => {
  const nameFor = (module: object, fork: object) =>
    nameOfCopy(
      { metadata: { namespace: 'a', name: 'shop', ...module } },
      { metadata: { namespace: 'b', name: 'copy', ...fork } },
    )
  const names = [
    nameFor({}, {}),
    nameFor({ namespace: 'c' }, {}),
    nameFor({}, { namespace: 'c' }),
    nameFor({}, { name: 'other' }),
    nameFor({ name: 'web' }, {}),
  ]
  t.equal(new Set(names).size, names.length)
  t.equal(nameFor({}, {}), names[0], 'the same in each run')
  t.equal(nameFor({ name: 'x'.repeat(253) }, {}).length, 209)
})
