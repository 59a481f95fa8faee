import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import { createClient } from '../../engine/client/create-client.js'
import { customResourceDefinitions } from '../../engine/kube/builtin.js'
import { type Logger, silentLogger } from '../../engine/observe/logger.js'
import { backup, backupDefinition, backups, key, memcached } from '../backups.fixture.js'
import { merge, recordedOperator } from '../recorded-operator.fixture.js'

/** The definition of a release that had no `status.nodes` yet. */
function olderDefinition(): typeof backupDefinition {
  const definition = structuredClone(backupDefinition)
  for (const { schema = {} } of definition.spec.versions) {
    const { properties } = schema.openAPIV3Schema as { properties: { status: Schema } }
    delete properties.status.properties.nodes
  }
  return definition
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
const definitionKey = { namespace: '', name: backupDefinition.metadata.name ?? '' }

interface Schema {
  properties: Record<string, unknown>
}

void t.test(
  'a status field that the installed definition lacks is named, and is not written in a loop',
  async (t) => {
    const server = await createApiServer()
    const client = createClient({ transport: inProcessTransport(server) })
    await serveDefinitions(client, [olderDefinition()])
    const warnings: string[] = []
    const logger: Logger = {
      ...silentLogger,
      warn: (_fields, message) => void (message.includes('installed CRD') && warnings.push(message)),
      child: () => logger,
    }
    const { settled, writes } = await recordedOperator(t, memcached, { servers: { main: server }, logger })
    await client.create(backups, backup(3))
    await settled()
    const sentence =
      'status.nodes was not stored: the installed CRD of Backup is older than the program; apply what vcluster-plugin crd prints'
    t.same(warnings, [sentence], 'once')
    const conditions = [{ type: 'Available', status: 'False' }]
    t.match((await client.get(backups, key)).status, { nodes: undefined, observedGeneration: 1, conditions })
    const statusWrites = writes.filter((write) => write.endsWith('/status'))
    t.equal(
      statusWrites.length,
      3,
      'the one that was refused, the one without the field, and one that the Deployment caused',
    )
    const install = ({ spec }: typeof backupDefinition) =>
      client.patch(customResourceDefinitions, definitionKey, {
        type: 'json',
        body: [{ op: 'replace', path: '/spec/versions', value: spec.versions }],
      })
    const keepsNodes = async () => {
      const probe = {
        ...merge({ status: { nodes: ['probe'] } }),
        subresource: 'status',
        dryRun: true,
      } as const
      return (await client.patch(backups, key, probe)).status?.nodes !== undefined
    }
    await install(backupDefinition)
    while (!(await keepsNodes())) await nextTurn()
    /** A new definition ends the watch, which begins again a moment later. */
    const resized = async (size: number) => {
      const { metadata } = await client.patch(backups, key, merge({ spec: { size } }))
      const handled = async () => (await client.get(backups, key)).status?.observedGeneration
      while ((await handled()) !== metadata.generation) await nextTurn()
    }
    await resized(4)
    t.same((await client.get(backups, key)).status?.nodes, ['a'])
    t.same(warnings, [sentence])
    await install(olderDefinition())
    while (await keepsNodes()) await nextTurn()
    await resized(5)
    t.same(warnings, [sentence, sentence], 'again after an older definition was installed')
  },
)
