import { ApiError, PluginError } from '../../sdk/engine/kube/error.js'
import { NetworkError } from '../../sdk/engine/kube/network-error.js'
import type { Kubeconfig } from '../../sdk/engine/transport/kubeconfig.js'

/**
 * Calls a function that uses the cluster of a kubeconfig. If the cluster does not answer or refuses the call, the error
 * is a `PluginError` that names the cluster: `CLUSTER_UNREACHABLE`, or `MISSING_PERMISSIONS` for a 403.
 */
export async function explainCall<T>(
  { source, server }: Pick<Kubeconfig, 'source' | 'server'>,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw explained(error, `the cluster of ${source} (${server})`)
  }
}

function explained(error: unknown, cluster: string): unknown {
  if (error instanceof NetworkError)
    return new PluginError('CLUSTER_UNREACHABLE', `${cluster} does not answer: ${error.reason}`, {
      cause: error,
    })
  if (!(error instanceof ApiError)) return error
  const { code, message } = error
  if (code === 401) {
    const refused = `${cluster} refuses the credentials (401): they are wrong or have expired; renew them`
    return new PluginError('CLUSTER_UNREACHABLE', refused, { cause: error })
  }
  if (code !== 403) return error
  const denied = `${cluster} forbids the call: ${message}; use other credentials, or let them do it by a role`
  return new PluginError('MISSING_PERMISSIONS', denied, { cause: error })
}
