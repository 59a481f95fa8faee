import type { Caller } from '../kube/caller.js'
import type { Impersonation } from './kubeconfig.js'

/** The values of the impersonation headers for a caller. */
export function impersonationOf({ user, uid, groups = [], extra = {} }: Caller): Impersonation {
  const extras = Object.entries(extra).map(([name, values]): [string, string[]] => [name, [...values]])
  return { user, ...(uid && { uid }), groups: [...groups], extra: Object.fromEntries(extras) }
}
