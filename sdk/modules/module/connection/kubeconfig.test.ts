// Workspaces with a kubeconfig, over sockets to a second API server.
import { pipeline, Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { type ApiServer, createApiServer } from '../../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../../simulator/in-process-transport.js'
import { testOperator } from '../../../../testing/operator/test-operator.js'
import { createClient } from '../../../engine/client/create-client.js'
import { configMaps, secrets } from '../../../engine/kube/builtin.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import { createAuthority, type Handler, startServer } from '../../../engine/transport/local-server.fixture.js'
import type { TransportRequest } from '../../../engine/transport/transport.js'
import type { Operator } from '../../../operator/operator.js'
import { modules } from '../../kinds/module-kind.js'
import { workspaces } from '../../kinds/workspace-kind.js'
import { anyKubeconfig } from '../../workspace/managed.fixture.js'
import { workspaceController } from '../../workspace/workspace-controller.js'
import { moduleController } from '../module-controller.js'
import {
  definitions,
  events,
  isInstalled,
  type ModulesTest,
  moduleOf,
  NotingProgram,
  shop,
  startModules,
} from '../modules.fixture.js'
import { KubeconfigClusters } from './kubeconfig-clusters.js'

const far = { namespace: 'default', name: 'far' }
const secretReference = { name: 'far-kubeconfig', namespace: 'default' }
const connection = { type: 'kubeconfig', secretReference }
const inFar = { workspace: far }
const installed = { namespace: 'default', name: 'shop-installed' }

async function startFar(t: Parameters<typeof startModules>[0]) {
  const server = await createApiServer({ name: 'far' })
  await server.listen()
  t.teardown(() => server.close())
  const test = await startModules(t, { modules: { kubeconfigs: { networks: ['127.0.0.0/8', '::1/128'] } } })
  return { test, server, remote: createClient({ transport: inProcessTransport(server) }) }
}
const writeSecret = ({ client }: ModulesTest, kubeconfig: string) =>
  client.patch(secrets, secretReference, {
    type: 'apply',
    fieldManager: 'test',
    force: true,
    body: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: secretReference,
      data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') },
    },
  } as never)
const createFar = ({ client }: ModulesTest) =>
  client.create(workspaces, { metadata: far, spec: { connection } } as never)
const statusOf = async ({ client }: ModulesTest) => (await client.get(workspaces, far)).status
const kubeconfigOf = (server: ApiServer) => server.kubeconfig()

void t.test(
  'a Module of a Workspace with a kubeconfig is installed in its cluster, also by a later Secret',
  async (t) => {
    const { test, server, remote } = await startFar(t)
    await createFar(test)
    await test.client.create(modules, moduleOf(inFar))
    await until(async () => (await statusOf(test))?.phase === 'failed')
    t.match(
      (await statusOf(test))?.message,
      /Secret default\/far-kubeconfig with the kubeconfig does not exist; create it/,
    )
    await writeSecret(test, await kubeconfigOf(server))
    await until(async () => (await test.live()).status?.phase === 'ready')
    t.match(await statusOf(test), { phase: 'ready', ready: true })
    t.ok(await isInstalled(remote))
    t.notOk(await isInstalled(test.client), 'not in the cluster of the Module')
    const { metadata } = await remote.get(configMaps, installed)
    t.match(metadata.labels, { 'forkspacer.com/module': (await test.live()).metadata.uid })
    t.equal(metadata.ownerReferences, undefined, 'an owner is never in another cluster')
    await test.client.delete(workspaces, far)
    await until(() =>
      test.live().then(
        () => false,
        () => true,
      ),
    )
    t.notOk(await isInstalled(remote))
  },
)

