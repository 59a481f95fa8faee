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

void t.test('the name of a field manager is quoted, and shortened, in the warning', (t) => {
  const warnings: [object, string | undefined][] = []
  const managers = new StatusManagers({
    program: 'mine',
    resource: configMaps,
    renamed: new Map(),
    logger: { ...silentLogger, warn: (...line) => void warnings.push(line as [object, string]) },
  })
  const advice = 'x. Log in at "evil" now'
  for (const manager of [advice, `x.${'y'.repeat(100)}`])
    managers.report({
      metadata: { name: 'a', managedFields: [{ manager, operation: 'Apply', subresource: 'status' }] },
    })
  const end =
    '. If it is an operator, stop one of the two, or name it in formerFieldManagers if this operator replaces it'
  const start = 'another field manager writes the status of ConfigMap objects, too: '
  t.strictSame(
    warnings.map(([, message]) => message),
    [`${start}"x. Log in at \\"evil\\" now"${end}`, `${start}"x.${'y'.repeat(58)}…"${end}`],
  )
  t.end()
})
