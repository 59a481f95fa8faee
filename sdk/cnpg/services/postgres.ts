import { decodeObject } from '../calls/decode.js'
import { postgresMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { CallContext } from '../context/call-context.js'
import type { PostgresOperation } from '../hooks/instance-hooks.js'
import {
  OperationType_Type as Operation,
  PostgresCapability_RPC_Type as Type,
} from '../proto/gen/postgres.js'
import { notDeclaredError } from './not-declared.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** The operations by their numbers in the protocol. */
const operations = new Map<Operation, PostgresOperation>([
  [Operation.TYPE_INIT, 'init'],
  [Operation.TYPE_RESTORE, 'restore'],
  [Operation.TYPE_UPGRADE, 'upgrade'],
])

/** The service for the configuration of Postgres. */
export function postgresService<P>(hooks: RegisteredHooks<P>): ServedMethod[] {
  return serveMethods(postgresMethods, {
    getCapabilities: () => ({
      capabilities: hooks.postgres ? [{ rpc: { type: Type.TYPE_ENRICH_CONFIGURATION } }] : [],
    }),
    async enrichConfiguration({ configs, clusterDefinition, operationType }, call) {
      if (!hooks.postgres) throw notDeclaredError(hooks.name, 'Postgres.EnrichConfiguration')
      const cluster = decodeObject<CnpgCluster>(clusterDefinition, 'cluster_definition')
      const ctx = new CallContext(hooks, { cluster, call })
      const draft = { ...configs }
      // Operators before protocol v0.3.0 send no operation; they ask at reconciliations.
      const operation = operations.get(operationType?.type ?? Operation.TYPE_UNSPECIFIED) ?? 'reconcile'
      return { configs: (await hooks.postgres.configuration(ctx, draft, operation)) ?? draft }
    },
  })
}
