import mapValues from 'lodash/mapValues.js'
import { Subject } from 'rxjs'
import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import type { CustomResourceDefinition } from '../../sdk/engine/kube/builtin.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import type { Logger } from '../../sdk/engine/observe/logger.js'
import type { Metrics } from '../../sdk/engine/observe/metrics.js'
import type { Clock } from '../../sdk/engine/time/clock.js'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { createInternalOperator } from '../../sdk/operator/operator-runtime.js'
import type { WebhookOptions } from '../../sdk/operator/webhook/webhook-options.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import type { SyncerRun } from '../plugin/settle-limits.js'
import { stopAndRethrow } from '../plugin/stop-and-rethrow.js'
import { untilSettled } from '../plugin/until-settled.js'
import { warningLogger } from '../plugin/warning-logger.js'
import { grantDeclared, impersonate, operatorUser, withAdvice } from './declared-permissions.js'
import { type RunningWorkloads, runWorkloads } from './run-workloads.js'
import { serveDefinitions } from './serve-definitions.js'
import { setWorkloadReady } from './set-ready.js'
import { untilPublished, webhooksOnLoopback } from './test-webhooks.js'

/**
 * Registers the controllers of an operator. A program exports such a function, and its `main.ts` calls the same one.
 */
export type RegisterControllers = (operator: Operator) => void | Promise<void>

/** Options of {@link testOperator}. */
export interface TestOperatorOptions {
  /** The name of the operator; default `test`. */
  name?: string
  /** The definitions of the kinds that it reconciles; they are served before it starts. Default none. */
  definitions?: readonly CustomResourceDefinition[]
  /** The clusters of the operator by name; default a new one, named `main`. */
  servers?: Readonly<Record<string, ApiServer>>
  /** Restricts the operator to one namespace; default all. */
  namespace?: string
  /** The namespace that the operator itself runs in; default `default`. */
  ownNamespace?: string
  /**
   * `all`, the default, or `declared`: the operator may do only what its controllers declare, which is what
   * `vcluster-plugin rbac` prints; any other call is answered 403 Forbidden. The servers must authorize by `rbac`; the
   * default one then does.
   */
  permissions?: 'all' | 'declared'
  /**
   * Whether the controllers of workloads are simulated in all clusters, as in `vcluster-plugin dev`: every Deployment,
   * StatefulSet and DaemonSet becomes ready, every Job succeeds, every claim gets a volume, every load balancer an
   * address, and every APIService is available, by itself. Default false: `setReady` does it for the workloads of one
   * name.
   */
  runWorkloads?: boolean
  /**
   * The webhooks of the operator: `default`, `validate` and the conversions of its kinds. The API server of the first
   * cluster calls them at a free port on loopback. They need the machine's clock. Default none.
   */
  webhooks?: TestWebhookOptions
  /** Wraps the connection of the operator to a cluster, for example to count its calls; default unchanged. */
  wrap?: (transport: Transport, cluster: string) => Transport
  /** Default: prints warnings and errors on standard error. Pass `silentLogger` for no output. */
  logger?: Logger
  /** Default none. */
  metrics?: Metrics
  /** Default the machine's clock. */
  clock?: Clock
}

/** The webhooks of an operator under test. */
export type TestWebhookOptions = Pick<WebhookOptions, 'kinds' | 'reads'>

/** A running operator; see {@link testOperator}. */
export interface TestOperator {
  /** A client of the administrator of the first cluster. */
  readonly client: Client
  /** The first cluster's API server. */
  readonly server: ApiServer
  readonly operator: Operator
  /** A client of the administrator of a cluster. */
  clientOf(cluster: string): Client
  /**
   * Simulates the controllers of workloads of the first cluster: the Deployment, StatefulSet and DaemonSet of a name
   * get the status of ready ones, and the Job of that name succeeds. Rejects with `ApiError` 404 if there is none of
   * them.
   */
  setReady(object: Pick<KubeObject, 'metadata'>): Promise<void>
  /**
   * Resolves when the operator has handled every change so far. Rejects with `PluginError` `NOT_SETTLED` if a key is
   * requeued within a second again and again, or if a run does not end.
   */
  settled(): Promise<void>
  /** Stops the operator. The clusters keep running, for example for another operator. */
  stop(): Promise<void>
}

/**
 * Starts an operator on embedded clusters in this process, without sockets or child processes. Resolves when it has
 * handled the first lists. It elects no leader.
 *
 * @example
 * ```ts
 * const test = await testOperator((operator) => operator.register(backupController), { definitions: [crdOf(backups)] })
 * await test.client.create(backups, { metadata: { namespace: 'default', name: 'daily' }, spec: { size: 3 } })
 * await test.settled()
 * await test.stop()
 * ```
 */
