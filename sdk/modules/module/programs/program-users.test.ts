import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../../../testing/operator/serve-definitions.js'
import { createClient } from '../../../engine/client/create-client.js'
import { modules } from '../../kinds/module-kind.js'
import { definitionAnnotation } from '../definition/definition.js'
import { definitions, moduleOf } from '../modules.fixture.js'
import { copyName } from './program-copy.js'
import { copyUsers } from './program-users.js'

const own = { name: 'modules' }

void t.test('a Module that the cache does not have yet uses its program', async (t) => {
  const server = await createApiServer({ name: 'main' })
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  await serveDefinitions(client, definitions)
  const module = moduleOf()
  const annotations = { [definitionAnnotation]: JSON.stringify({ program: { digest: 'sha256-used' } }) }
  await client.create(modules, { ...module, metadata: { ...module.metadata, annotations } })
  const lateCache = { client, store: () => ({ byIndex: () => [] }) }
  const users = copyUsers(lateCache as never, own)
  const { signal } = new AbortController()
  const copy = copyName('sha256-used', own)
  t.notOk(users.isCached(copy))
  t.ok(await users.read(copy, signal))
  t.notOk(await users.read(copyName('sha256-other', own), signal))
  t.notOk(await users.read(copyName('sha256-used', { name: 'another' }), signal), 'another operator')
})
