import mapValues from 'lodash/mapValues.js'
import { Subject } from 'rxjs'
import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { createClient } from '../../sdk/engine/client/create-client.js'
import { type CustomResourceDefinition, customResourceDefinitions } from '../../sdk/engine/kube/builtin.js'
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
import { untilSettled } from '../plugin/until-settled.js'
import { warningLogger } from '../plugin/warning-logger.js'
import { grantDeclared, impersonating, operatorUser } from './declared-permissions.js'
import { type RunningWorkloads, runWorkloads } from './run-workloads.js'
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
   * StatefulSet and DaemonSet becomes ready, every Job succeeds, every claim gets a volume and every load balancer an
   * address, by itself. Default false: `setReady` does it for the workloads of one name.
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
  const servers = options.servers ?? { main: await createMainServer(options) }
  const [server] = Object.values(servers)
  if (!server)
    throw new TypeError('testOperator: servers is empty; leave it out, or name at least one cluster')
  const clients = new Map(
    Object.entries(servers).map(([name, one]) => [
      name,
      createClient({ transport: inProcessTransport(one) }),
    ]),
  )
  const clientOf = (cluster: string) => {
    const client = clients.get(cluster)
    if (client) return client
    throw new TypeError(
      `testOperator: there is no cluster ${cluster}; there are ${[...clients.keys()].join(', ')}`,
    )
  }
  for (const client of clients.values()) await serveDefinitions(client, options.definitions ?? [])
  const stopped = new AbortController()
  const workloads = options.runWorkloads ? startWorkloads({ servers, clientOf }, stopped.signal) : []
  const { operator, runs$ } = await start(register, { servers, clientOf }, options)
  const isIdle = () => workloads.every((one) => one.isIdle())
  const settled = () =>
    untilSettled({ program: 'operator', plugin: operator, servers: Object.values(servers), runs$, isIdle })
  const stop = () => {
    stopped.abort()
    return operator.stop()
  }
  try {
    await settled()
  } catch (error) {
    await stop()
    throw error
  }
  const client = [...clients.values()][0] as Client
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

function startWorkloads(
  { servers, clientOf }: Pick<TestOperator, 'clientOf'> & { servers: Readonly<Record<string, ApiServer>> },
  signal: AbortSignal,
): RunningWorkloads[] {
  const onProblem = (problem: string) => process.emitWarning(problem)
  return Object.entries(servers).map(([cluster, server]) =>
    runWorkloads({ client: clientOf(cluster), transport: inProcessTransport(server), signal, onProblem }),
  )
}

function createMainServer({ permissions }: TestOperatorOptions): Promise<ApiServer> {
  return createApiServer({ name: 'main', ...(permissions === 'declared' && { authorization: 'rbac' }) })
}

async function start(
  register: RegisterControllers,
  { servers, clientOf }: { servers: Readonly<Record<string, ApiServer>> } & Pick<TestOperator, 'clientOf'>,
  {
    name = 'test',
    namespace,
    ownNamespace = 'default',
    permissions = 'all',
    webhooks,
    wrap = (transport) => transport,
    logger = warningLogger(),
    ...observed
  }: TestOperatorOptions,
) {
  const runs$ = new Subject<SyncerRun>()
  const user = permissions === 'declared' ? operatorUser(name) : undefined
  const transportTo = (server: ApiServer) => impersonating(inProcessTransport(server), user)
  const transports = Object.entries(servers).map(
    ([cluster, server]) => [cluster, wrap(transportTo(server), cluster)] as const,
  )
  const operator = createInternalOperator({
    name,
    env: {},
    logger,
    leaderElection: false,
    leaseNamespace: ownNamespace,
    ...(namespace !== undefined && { namespace }),
    clusters: mapValues(servers, () => ({})),
    ...(webhooks && { webhooks: await webhooksOnLoopback(webhooks) }),
    ...(observed.metrics && { metrics: observed.metrics }),
    ...(observed.clock && { clock: observed.clock }),
    openClusters: async () => ({ transports: new Map(transports) }),
    onRunEnd: (syncer, end) => runs$.next({ syncer, ...end }),
  })
  await register(operator)
  if (user !== undefined)
    for (const cluster of Object.keys(servers))
      await grantDeclared(clientOf(cluster), { description: await operator.describe(), cluster, user })
  const ended = operator.start()
  await Promise.race([operator.whenRunning(), ended])
  if (webhooks) await untilPublished(clientOf(Object.keys(servers)[0] ?? ''), await operator.describe())
  return { operator, runs$ }
}

/** Creates the definitions that are missing. A definition that is established is not yet served. */
export async function serveDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
): Promise<void> {
  const { items } = await client.list(customResourceDefinitions)
  const known = new Set(items.map(({ metadata }) => metadata.name))
  for (const definition of definitions) {
    if (known.has(definition.metadata.name)) continue
    await client.create(customResourceDefinitions, definition)
    for (const { name, served } of definition.spec.versions)
      if (served) await untilServed(client, definition, name)
  }
}

async function untilServed(
  client: Client,
  { spec }: CustomResourceDefinition,
  version: string,
): Promise<void> {
  const { group, names, scope } = spec
  const namespaced = scope === 'Namespaced'
  const resource = { group, version, kind: names.kind, plural: names.plural, namespaced }
  const isServed = () =>
    client.list(resource, { limit: 1 }).then(
      () => true,
      () => false,
    )
  while (!(await isServed())) await new Promise((resolve) => setImmediate(resolve))
}
