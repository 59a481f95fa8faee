import isEqual from 'lodash/isEqual.js'
import type { Impersonation } from './kubeconfig.js'

/** The certificates with which client and server prove their identity, as PEM. */
export interface TlsIdentity {
  ca?: string
  cert?: string
  key?: string
}

/** Credentials at one moment. The same `tls` object means the same connections may go on. */
export interface Credential {
  headers: Record<string, string | string[]>
  tls: TlsIdentity
}

/** The credential that was read, or as much of the old one as it equals, so that connections go on. */
export function keepUnchanged(old: Credential | undefined, read: Credential): Credential {
  if (!old) return read
  const sameTls = isEqual(old.tls, read.tls)
  if (sameTls && isEqual(old.headers, read.headers)) return old
  return sameTls ? { ...read, tls: old.tls } : read
}

/** How a request says whom to act as: repeated headers for groups and for extra values. */
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
