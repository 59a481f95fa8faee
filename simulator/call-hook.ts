import { GrpcClient } from '../sdk/engine/grpc/client.js'
import { methodsOf } from '../sdk/engine/grpc/service.js'
import { PluginDefinition } from '../sdk/vcluster/remote/proto/gen/v1.js'
import type { MutateRequest, MutateResult } from './hook-call.js'

/**
 * The time limit of vcluster for a plugin's hooks, in milliseconds (`pkg/plugin/v1/plugin.go` @ vcluster
 * v0.36.1).
 */
const timeoutMs = 10_000

const { mutate } = methodsOf(PluginDefinition)

/**
 * Calls the hooks of a plugin in sidecar mode, as vcluster does: over a new connection that is closed afterwards.
 * Rejects with a gRPC error (`code`, `details`) if a hook denies the request or the plugin does not answer within 10 s.
 *
 * @example
 * ```ts
 * const address = process.env.PLUGIN_HOOKS ?? '127.0.0.1:10100'
 * const object = JSON.stringify({ metadata: { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' } })
 * const request = { apiVersion: 'v1', kind: 'ConfigMap', type: 'CreatePhysical', object }
 * const { mutated, object: answer } = await callHook(address, request)
 * console.log(mutated ? answer : 'not changed')
 * ```
 */
export function callHook(address: string, request: MutateRequest): Promise<MutateResult> {
  const client = new GrpcClient({ address })
  return client.call(mutate, request, { timeoutMs }).finally(() => client.close())
}
