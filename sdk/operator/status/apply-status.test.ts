import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import { createClient } from '../../engine/client/create-client.js'
import { isConflict } from '../../engine/kube/error.js'
import type { Store } from '../../engine/store/store.js'
import type { Transport, TransportRequest } from '../../engine/transport/transport.js'
import { type Backup, backup, backupDefinition, backups, key } from '../backups.fixture.js'
import { merge } from '../recorded-operator.fixture.js'
import { applyStatus } from './apply-status.js'

/** An object, and its cluster as a run sees it. `beforeWrite` is called before each write of the run. */
async function setUp(beforeWrite = async () => {}) {
  const inner = inProcessTransport(await createApiServer())
  const admin = createClient({ transport: inner })
  await serveDefinitions(admin, [backupDefinition])
  const sent: string[] = []
  const transport: Transport = {
    async request(request: TransportRequest) {
      sent.push(request.method)
      if (request.method === 'PATCH') await beforeWrite()
      return inner.request(request)
    },
    stream: (request) => inner.stream(request),
    close: () => inner.close(),
  }
  const cache: { object: Backup | undefined } = { object: undefined }
  const store = () => ({ get: () => cache.object }) as unknown as Store<never>
  const options = {
    cluster: { client: createClient({ transport }), store },
    resource: backups,
    fieldManager: 'test.backups',
  }
  const apply = (object: Backup) => applyStatus(object, { status: { nodes: ['a'] } }, options)
  let labels = 0
  const writeOfOthers = () =>
    admin.patch(backups, key, merge({ metadata: { labels: { at: `${labels++}` } } }))
  return { admin, apply, cache, sent, writeOfOthers, read: await admin.create(backups, backup(1)) }
}

void t.test('a status is applied although others have changed the object since it was read', async (t) => {
  const { apply, sent, writeOfOthers, read } = await setUp()
  await writeOfOthers()
  t.match(await apply(read), { status: { nodes: ['a'] } })
  t.same(sent, ['PATCH', 'GET', 'PATCH'])
})

void t.test('the cache may know the object better than the run that read it', async (t) => {
  const { apply, cache, sent, writeOfOthers, read } = await setUp()
  cache.object = await writeOfOthers()
  await apply(read)
  t.same(sent, ['PATCH'])
})

void t.test('an object that was created again does not get the status of the former one', async (t) => {
  const { admin, apply, cache, read } = await setUp()
  await admin.delete(backups, key)
  const again = await admin.create(backups, backup(1))
  for (const cached of [undefined, read, again]) {
    cache.object = cached
    await t.rejects(apply(read), { code: 409 })
  }
  t.equal((await admin.get(backups, key)).status, undefined)
})

void t.test('an object that changes faster than it is read is left to the next run', async (t) => {
  let changes = async (): Promise<unknown> => undefined
  const { apply, sent, writeOfOthers, read } = await setUp(async () => void (await changes()))
  changes = writeOfOthers
  const error: unknown = await apply(read).catch((reason: unknown) => reason)
  t.ok(isConflict(error))
  t.equal(sent.filter((method) => method === 'PATCH').length, 4)
})
