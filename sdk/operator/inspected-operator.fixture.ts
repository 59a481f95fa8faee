import { type ApiServer, createApiServer } from '../../apiserver/api-server.js'
import { inProcessTransport } from '../../simulator/in-process-transport.js'
import { serveDefinitions } from '../../testing/operator/serve-definitions.js'
import { untilSettled } from '../../testing/plugin/until-settled.js'
import type { Client } from '../engine/client/client.js'
import { createClient } from '../engine/client/create-client.js'
import { Probes } from '../engine/health/probes.js'
import type { ControllerExplanation } from '../engine/inspector/controller-explanation.js'
import type { Overview } from '../engine/inspector/model.js'
import type { PairPage } from '../engine/inspector/pair-model.js'
import type { CustomResourceDefinition } from '../engine/kube/builtin.js'
import { silentLogger } from '../engine/observe/logger.js'
import type { Transport } from '../engine/transport/transport.js'
import type { Operator } from './operator.js'
import { createInternalOperator } from './operator-runtime.js'

/** An operator that runs with its inspector. */
export interface ServedOperator {
  /** Of the inspection server. */
  readonly url: string
  readonly client: Client
  readonly transport: Transport
  settled(): Promise<void>
  overview(): Promise<Overview>
  pairs(query?: string): Promise<PairPage>
  why(query: string): Promise<ControllerExplanation[]>
}

/** Starts an operator with an inspector on an embedded cluster. It stops when the test ends. */
export async function servedOperator(
  t: { teardown(done: () => Promise<void>): void },
  register: (operator: Operator) => void,
  definitions: readonly CustomResourceDefinition[],
): Promise<ServedOperator> {
  const server = await createApiServer({ name: 'main' })
  const transport = inProcessTransport(server)
  const client = createClient({ transport })
  await serveDefinitions(client, definitions)
  const { operator, urlNow } = inspectedOperator(server)
  register(operator)
  const ended = operator.start()
  t.teardown(() => operator.stop())
  await Promise.race([operator.whenRunning(), ended])
  const read = async (path: string) => (await fetch(`${urlNow()}/inspector/api/${path}`)).json()
  return {
    url: urlNow(),
    client,
    transport,
    settled: () => untilSettled({ plugin: operator, servers: [server] }),
    ...pagesOf(read),
  }
}

/** Makes the operator. The URL of its inspector is in its log. */
function inspectedOperator(server: ApiServer) {
  const env = { VCLUSTER_PLUGIN_INSPECT: '1' }
  let url = ''
  const info = (fields: object) => {
    if ('url' in fields) url ||= String(fields.url)
  }
  const operator = createInternalOperator({
    name: 'inspected',
    env,
    leaderElection: false,
    logger: { ...silentLogger, info },
    probes: new Probes(env),
    openClusters: async () => ({ transports: new Map([['main', inProcessTransport(server)]]) }),
  })
  return { operator, urlNow: () => url }
}

/** Reads the pages of the inspector by the paths of its API. */
const pagesOf = (
  read: (path: string) => Promise<unknown>,
): Pick<ServedOperator, 'overview' | 'pairs' | 'why'> => ({
  overview: async () => (await read('overview')) as Overview,
  pairs: async (query = '') => (await read(`pairs?${query}`)) as PairPage,
  why: async (query) => (await read(`why?${query}`)) as ControllerExplanation[],
})