export async function testOperator(
  register: RegisterControllers,
  options: TestOperatorOptions = {},
): Promise<TestOperator> {
  const clusters = await openClusters(options)
  const { server, client, clientOf } = clusters
  const stopped = new AbortController()
  const workloads = options.runWorkloads ? startWorkloads(clusters, stopped.signal) : []
  const { operator, runs$ } = await startOperator(register, clusters, options).catch(
    stopAndRethrow(async () => stopped.abort()),
  )
  const isIdle = () => workloads.every((workload) => workload.isIdle())
  const servers = Object.values(clusters.servers)
  const settled = () => untilSettled({ program: 'operator', plugin: operator, servers, runs$, isIdle })
  const stop = () => {
    stopped.abort()
    return operator.stop()
  }
  await settled().catch(stopAndRethrow(stop))
  return {
    client,
    server,
    operator,
    clientOf,
    setReady: (object) => setWorkloadReady(client, object),
    settled,
    stop,
  }
}

/** The embedded clusters of an operator under test; `server` and `client` are those of the first one. */
interface OperatorClusters extends Pick<TestOperator, 'client' | 'server' | 'clientOf'> {
  readonly servers: Readonly<Record<string, ApiServer>>
}

/** Starts the missing API servers, and serves the definitions in all of them. */
async function openClusters(options: TestOperatorOptions): Promise<OperatorClusters> {
  const servers = options.servers ?? { main: await createMainServer(options) }
  const clients = new Map(
    Object.entries(servers).map(([name, server]) => [
      name,
      createClient({ transport: inProcessTransport(server) }),
    ]),
  )
  const [server] = Object.values(servers)
  const [client] = clients.values()
  if (!server || !client)
    throw new TypeError('testOperator: servers is empty; leave it out, or name at least one cluster')
  for (const client of clients.values()) await serveDefinitions(client, options.definitions ?? [])
  return { servers, server, client, clientOf: (cluster) => clientIn(clients, cluster) }
}

function clientIn(clients: ReadonlyMap<string, Client>, cluster: string): Client {
  const client = clients.get(cluster)
  if (client) return client
  throw new TypeError(
    `testOperator: there is no cluster ${cluster}; there are ${[...clients.keys()].join(', ')}`,
  )
}

function startWorkloads({ servers, clientOf }: OperatorClusters, signal: AbortSignal): RunningWorkloads[] {
  const onProblem = (problem: string) => process.emitWarning(problem)
  return Object.entries(servers).map(([cluster, server]) =>
    runWorkloads({ client: clientOf(cluster), transport: inProcessTransport(server), signal, onProblem }),
  )
}

function createMainServer({ permissions }: TestOperatorOptions): Promise<ApiServer> {
  return createApiServer({ name: 'main', ...(permissions === 'declared' && { authorization: 'rbac' }) })
}

/** Registers the controllers, grants their permissions, and starts the operator. Resolves when it runs. */
async function startOperator(
  register: RegisterControllers,
  clusters: OperatorClusters,
  options: TestOperatorOptions,
) {
  const { name = 'test', permissions = 'all' } = options
  const user = permissions === 'declared' ? operatorUser(name) : undefined
  const { operator, runs$, url } = await createOperator(clusters, { ...options, name, user })
  await register(operator)
  if (user !== undefined)
    for (const cluster of Object.keys(clusters.servers)) {
      const description = await operator.describe()
      await grantDeclared(clusters.clientOf(cluster), { description, cluster, user })
    }
  const ended = operator.start()
  const running = async () => {
    await Promise.race([operator.whenRunning(), ended])
    if (url) await untilPublished(clusters.client, { ...(await operator.describe()), url })
  }
  await running().catch(stopAndRethrow(() => operator.stop()))
  return { operator, runs$ }
}

interface OperatorUnderTest extends TestOperatorOptions {
  readonly name: string
  /** The user of the operator's requests; undefined for an administrator. */
  readonly user: string | undefined
}

async function createOperator({ servers }: OperatorClusters, options: OperatorUnderTest) {
  const { name, user, namespace, ownNamespace = 'default', logger = warningLogger() } = options
  const { metrics, clock, wrap = (transport) => transport } = options
  const webhooks = options.webhooks && (await webhooksOnLoopback(options.webhooks))
  const runs$ = new Subject<SyncerRun>()
  const transports = mapValues(servers, (server, cluster) =>
    wrap(withAdvice(impersonate(inProcessTransport(server), user), user), cluster),
  )
  const operator = createInternalOperator({
    name,
    env: {},
    logger,
    leaderElection: false,
    leaseNamespace: ownNamespace,
    ...(namespace !== undefined && { namespace }),
    clusters: mapValues(servers, () => ({})),
    ...(webhooks && { webhooks }),
    ...(metrics && { metrics }),
    ...(clock && { clock }),
    openClusters: async () => ({ transports: new Map(Object.entries(transports)) }),
    onRunEnd: (syncer, runEnd) => runs$.next({ syncer, ...runEnd }),
  })
  return { operator, runs$, url: webhooks?.url }
}
