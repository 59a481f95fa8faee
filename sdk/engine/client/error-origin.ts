import type { ApiError } from '../kube/error.js'

const origins = new WeakMap<ApiError, string>()

/** Notes the name of the cluster whose API server refused a call. */
export function noteOrigin(error: ApiError, cluster: string): void {
  origins.set(error, cluster)
}

/** The name of the cluster whose API server gave an error; undefined for an error that a program has made. */
export const originOf = (error: ApiError): string | undefined => origins.get(error)
