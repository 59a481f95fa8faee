// Users who may create Modules and Workspaces in one namespace use no credentials of another one, and no cluster that
// is not theirs.
import t from 'tap'
import { createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { createClient } from '../../../engine/client/create-client.js'
import { namespaces, secrets } from '../../../engine/kube/builtin.js'
import { modules } from '../../kinds/module-kind.js'
import { workspaces } from '../../kinds/workspace-kind.js'
import type { ModulesOptions } from '../connection/modules-options.js'
import { annotate, isInstalled, type ModulesTest, moduleOf, shop, startModules } from '../modules.fixture.js'

const secretReference = { name: 'far-kubeconfig', namespace: 'default' }
const far = { namespace: 'default', name: 'far' }
const team = 'team'

/** An operator, and a kubeconfig of another cluster in the namespace `default`. */
async function startFar(t: Parameters<typeof startModules>[0], options: ModulesOptions) {
  const server = await createApiServer({ name: 'far' })
  await server.listen()
  t.teardown(() => server.close())
  const test = await startModules(t, { modules: options })
  const kubeconfig = Buffer.from(await server.kubeconfig()).toString('base64')
  await test.client.create(secrets, { metadata: secretReference, data: { kubeconfig } })
  await test.client.create(namespaces, { metadata: { name: team } })
  return { test, remote: createClient({ transport: inProcessTransport(server) }) }
}
const createWorkspaceAt = ({ client }: ModulesTest, metadata: typeof far, connection: object) =>
  client.create(workspaces, { metadata, spec: { connection } } as never)
const workspaceAt = async ({ client }: ModulesTest, key: typeof far) =>
  (await client.get(workspaces, key)).status
const createModuleIn = ({ client }: ModulesTest, namespace: string) => {
  const module = moduleOf({ workspace: far })
  return client.create(modules, { ...module, metadata: { ...module.metadata, namespace } })
}
const moduleIn = async ({ client }: ModulesTest, namespace: string) =>
  (await client.get(modules, { ...shop, namespace })).status

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

void t.test('a kubeconfig is used by Workspaces and Modules of its namespace', async (t) => {
  const { test, remote } = await startFar(t, { kubeconfigs: { networks: ['127.0.0.0/8', '::1/128'] } })
  const connection = { type: 'kubeconfig', secretReference }
  const thief = { namespace: team, name: 'thief' }
  await createWorkspaceAt(test, thief, connection)
  await until(async () => (await workspaceAt(test, thief))?.phase === 'failed')
  const message = /its Secret default\/far-kubeconfig must be in the namespace team/
  t.match(await workspaceAt(test, thief), { message })
  await createWorkspaceAt(test, far, connection)
  await until(async () => (await workspaceAt(test, far))?.ready === true)
  await createModuleIn(test, team)
  await until(async () => (await moduleIn(test, team))?.phase === 'failed')
  t.match(await moduleIn(test, team), {
    message: /Workspace default\/far has a cluster of its own, which only Modules of its namespace may use/,
  })
  t.notOk(await isInstalled(remote))
  await createModuleIn(test, 'default')
  await until(async () => (await moduleIn(test, 'default'))?.phase === 'ready')
})

void t.test('with references all-namespaces, it is used by all', async (t) => {
  const { test, remote } = await startFar(t, {
    kubeconfigs: { networks: ['127.0.0.0/8', '::1/128'] },
    references: 'all-namespaces',
  })
  await remote.create(namespaces, { metadata: { name: team } })
  await createWorkspaceAt(test, far, { type: 'kubeconfig', secretReference })
  await createModuleIn(test, team)
  await until(async () => (await moduleIn(test, team))?.phase === 'ready')
})

void t.test('a frozen definition that a user edits opens no kubeconfig', async (t) => {
  const { test } = await startFar(t, {})
  await createWorkspaceAt(test, far, { type: 'in-cluster', secretReference })
  await createModuleIn(test, 'default')
  await until(async () => (await moduleIn(test, 'default'))?.phase === 'ready')
  await redirect(test, 'workspace:default/far')
  await until(async () => (await moduleIn(test, 'default'))?.phase === 'failed')
  t.match(await moduleIn(test, 'default'), { message: /which is not that of its Workspace/ })
  t.strictSame(test.noting.texts, ['install 1 first'])
})

void t.test('users of a virtual cluster do not reach its host', async (t) => {
  const [virtual, host] = [
    await createApiServer({ name: 'virtual' }),
    await createApiServer({ name: 'host' }),
  ]
  const test = await startModules(t, { servers: { virtual, host }, modules: { workspaces: 'virtual' } })
  await createWorkspaceAt(test, far, { type: 'host' })
  await until(async () => (await workspaceAt(test, far))?.phase === 'failed')
  t.match(await workspaceAt(test, far), { message: /a Workspace of a virtual cluster is not on its host/ })
  await test.client.create(modules, moduleOf())
  await until(async () => (await test.live()).status?.phase === 'ready')
  await redirect(test, 'host')
  await until(async () => (await test.live()).status?.phase === 'failed')
  t.match((await test.live()).status, {
    message: /a Module of a virtual cluster is not installed on its host/,
  })
  t.strictSame(test.noting.texts, ['install 1 first'])
})

/** Edits the cluster in the frozen definition of the Module, and asks for a call in it. */
async function redirect(test: ModulesTest, cluster: string): Promise<void> {
  const text = (await test.live()).metadata.annotations?.['forkspacer.com/resource'] ?? ''
  await annotate(test, { 'forkspacer.com/resource': JSON.stringify({ ...JSON.parse(text), cluster }) })
  await test.change({ hibernated: true })
}
