// Tests credentials that expire while the example runs in its own process, and their replacements.
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { type ApiServer, createApiServer } from '../apiserver/api-server.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { configMaps } from '../sdk/engine/kube/builtin.js'
import { inProcessTransport } from '../simulator/in-process-transport.js'
import { dataOf, openRecoveryEnvironment, original } from './recovery-environment.js'
import { startBreakingProxy } from './soak/breaking-proxy.js'
import { until } from './until.js'

/** The plugin's users, one after the other. */
const users = ['first', 'second', 'third'] as const
const tokenOf = (user: string) => `token-of-${user}`
const tokens = Object.fromEntries(users.map((name) => [tokenOf(name), { name, groups: [] }]))

/** The credentials for one cluster, in files. */
interface Credentials {
  /** The user in the cluster's kubeconfig. */
  inKubeconfig(file: (name: string) => string): object
  /** The content of the files with the credentials of `user`. */
  filesOf(user: string, server: ApiServer): Promise<Record<string, string>>
}

const tokenFiles: Credentials = {
  inKubeconfig: (file) => ({ tokenFile: file('token') }),
  filesOf: async (user) => ({ token: tokenOf(user) }),
}

const certificates: Credentials = {
  inKubeconfig: (file) => ({ 'client-certificate': file('crt'), 'client-key': file('key') }),
  async filesOf(user, server) {
    const [{ user: data }] = parse(await server.kubeconfig({ user, groups: [] })).users
    return { crt: decoded(data['client-certificate-data']), key: decoded(data['client-key-data']) }
  },
}

const apiVersion = 'client.authentication.k8s.io/v1'
const execPlugin: Credentials = {
  inKubeconfig: (file) => ({
    exec: { apiVersion, command: 'cat', args: [file('answer')], interactiveMode: 'Never' },
  }),
  filesOf: async (user) => ({
    answer: JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token: tokenOf(user) } }),
  }),
}

const decoded = (base64: string) => Buffer.from(base64, 'base64').toString()

type Cluster = 'virtual' | 'host'
const clusters = ['virtual', 'host'] as const

interface FilesOptions {
  folder: string
  servers: Record<Cluster, ApiServer>
  credentials: Record<Cluster, Credentials>
}

/** The files that the kubeconfigs of both clusters reference. */
function filesOf({ folder, servers, credentials }: FilesOptions) {
  const fileOf = (cluster: Cluster) => (name: string) => join(folder, `${cluster}.${name}`)
  const put = async (cluster: Cluster, files: Record<string, string>) => {
    const file = fileOf(cluster)
    for (const [name, text] of Object.entries(files)) {
      await writeFile(file('new'), text, { mode: 0o600 })
      await rename(file('new'), file(name))
    }
  }
  /** Replaces the plugin's credentials by those of another user. */
  const become = async (user: string) => {
    for (const cluster of clusters)
      await put(cluster, await credentials[cluster].filesOf(user, servers[cluster]))
  }
  /** Writes the certificate authorities of the present servers. */
  const trust = async () => {
    for (const cluster of clusters) {
      const config = parse(await servers[cluster].kubeconfig())
      await put(cluster, { ca: decoded(config.clusters[0].cluster['certificate-authority-data']) })
    }
  }
  const naming = (kubeconfig: string, portOf: (cluster: Cluster) => number) => {
    const config = parse(kubeconfig)
    const cluster: Cluster = config.clusters[0].name
    const file = fileOf(cluster)
    const server = `https://127.0.0.1:${portOf(cluster)}`
    config.clusters[0].cluster = { server, 'certificate-authority': file('ca') }
    config.users[0].user = credentials[cluster].inKubeconfig(file)
    return JSON.stringify(config)
  }
  return { become, trust, naming }
}