const there = 'server: "https://127.0.0.1:1"'
const withToken = 'users: [{ name: admin, user: { token: abc } }]'
/** The users of kubeconfigs that are refused, why, and their servers. */
const refused: [string, RegExp, string?][] = [
  [withToken, /names a server without TLS/, 'server: "http://169.254.169.254"'],
  [withToken, /names a proxy/, `${there}, proxy-url: "http://127.0.0.1:2"`],
  ['users: [{ name: admin, user: { exec: { command: /bin/sh } } }]', /names a program \(exec\)/],
  ['users: [{ name: admin, user: { auth-provider: { name: oidc } } }]', /names a program \(auth-provider\)/],
  ['users: [{ name: admin, user: { tokenFile: /var/run/secrets/token } }]', /names a file/],
]

void t.test('a kubeconfig with a program, a file, a proxy or no TLS is refused', async (t) => {
  // Each in its own environment, because a Workspace that fails again and again is tried once a minute.
  for (const [users, message, cluster = there] of refused) {
    const { test } = await startFar(t)
    const head = 'current-context: c\ncontexts: [{ name: c, context: { cluster: c, user: admin } }]'
    const clusters = `clusters: [{ name: c, cluster: { ${cluster} } }]`
    await writeSecret(test, [head, clusters, users].join('\n'))
    await createFar(test)
    await until(async () => message.test((await statusOf(test))?.message ?? ''))
    t.match(await statusOf(test), { phase: 'failed', ready: false, message })
  }
})

void t.test('a kubeconfig does not lead to servers next to the operator', async (t) => {
  const server = await createApiServer({ name: 'far' })
  await server.listen()
  t.teardown(() => server.close())
  const test = await startModules(t, { modules: { kubeconfigs: true } })
  const message = /no connection to .*127\.0\.0\.1.*: the program does not connect to this address for others/
  await writeSecret(test, await kubeconfigOf(server))
  await createFar(test)
  await until(async () => message.test((await statusOf(test))?.message ?? ''))
  t.match(await statusOf(test), { phase: 'failed', ready: false })
})

void t.test('a rotated kubeconfig is used at once', async (t) => {
  const { test, server } = await startFar(t)
  await writeSecret(test, 'nonsense: [')
  await createFar(test)
  await until(async () => /does not parse/.test((await statusOf(test))?.message ?? ''))
  await writeSecret(test, await kubeconfigOf(server))
  await until(async () => (await statusOf(test))?.ready === true)
  await writeSecret(test, 'nonsense: [')
  await until(async () => (await statusOf(test))?.phase === 'failed')
})

void t.test(
  'a Module whose Workspace and kubeconfig are gone loses its finalizer, with an Event',
  async (t) => {
    const { test, server } = await startFar(t)
    await writeSecret(test, await kubeconfigOf(server))
    await createFar(test)
    await test.client.create(modules, moduleOf(inFar))
    await until(async () => (await test.live()).status?.phase === 'ready')
    const body = { metadata: { finalizers: null } }
    await test.operator.stop()
    await test.client.patch(workspaces, far, { type: 'merge', body })
    await test.client.delete(workspaces, far)
    const next = await startModules(t, {
      servers: { main: test.server },
      modules: { kubeconfigs: { networks: ['127.0.0.0/8', '::1/128'] } },
    })
    await next.client.delete(modules, shop)
    await until(() =>
      next.live().then(
        () => false,
        () => true,
      ),
    )
    t.strictSame(next.noting.texts, [])
    await until(async () =>
      (await next.client.list(events)).items.some(({ reason }) => reason === 'Abandoned'),
    )
  },
)

