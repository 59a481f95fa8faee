import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { createClient } from '../../engine/client/create-client.js'
import { configMaps } from '../../engine/kube/builtin.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { StatusManagers } from './status-managers.js'

void t.test('an object that is gone is forgotten, and one that is created again is read again', async (t) => {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  const managers = new StatusManagers({
    program: 'mine',
    resource: configMaps,
    renamed: new Map([['old.backups', 'mine.backups']]),
    logger: silentLogger,
  })
  const key = { namespace: 'default', name: 'a' }
  for (const _ of ['first', 'second']) {
    await managers.takeOver(await client.create(configMaps, { metadata: key }), client)
    t.equal(managers.size, 1)
    await client.delete(configMaps, key)
  }
  managers.forget(key)
  t.equal(managers.size, 0)
})

void t.test(
  'a user who applies a status under many names fills neither the log nor the memory',
  async (t) => {
    let lines = 0
    const managers = new StatusManagers({
      program: 'mine',
      resource: configMaps,
      renamed: new Map(),
      logger: { ...silentLogger, warn: () => void lines++ },
    })
    for (let number = 0; number < 1000; number++) {
      const managedFields = [{ manager: `other.n${number}`, operation: 'Apply', subresource: 'status' }]
      managers.report({ metadata: { name: 'a', managedFields } })
    }
    t.equal(lines, 100)
  },
)
