import { PluginError } from '../kube/error.js'

/** An address to listen on. */
export interface ListenAddress {
  host: string
  port: number
}

/**
 * Reads `host:port`, `[host]:port` or `:port`, which means all addresses. `variable` names the environment variable in
 * the error. Throws `PluginError` `INVALID_ADDRESS`.
 */
export function listenAddress(variable: string, address: string): ListenAddress {
  const [, host = '', digits = ''] = /^(.*):(\d+)$/.exec(address) ?? []
  const port = Number(digits)
  if (digits !== '' && port <= 65_535) return { host: host.replace(/^\[(.*)\]$/, '$1') || '0.0.0.0', port }
  throw new PluginError(
    'INVALID_ADDRESS',
    `${variable} must be host:port, got "${address}": write for example 127.0.0.1:9090, or 0 to turn it off`,
  )
}

/** Whether only programs on this machine can connect to a host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')
