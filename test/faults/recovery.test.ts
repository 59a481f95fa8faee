// Tests that the SDK's transports, watches and stores recover from the faults of the embedded API server.
import t, { type Test } from 'tap'
import type { ApiServer } from '../../apiserver/api-server.js'
import type { FaultAction } from '../../apiserver/faults/fault-action.js'
import type { FaultMatch } from '../../apiserver/faults/fault-match.js'
import type { FaultOptions } from '../../apiserver/faults/faults.js'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { intoStore } from '../../sdk/engine/store/into-store.js'
import type { Store } from '../../sdk/engine/store/store.js'
import { StoreWriter } from '../../sdk/engine/store/store-writer.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { watchResource } from '../../sdk/engine/watch/watch-resource.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import {
  configMapsPath,
  fastClock,
  jsonType,
  listed,
  makeChanges,
  startServer,
  until,
  write,
} from './faulty-server.js'

const watches: FaultMatch = { verb: 'watch', resource: 'configmaps', user: 'admin' }

type OpenTransport = (t: Test, server: ApiServer) => Promise<Transport>

const transports: Readonly<Record<string, OpenTransport>> = {
  'in process': async (t, server) => {
    const transport = inProcessTransport(server)
    t.teardown(() => transport.close())
    return transport
  },
  'over sockets': async (t, server) => {
    await server.listen()
    const kubeconfig = await loadKubeconfig({ text: await server.kubeconfig() })
    const transport = createTransport({ kubeconfig, clock: fastClock })
    t.teardown(() => transport.close())
    return transport
  },
}

const versionsOf = (objects: readonly KubeObject[]) =>
  objects
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}@${metadata.resourceVersion}`)
    .sort()
    .join()

/** A store that a watch fills. */
function watched(t: Test, transport: Transport): Store {
  const writer = new StoreWriter()
  const events$ = watchResource({
    transport,
    resource: configMaps,
    clock: fastClock,
    silenceMs: 10_000,
    random: () => 0,
  })
  const subscription = events$.pipe(intoStore(writer)).subscribe()
  t.teardown(() => subscription.unsubscribe())
  return writer.store
}

async function untilInSync(server: ApiServer, store: Store): Promise<void> {
  const truth = versionsOf(await listed(server))
  await until(() => versionsOf(store.list()) === truth)
}

interface FaultCase {
  readonly title: string
  readonly match: FaultMatch
  readonly action: FaultAction
  readonly options?: FaultOptions
}

const cases: readonly FaultCase[] = [
  {
    title: 'reset mid-line',
    match: watches,
    action: { type: 'resetWatch', afterEvents: 1 },
    options: { times: 2 },
  },
  {
    title: 'reset with its whole connection',
    match: watches,
    action: { type: 'resetWatch', wholeConnection: true },
    options: { times: 1 },
  },
  { title: 'silent', match: watches, action: { type: 'stallWatch', afterEvents: 1 }, options: { times: 1 } },
  { title: 'sent every event twice', match: watches, action: { type: 'duplicateEvents' } },
  { title: 'sent coalesced events', match: watches, action: { type: 'coalesceEvents', windowMs: 500 } },
  { title: 'sent every event late', match: watches, action: { type: 'delayEvents', delayMs: 500 } },
  { title: 'opened late', match: watches, action: { type: 'delay', delayMs: 500 } },
  {
    title: 'refused as expired',
    match: watches,
    action: { type: 'status', code: 410 },
    options: { times: 1 },
  },
  {
    title: 'refused by a busy server',
    match: { user: 'admin' },
    action: { type: 'status', code: 429, retryAfterSeconds: 1 },
    options: { times: 3 },
  },
  {
    title: 'never opened because the connection broke',
    match: watches,
    action: { type: 'reset', when: 'after' },
    options: { times: 1 },
  },
]

for (const [how, open] of Object.entries(transports)) {
  for (const { title, match, action, options } of cases) {
    void t.test(`a watch that is ${title} recovers by itself, ${how}`, async (t) => {
      const server = await startServer(t)
      const rule = server.faults.add(match, action, options)
      const store = watched(t, await open(t, server))
      // A rule about watch events needs an open watch before the first change.
      await until(() => store.synced && rule.hits > 0)
      await makeChanges(server)
      await untilInSync(server, store)
      const isOver = options?.times === rule.hits
      t.equal(isOver, options !== undefined, 'a fault with a limit was injected that often')
      // The broken request is retried.
      await until(() => !isOver || rule.matches > rule.hits)
    })
  }

  void t.test(`a stale reader catches up when the rule is removed, ${how}`, async (t) => {
    const server = await startServer(t)
    await write(server, 'POST', 'old')
    const before = versionsOf(await listed(server))
    const resourceVersion = server.resourceVersion
    const rule = server.faults.add({ user: 'admin' }, { type: 'stale', resourceVersion })
    await makeChanges(server)
    const transport = await open(t, server)
    const store = watched(t, transport)
    await until(() => store.synced && rule.hits > 1)
    t.equal(versionsOf(store.list()), before, 'the list is old')
    const [old, unseen] = [`${configMapsPath}/old`, `${configMapsPath}/a`]
    t.equal((await transport.request({ method: 'GET', path: old })).status, 200)
    t.equal((await transport.request({ method: 'GET', path: unseen })).status, 404)
    await write(server, 'PUT', 'old', 'new')
    t.equal(versionsOf(store.list()), before, 'the watch says nothing new')
    rule.remove()
    await untilInSync(server, store)
    t.equal((await transport.request({ method: 'GET', path: unseen })).status, 200)
  })

  void t.test(`a write whose connection breaks is lost or stored, ${how}`, async (t) => {
    const server = await startServer(t)
    const transport = await open(t, server)
    const create = (name: string) =>
      transport.request({
        method: 'POST',
        path: configMapsPath,
        headers: jsonType,
        body: JSON.stringify({ metadata: { name } }),
      })
    const existing = async () => (await listed(server)).map(({ metadata }) => metadata.name)
    const rules = [
      server.faults.add({ verb: 'create' }, { type: 'reset', when: 'before' }, { times: 1 }),
      server.faults.add({ verb: 'create' }, { type: 'reset', when: 'after' }, { times: 1 }),
    ]
    await t.rejects(create('before'), 'nothing was done')
    t.notOk((await existing()).includes('before'))
    await t.rejects(create('after'), 'only the answer is lost')
    t.ok((await existing()).includes('after'))
    t.equal((await create('third')).status, 201)
    t.strictSame(
      rules.map(({ hits }) => hits),
      [1, 1],
    )
  })
}