void t.test('a Workspace that goes without its finalizer has no connection left', async (t) => {
  const server = await createApiServer({ name: 'far' })
  let [opened, closed] = [0, 0]
  const open = () => {
    opened++
    const transport = inProcessTransport(server)
    return {
      request: (request: TransportRequest) => transport.request(request),
      stream: (request: TransportRequest) => transport.stream(request),
      close: async () => void closed++,
    }
  }
  const kubeconfigs = new KubeconfigClusters({}, open)
  const noting = new NotingProgram()
  noting.behaviour.uninstall = () => Promise.reject(new Error('still in use'))
  const options = { kubeconfigs: true, builtIn: { Noting: noting.program } }
  const register = (operator: Operator) =>
    operator.register(workspaceController(options, kubeconfigs), moduleController(options, kubeconfigs))
  const operator = await testOperator(register, { definitions, logger: silentLogger })
  t.teardown(() => operator.stop())
  const { client } = operator
  const kubeconfig = Buffer.from(anyKubeconfig).toString('base64')
  await client.create(secrets, { metadata: secretReference, data: { kubeconfig } })
  await client.create(workspaces, { metadata: far, spec: { connection } } as never)
  await client.create(modules, moduleOf(inFar))
  await operator.settled()
  t.strictSame([opened, closed], [1, 0])
  await client.delete(workspaces, far)
  await operator.settled()
  t.match(await client.get(workspaces, far), { status: { message: /^waits for the Modules default\/shop/ } })
  const body = { metadata: { finalizers: null } }
  await client.patch(workspaces, far, { type: 'merge', body })
  await operator.settled()
  t.strictSame([opened, closed], [1, 1])
})

/** A server with a kubeconfig for it, and the connections to it. */
async function startHostile(t: Test, handler: Handler) {
  const authority = await createAuthority()
  const server = await startServer({ handler, pair: await authority.issue('far') })
  const ca = Buffer.from(authority.ca).toString('base64')
  const kubeconfig = [
    'current-context: c',
    'contexts: [{ name: c, context: { cluster: c, user: admin } }]',
    `clusters: [{ name: c, cluster: { server: "${server.url}", certificate-authority-data: ${ca} } }]`,
    withToken,
  ].join('\n')
  const secret = { metadata: {}, data: { kubeconfig: Buffer.from(kubeconfig).toString('base64') } }
  const clusters = new KubeconfigClusters({ networks: ['127.0.0.0/8'] })
  t.teardown(async () => {
    await clusters.close()
    await server.close()
  })
  const read = { ...connection, secretReference: { ...secretReference, key: 'kubeconfig' } }
  const workspace = {
    metadata: { ...far, uid: '1' },
    spec: { type: 'kubernetes', connection: read },
  } as never
  const client = { get: async () => secret } as never
  return { clusters, workspace, calls: { client, signal: new AbortController().signal } }
}

void t.test('answers without end of the server of a kubeconfig are given up', async (t) => {
  let sentBytes = 0
  function* endlessly() {
    for (const part = Buffer.alloc(65_536, ' '); ; sentBytes += part.length) yield part
  }
  const { clusters, workspace, calls } = await startHostile(t, (_request, response) => {
    pipeline(Readable.from(endlessly()), response, () => {})
  })
  const error = (path: string, mebibytes: number) => ({
    name: 'AnswerTooLargeError',
    message: new RegExp(`^GET ${path}: the answer has more than ${mebibytes * 2 ** 20} bytes; check that`),
  })
  await t.rejects(clusters.check(workspace, calls), error('/version', 8))
  const { client, cluster } = await clusters.open(workspace, calls)
  await t.rejects(cluster.served('apps/v1'), error('/apis/apps/v1', 8))
  await t.rejects(cluster.apiVersions(), { name: 'AnswerTooLargeError' })
  sentBytes = 0
  await t.rejects(client.get(configMaps, installed), error('/api/v1/namespaces/default/configmaps/.*', 8))
  t.ok(sentBytes < 16 * 2 ** 20, `${sentBytes} bytes were sent`)
})

void t.test('a list without a last page of the server of a kubeconfig is given up', async (t) => {
  const data = { text: 'x'.repeat(7 * 2 ** 20) }
  const page = JSON.stringify({ metadata: { continue: 'more' }, items: [{ metadata: { name: 'a' }, data }] })
  let pages = 0
  const { clusters, workspace, calls } = await startHostile(t, (_request, response) => {
    pages++
    response.end(page)
  })
  const { client } = await clusters.open(workspace, calls)
  await t.rejects(client.listAll(configMaps), {
    name: 'AnswerTooLargeError',
    message:
      /^GET \/api\/v1\/configmaps: the pages of the list together have more than 67108864 bytes; select/,
  })
  t.equal(pages, 10)
})

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}
