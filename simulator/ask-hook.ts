import { credentials, Metadata } from '@grpc/grpc-js'
import { type MutateRequest, type MutateResult, PluginClient } from '../sdk/remote/proto/gen/v1.js'

/** How long vcluster waits for a plugin's hooks, in milliseconds (`pkg/plugin/v1/plugin.go` @ vcluster v0.36.1). */
const deadlineMs = 10_000

/**
 * Shows an object to a sidecar's hooks as vcluster does: over a connection of its own, which is closed afterwards.
 * Rejects with grpc-js's `ServiceError` when a hook denies or the plugin does not answer in time.
 */
export function askHook(address: string, request: MutateRequest): Promise<MutateResult> {
  const client = new PluginClient(address, credentials.createInsecure(), { 'grpc.enable_http_proxy': 0 })
  return new Promise<MutateResult>((resolve, reject) => {
    client.mutate(request, new Metadata(), { deadline: Date.now() + deadlineMs }, (error, result) =>
      error ? reject(error) : resolve(result),
    )
  }).finally(() => client.close())
}
