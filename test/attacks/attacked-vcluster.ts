/**
 * The two clusters for attacks: embedded ones, or real ones if available. The plugin between them is the
 * same, and all its output is recorded.
 */
import type { Test } from 'tap'
import { createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { createPrometheusMetrics } from '../../sdk/engine/health/prometheus-metrics.js'
import { configMaps, events, namespaces } from '../../sdk/engine/kube/builtin.js'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { stringifyJson } from '../../sdk/engine/kube/json.js'
import type { Key } from '../../sdk/engine/kube/key.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Resource } from '../../sdk/engine/kube/resource.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import { createTransport } from '../../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { createPluginRuntime } from '../../sdk/vcluster/plugin/plugin-runtime.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { prepareHost } from '../../simulator/prepare-host.js'
import { testSession } from '../../simulator/test-session.js'
import type { Register } from '../../testing/plugin/test-plugin.js'
import { type RealCluster, startRealCluster } from '../real/real-cluster.js'
import { until } from '../until.js'

/** The clusters of a plugin. */
export interface AttackEnvironment {
  readonly name: string
  /** Opens a new connection to each cluster. */
  connect(): Promise<{ virtual: Transport; host: Transport }>
  /** Makes the host reject new ConfigMaps in a namespace. The returned function ends that. */
  fillQuota(namespace: string): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** Two embedded clusters. */
export async function embeddedEnvironment(): Promise<AttackEnvironment> {
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

/** Imitates the quota error of a real API server, because the embedded one has no quotas. */
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

/** Two real clusters. The host has its controllers, because quotas need them. */
export async function realEnvironment(): Promise<AttackEnvironment> {
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

/** A vcluster with a plugin. */
export interface AttackedVCluster {
  readonly isReal: boolean
  /** The transport for the tenant's own requests. */
  readonly tenant: Transport
  /** A client of the tenant. */
  readonly virtual: Client
  /** A client of the host's administrator. */
  readonly host: Client
  /** The virtual namespace of this vcluster's tenant. */
  readonly home: string
  /** The host namespace of its copies. */
  readonly target: string
  /** The plugin's output so far: log lines and metrics. */
  said(): Promise<string>
  /** The Events in `home`, as `reason: message`. */
  events(): Promise<string[]>
  /** See {@link AttackEnvironment.fillQuota}; for the host namespace of this vcluster. */
  fillQuota(): Promise<() => Promise<void>>
  /** Resolves when the plugin has handled all changes in both clusters. */
  settled(): Promise<void>
}

let vclusters = 0

/** Starts a plugin in namespaces that no other vcluster has. Objects in them are deleted at the end. */
export async function openVCluster(
  t: Test,
  {
    environment,
    register,
    leftovers,
  }: { environment: AttackEnvironment; register: Register; leftovers: readonly Resource[] },
): Promise<AttackedVCluster> {
  const [home, target] = [`tenant-${++vclusters}`, `vcluster-vc-${vclusters}`]
  const { virtual: tenant, host: administrator } = await environment.connect()
  const [virtual, host] = [createClient({ transport: tenant }), createClient({ transport: administrator })]
  await virtual.create(namespaces, { metadata: { name: home } })
  await prepareHost(host, { vclusterName: 'vc', targetNamespace: target, hasService: true })
  const lines: string[] = []
  const metrics = createPrometheusMetrics()
  const session = testSession({
    ...(await environment.connect()),
    vclusterName: 'vc',
    targetNamespace: target,
  })
  const plugin = createPluginRuntime({
    env: {},
    metrics,
    logger: writing(lines),
    openSession: async () => session,
  })
  await register(plugin, await plugin.init())
  const ended = plugin.start()
  t.teardown(async () => {
    await plugin.stop()
    for (const resource of leftovers) await virtual.deleteCollection(resource, { namespace: home })
    await Promise.all([tenant.close(), administrator.close()])
  })
  await Promise.race([plugin.whenRunning(), ended])
  const vcluster = { isReal: environment.name === 'real', tenant, virtual, host, home, target }
  return {
    ...vcluster,
    said: async () => `${lines.join('\n')}\n${await metrics.text()}`,
    events: async () => {
      const { items } = await virtual.listAll(events, { namespace: home })
      return items.map(({ reason, message }) => `${reason}: ${message}`)
    },
    fillQuota: () => environment.fillQuota(target),
    settled: () => settled(vcluster, () => plugin.isIdle()),
  }
}

/** Writes JSON lines, errors with all their properties. */
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
 * Waits until both watches have delivered all earlier events: until a new object has its copy, and a change
 * of the copy is reverted.
 */
async function settled(
  vcluster: Pick<AttackedVCluster, 'virtual' | 'host' | 'home' | 'target'>,
  isIdle: () => boolean,
) {
  const key = { namespace: vcluster.home, name: `marker-${++vclusters}` }
  const hostKey = { namespace: vcluster.target, name: `${key.name}-x-${vcluster.home}-x-vc` }
  await vcluster.virtual.create<Marked>(markers, { metadata: key, data: { at: 'virtual' } })
  await until(async () => (await found(vcluster.host, hostKey))?.data?.at === 'virtual')
  await vcluster.host.patch(markers, hostKey, { type: 'merge', body: { data: { at: 'host' } } })
  await until(async () => (await found(vcluster.host, hostKey))?.data?.at === 'virtual' && isIdle())
}

interface Marked extends KubeObject {
  data?: Record<string, string>
}

/** An object, or `undefined` if it does not exist. */
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
