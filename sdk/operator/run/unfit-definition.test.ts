// Tests the messages about a definition in the cluster that is not that of the program.
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../../testing/operator/serve-definitions.js'
import { testOperator } from '../../../testing/operator/test-operator.js'
import { createClient } from '../../engine/client/create-client.js'
import type { CustomResourceDefinition } from '../../engine/kube/builtin.js'
import { type LogFields, type Logger, silentLogger } from '../../engine/observe/logger.js'
import { type Backup, backup, backupDefinition, backups, memcached } from '../backups.fixture.js'
import type { ControllerOptions } from '../controller/definition.js'
import { controller } from '../engine/controller.js'

/** The log of an operator whose kind has another definition in the cluster, and a client there. */
async function withDefinition(
  t: Test,
  change: (definition: CustomResourceDefinition) => void,
  resourceChange: Partial<typeof backups> = {},
  options: ControllerOptions<Backup> = memcached,
) {
  const server = await createApiServer()
  t.teardown(() => server.close())
  const client = createClient({ transport: inProcessTransport(server) })
  const definition = structuredClone(backupDefinition)
  change(definition)
  await serveDefinitions(client, [definition])
  const said: string[] = []
  const note = ({ error, apiVersion, kind }: LogFields, message: string) => {
    if (apiVersion !== undefined) said.push(`${apiVersion} ${kind}: ${message}`)
    else said.push(error instanceof Error ? error.message : message)
  }
  const logger: Logger = { ...silentLogger, warn: note, error: note, child: () => logger }
  const resource = { ...backups, ...resourceChange }
  const run = await testOperator((operator) => operator.register(controller(resource, options)), {
    servers: { main: server },
    logger,
  })
  t.teardown(() => run.stop())
  return { said, client, settled: run.settled }
}

void t.test('a definition without the status subresource is named, with the fix', async (t) => {
  const { said, client, settled } = await withDefinition(t, ({ spec }) => {
    for (const version of spec.versions) delete version.subresources
  })
  await client.create(backups, backup(3))
  await settled()
  t.equal(
    said[0],
    'the status of Backup default/daily cannot be written: the definition of backups.cache.my.domain in the cluster has no status subresource in v1; apply the definition of this program, or add subresources: { status: {} } to that version',
  )
})

void t.test('a definition of another scope is named, with the fix', async (t) => {
  const { said, client, settled } = await withDefinition(t, ({ spec }) => {
    spec.scope = 'Cluster'
  })
  await client.create({ ...backups, namespaced: false }, { metadata: { name: 'daily' }, spec: { size: 1 } })
  await settled()
  t.match(said, [
    'Backup daily has no namespace, but the program defines the kind as Namespaced: the definition of backups.cache.my.domain in the cluster has the scope Cluster; write the same scope in both. The scope of a definition can only be changed by deleting it, which deletes its objects',
  ])
  const other = await withDefinition(t, () => {}, { namespaced: false })
  await other.client.create(backups, backup(1))
  await other.settled()
  t.match(other.said, [
    /^Backup default\/daily has a namespace, but the program defines the kind as Cluster: .* has the scope Namespaced;/,
  ])
  t.notOk((await client.list({ ...backups, namespaced: false })).items[0]?.status, 'nothing is reconciled')
})

void t.test('a status field that the kind of the program does not have is said to be one', async (t) => {
  const reconcile: ControllerOptions<Backup>['reconcile'] = (ctx) =>
    void Object.assign(ctx.status, { node: 'a' })
  const { said, client, settled } = await withDefinition(t, () => {}, {}, { reconcile })
  await client.create(backups, backup(1))
  await settled()
  t.strictSame(said, [
    'status.node was not stored: the kind Backup has no such field; add it to status in defineKind and apply the definition, or correct its name in the controller',
  ])
})

void t.test('a version that the definition does not serve is named', async (t) => {
  const { said } = await withDefinition(t, ({ spec }) => {
    for (const version of spec.versions) version.name = 'v1beta1'
  })
  t.strictSame(said, [
    'cache.my.domain/v1 Backup: the kind is not served; waiting until it is: install its definition, or correct its group and version',
  ])
})
