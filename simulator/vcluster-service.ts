import { GrpcError } from '../sdk/engine/grpc/grpc-error.js'
import type { Implementations } from '../sdk/engine/grpc/server.js'
import { GrpcStatus } from '../sdk/engine/grpc/status.js'
import type {
  Context,
  LeaderInfo,
  RegisterPluginRequest,
  VClusterDefinition,
} from '../sdk/vcluster/remote/proto/gen/v1.js'
import type { Registration } from './vcluster-process-options.js'

/** The answers to plugins, and the listener for their registrations. */
export interface VClusterState {
  context(): Context
  leadership(): LeaderInfo
  accept(registration: Registration): void
}

/** The gRPC methods of a vcluster process. */
export function vclusterService({
  context,
  leadership,
  accept,
}: VClusterState): Implementations<VClusterDefinition> {
  return {
    getContext: context,
    isLeader: leadership,
    register({ name }) {
      accept({ name, address: '', clientHooks: [] })
      return context()
    },
    registerPlugin(request) {
      const refusal = refusalOf(request)
      if (refusal !== undefined) throw new GrpcError(GrpcStatus.UNKNOWN, refusal)
      accept({ name: request.name, address: request.address, clientHooks: request.clientHooks })
      return {}
    },
  }
}

function refusalOf({ name, clientHooks }: RegisterPluginRequest): string | undefined {
  for (const { apiVersion, kind } of clientHooks) {
    if (apiVersion === '') return `generate client hooks: api version is empty in plugin ${name} hook`
    if (kind === '') return `generate client hooks: kind is empty in plugin ${name} hook`
  }
  return undefined
}
