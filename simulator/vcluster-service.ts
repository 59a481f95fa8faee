import { type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js'
import type {
  Context,
  Empty,
  LeaderInfo,
  PluginInfo,
  RegisterPluginRequest,
  RegisterPluginResult,
  VClusterServer,
} from '../sdk/vcluster/remote/proto/gen/v1.js'
import type { Registration } from './vcluster-process-options.js'

type Reply<T> = sendUnaryData<T>

/** The answers to plugins, and the listener for their registrations. */
export interface VClusterState {
  context(): Context
  leadership(): LeaderInfo
  accept(registration: Registration): void
}

/** The gRPC service of a vcluster process. */
export function vclusterService({ context, leadership, accept }: VClusterState): VClusterServer {
  return {
    getContext: (_call: ServerUnaryCall<Empty, Context>, reply: Reply<Context>) => reply(null, context()),
    isLeader: (_call: ServerUnaryCall<Empty, LeaderInfo>, reply: Reply<LeaderInfo>) =>
      reply(null, leadership()),
    register: ({ request }: ServerUnaryCall<PluginInfo, Context>, reply: Reply<Context>) => {
      accept({ name: request.name, address: '', clientHooks: [] })
      reply(null, context())
    },
    registerPlugin: (
      { request }: ServerUnaryCall<RegisterPluginRequest, RegisterPluginResult>,
      reply: Reply<RegisterPluginResult>,
    ) => {
      const refusal = refusalOf(request)
      if (refusal !== undefined) return reply({ code: status.UNKNOWN, details: refusal })
      accept({ name: request.name, address: request.address, clientHooks: request.clientHooks })
      reply(null, {})
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
