import { type ClusterMethod, clusterMethods } from '../messages.js'
import type { Requests } from './requests.js'

type RemoteCall = (first: unknown, options?: { signal?: AbortSignal }) => Promise<unknown>

/** The cluster of a Module for its manager: each call is sent to the operator, which makes it. */
export function remoteCluster(manager: number, requests: Requests): Record<ClusterMethod, RemoteCall> {
  const call =
    (method: ClusterMethod): RemoteCall =>
    async (first, { signal, ...options } = {}) => {
      for (const [name, value] of Object.entries(options))
        if (typeof value === 'function')
          throw new TypeError(
            `cluster.${method}: the option ${name} is a function, which cannot leave the process; use ctx.until`,
          )
      return await requests.ask({ type: 'request', manager, method, args: [first, options] }, signal)
    }
  const methods = clusterMethods.map((method) => [method, call(method)] as const)
  return Object.fromEntries(methods) as Record<ClusterMethod, RemoteCall>
}
