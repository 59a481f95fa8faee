import isEqual from 'lodash/isEqual.js'
import type { Impersonation } from './kubeconfig.js'

/** The certificates with which client and server prove their identity, as PEM. */
export interface TlsIdentity {
  ca?: string
  cert?: string
  key?: string
}

/** The current credentials. Connections go on as long as the `tls` object is the same. */
export interface Credential {
  headers: Record<string, string | string[]>
  tls: TlsIdentity
}

/**
 * Returns the credential that was read, with equal parts of the old credential in place of its own, so that connections
 * go on.
 */
export function keepUnchanged(old: Credential | undefined, read: Credential): Credential {
  if (!old) return read
  const sameTls = isEqual(old.tls, read.tls)
  if (sameTls && isEqual(old.headers, read.headers)) return old
  return sameTls ? { ...read, tls: old.tls } : read
}

/** The headers of a request that impersonates a user; headers for groups and extra values repeat. */
export function impersonationHeaders(as: Impersonation | undefined): Record<string, string | string[]> {
  if (!as) return {}
  const extra = Object.entries(as.extra).map(([key, values]): [string, string[]] => [
    `impersonate-extra-${encodeURIComponent(key).toLowerCase()}`,
    values,
  ])
  return {
    'impersonate-user': as.user,
    ...(as.uid && { 'impersonate-uid': as.uid }),
    ...(as.groups.length > 0 && { 'impersonate-group': as.groups }),
    ...Object.fromEntries(extra),
  }
}
