/**
 * The two clusters that attacks are tried on: embedded ones, or real ones where there are any. The plugin between them
 * is the same, and everything it says is kept.
 */
import type { Test } from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/client/client.js'
import { createClient } from '../../sdk/client/create-client.js'
import { createPrometheusMetrics } from '../../sdk/health/prometheus-metrics.js'
import { configMaps, events, namespaces } from '../../sdk/kube/builtin.js'
import { isNotFound } from '../../sdk/kube/error.js'
import { stringifyJson } from '../../sdk/kube/json.js'
import type { Key } from '../../sdk/kube/key.js'
import type { KubeObject } from '../../sdk/kube/object.js'
import type { Resource } from '../../sdk/kube/resource.js'
import type { Logger } from '../../sdk/observe/logger.js'
import { createPlugin } from '../../sdk/plugin/plugin.js'
import { createTransport } from '../../sdk/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/transport/kubeconfig.js'
import type { Transport } from '../../sdk/transport/transport.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { prepareHost } from '../../simulator/prepare-host.js'
import { testSession } from '../../simulator/test-session.js'
import type { Register } from '../../testing/plugin/test-plugin.js'
import { type RealCluster, startRealCluster } from '../real/real-cluster.js'

/** Where a plugin's clusters are. */
export interface Ground {
  readonly name: string
  /** A new connection to each. */
  connect(): Promise<{ virtual: Transport; host: Transport }>
  /** Lets no ConfigMap be created any more in a namespace of the host, until the answer is called. */
  fillQuota(namespace: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Two embedded clusters. */
export async function embeddedGround(): Promise<Ground> {
  const [virtual, host] = [
    await createApiServer({ name: 'virtual' }),
    await createApiServer({ name: 'host' }),
  ]
  const full = new Set<string>()
  return {
    name: 'embedded',
    connect: async () => ({
      virtual: inProcessTransport(virtual),
      host: refusingIn(full, inProcessTransport(host)),
    }),
    fillQuota: async (namespace) => {
      full.add(`/api/v1/namespaces/${namespace}/configmaps`)
      return async () => full.clear()
    },
    close: async () => {
      await virtual.close()
      await host.close()
    },
  }
}

/** The embedded API server knows no quotas; this is how a real one refuses to create in a collection. */
function refusingIn(full: ReadonlySet<string>, transport: Transport): Transport {
  return {
    stream: (request) => transport.stream(request),
    close: () => transport.close(),
    request: async (request) => {
      const { method, path, body } = request
      if (method !== 'POST' || !full.has(path.split('?')[0] ?? '')) return transport.request(request)
      const { name } = JSON.parse(String(body)).metadata
      const message = `configmaps "${name}" is forbidden: exceeded quota: full, requested: count/configmaps=1`
      const refusal = { kind: 'Status', status: 'Failure', code: 403, reason: 'Forbidden', message }
      return { status: 403, headers: {}, body: new TextEncoder().encode(stringifyJson(refusal)) }
    },
  }
}

/** Two real ones; the host has its controllers, because quotas need them. */
export async function realGround(): Promise<Ground> {
  const virtual = await startRealCluster()
  const host = await startRealCluster({ controllerManager: true })
  const open = async ({ kubeconfigFile }: RealCluster) =>
    createTransport({ kubeconfig: await loadKubeconfig({ file: kubeconfigFile }) })
  return {
    name: 'real',
    connect: async () => ({ virtual: await open(virtual), host: await open(host) }),
    fillQuota: async (namespace) => {
      const client = createClient({ transport: await open(host) })
      const key = { namespace, name: 'full' }
      await client.create<Quota>(quotas, { metadata: key, spec: { hard: { 'count/configmaps': '0' } } })
      await until(async () => (await client.get(quotas, key)).status?.hard !== undefined)
      return async () => void (await client.delete(quotas, key))
    },
    close: async () => {
      await virtual.stop()
      await host.stop()
    },
  }
}

interface Quota extends KubeObject {
  spec?: { hard: Record<string, string> }
  status?: { hard?: Record<string, string> }
}

const quotas: Resource<Quota> = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
}

/** A vcluster of its own with a plugin in it. */
export interface World {
  readonly isReal: boolean
  /** What the tenant's own bytes go through. */
  readonly tenant: Transport
  /** As the tenant has it. */
  readonly virtual: Client
  /** As the host's administrator has it. */
  readonly host: Client
  /** The virtual namespace of this vcluster's tenant. */
  readonly home: string
  /** The host namespace of its copies. */
  readonly target: string
  /** Everything the plugin has said by now: log lines and metrics. */
  said(): Promise<string>
  /** The Events in `home`, as `reason: message`. */
  events(): Promise<string[]>
  /** See {@link Ground.fillQuota}; of this world's host namespace. */
  fillQuota(): Promise<() => Promise<void>>
  /** Resolves when everything done in either cluster has been worked off. */
  settled(): Promise<void>
}

let worlds = 0

/** Starts a plugin on a ground, in namespaces that no other world has; what is left over there at the end is deleted. */
export async function openWorld(
  t: Test,
  { ground, register, leftovers }: { ground: Ground; register: Register; leftovers: readonly Resource[] },
): Promise<World> {
  const [home, target] = [`tenant-${++worlds}`, `vcluster-vc-${worlds}`]
  const { virtual: tenant, host: administrator } = await ground.connect()
  const [virtual, host] = [createClient({ transport: tenant }), createClient({ transport: administrator })]
  await virtual.create(namespaces, { metadata: { name: home } })
  await prepareHost(host, { vclusterName: 'vc', targetNamespace: target, hasService: true })
  const lines: string[] = []
  const metrics = createPrometheusMetrics()
  const session = testSession({ ...(await ground.connect()), vclusterName: 'vc', targetNamespace: target })
  const plugin = createPlugin({ env: {}, metrics, logger: writing(lines), openSession: async () => session })
  await register(plugin, await plugin.init())
  const ended = plugin.start()
  t.teardown(async () => {
    await plugin.stop()
    for (const resource of leftovers) await virtual.deleteCollection(resource, { namespace: home })
    await Promise.all([tenant.close(), administrator.close()])
  })
  await Promise.race([plugin.whenRunning(), ended])
  const world = { isReal: ground.name === 'real', tenant, virtual, host, home, target }
  return {
    ...world,
    said: async () => `${lines.join('\n')}\n${await metrics.text()}`,
    events: async () => {
      const { items } = await virtual.listAll(events, { namespace: home })
      return items.map(({ reason, message }) => `${reason}: ${message}`)
    },
    fillQuota: () => ground.fillQuota(target),
    settled: () => settled(world, () => plugin.isIdle()),
  }
}

/** As JSON lines, errors with all they carry. */
function writing(lines: string[]): Logger {
  const write = (fields: object, words: string) =>
    lines.push(
      stringifyJson({ ...fields, words, error: 'error' in fields ? inFull(fields.error) : undefined }),
    )
  const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger }
  return logger
}