async function openCase(t: Test, credentials: Record<Cluster, Credentials>) {
  const environment = await openRecoveryEnvironment(t, { tokens })
  const servers = { virtual: environment.virtualServer, host: environment.hostServer }
  const proxyTo = async (cluster: Cluster) => {
    const proxy = await startBreakingProxy(Number(new URL(servers[cluster].url).port))
    t.teardown(() => proxy.close())
    return proxy
  }
  const proxies = { virtual: await proxyTo('virtual'), host: await proxyTo('host') }
  await Promise.all(users.map(environment.bind))
  const { become, trust, naming } = filesOf({ folder: environment.folder, servers, credentials })
  const via = (kubeconfig: string) => naming(kubeconfig, (cluster) => proxies[cluster].port)
  const start = async () => {
    await trust()
    await become('first')
    const plugin = await environment.start('first', { METRICS_ADDRESS: '127.0.0.1:0' }, via)
    const { url } = JSON.parse(await plugin.line('health and metrics'))
    await plugin.line('the plugin is running')
    const metrics = async () => (await fetch(`${url}/metrics`)).text()
    return { plugin, metrics }
  }
  const refuse = (user: string) => {
    const isRefused = { type: 'status', code: 401 } as const
    environment.virtualServer.faults.add({ user }, isRefused)
    // Leadership ends 10 s after its last renewal. A slow machine may need longer for the following steps, so
    // Leases are exempt.
    environment.hostServer.faults.add({ user, where: ({ resource }) => resource !== 'leases' }, isRefused)
  }
  /** Breaks every watch. */
  const cut = () => {
    for (const cluster of clusters) proxies[cluster].reset()
  }
  const isCopied = (name: string) => until(async () => (await dataOf(environment.host, name)) !== undefined)
  return { ...environment, servers, start, become, trust, refuse, cut, isCopied }
}

const cases = {
  'a token file and a client certificate': { virtual: tokenFiles, host: certificates },
  'a client certificate and an exec plugin': { virtual: certificates, host: execPlugin },
}

void t.test('expired credentials are replaced without a restart', async (t) => {
  for (const [what, credentials] of Object.entries(cases)) {
    await t.test(what, async (t) => {
      const { start, become, refuse, cut, isCopied, write } = await openCase(t, credentials)
      const { plugin, metrics } = await start()
      const told = (text: string) => plugin.lines.filter((line) => line.includes(text)).length
      await write('before')
      await isCopied('before')

      await become('second')
      refuse('first')
      cut()
      await write('in-time')
      await isCopied('in-time')
      t.equal(
        told('the cluster refuses the credentials'),
        0,
        'a user that was replaced in time causes no error',
      )

      refuse('second')
      // One rejection counts for its object; the second one counts for all objects.
      for (const name of ['while', 'meanwhile']) await write(name)
      await plugin.line('the cluster refuses all writes of this sort')
      t.match(await metrics(), /^sync_open_circuits{cluster="host"} 1$/m)
      cut()
      await plugin.line('the cluster refuses the credentials')
      await plugin.line('"reason":"refused"')
      t.match(await metrics(), /^rest_client_requests_total{.*code="401".*} [1-9]/m)
      await become('third')
      await write('after')
      for (const name of ['while', 'meanwhile', 'after']) await isCopied(name)
      await plugin.line('the cluster accepts writes of this sort again')
      t.ok(told('the credentials changed') >= 2)
      t.match(await metrics(), /^sync_open_circuits{cluster="host"} 0$/m)
      t.equal(plugin.child.exitCode, null, 'it is the same process throughout')
    })
  }
})

void t.test(
  'an API server that comes back with another certificate authority is trusted once the files contain it',
  async (t) => {
    const { servers, virtualServer, start, become, trust, isCopied, write } = await openCase(t, {
      virtual: certificates,
      host: tokenFiles,
    })
    const { plugin } = await start()
    await write('before')
    await isCopied('before')

    const { port } = new URL(virtualServer.url)
    const content = virtualServer.snapshot()
    await virtualServer.close()
    const renewed = await createApiServer({ name: 'virtual' })
    t.teardown(() => renewed.close())
    renewed.restore(content)
    await renewed.listen({ port: Number(port) })
    servers.virtual = renewed
    const virtual = createClient({ transport: inProcessTransport(renewed) })
    await virtual.create(configMaps, { metadata: original('while'), data: {} })
    await plugin.line('check certificate-authority')
    await trust()
    await become('second')
    await isCopied('while')
    t.same(await virtual.get(configMaps, original('before')).then(({ data }) => data), { name: 'before' })
    t.equal(plugin.child.exitCode, null)
  },
)