function inFull(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  return { ...error, message: error.message, stack: error.stack, cause: error.cause && inFull(error.cause) }
}

const markers: Resource = configMaps

/**
 * Both watches have brought what was there: a new object has its copy, and a change of the copy was taken back. Then
 * everything that was written before has been seen.
 */
async function settled(world: Pick<World, 'virtual' | 'host' | 'home' | 'target'>, isIdle: () => boolean) {
  const key = { namespace: world.home, name: `marker-${++worlds}` }
  const hostKey = { namespace: world.target, name: `${key.name}-x-${world.home}-x-vc` }
  await world.virtual.create<Marked>(markers, { metadata: key, data: { at: 'virtual' } })
  await until(async () => (await found(world.host, hostKey))?.data?.at === 'virtual')
  await world.host.patch(markers, hostKey, { type: 'merge', body: { data: { at: 'host' } } })
  await until(async () => (await found(world.host, hostKey))?.data?.at === 'virtual' && isIdle())
}

interface Marked extends KubeObject {
  data?: Record<string, string>
}

/** An object, or `undefined` where there is none. */
export async function found(
  client: Client,
  key: Key,
  resource: Resource = markers,
): Promise<Marked | undefined> {
  try {
    return await client.get(resource, key)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Asks again and again. Fails after a minute. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('what was waited for did not come about within a minute')
}
