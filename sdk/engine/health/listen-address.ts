import { PluginError } from '../kube/error.js'

/** An address to listen on. */
export interface ListenAddress {
  /** Missing for all addresses of the machine: Node then listens on IPv6 and IPv4, and on IPv4 if there is no IPv6. */
  readonly host?: string
  readonly port: number
}

/** Options of {@link listenAddress}. */
export interface ListenAddressOptions {
  /** Whether `0` turns the server off, for the message; default false. */
  canBeOff?: boolean
}

/**
 * Reads `host:port`, `[host]:port` or `:port`, which means all addresses. `name` is that of the environment variable or
 * of the flag, for the error. Throws `PluginError` `INVALID_ADDRESS`.
 */
export function listenAddress(
  name: string,
  address: string,
  { canBeOff = false }: ListenAddressOptions = {},
): ListenAddress {
  const [, host = '', digits = ''] = /^(.*):(\d+)$/.exec(address) ?? []
  const port = Number(digits)
  if (digits !== '' && port <= 65_535)
    return { ...(host !== '' && { host: host.replace(/^\[(.*)\]$/, '$1') }), port }
  const cure = `write for example 127.0.0.1:9090${canBeOff ? ', or 0 to turn it off' : ''}`
  throw new PluginError(
    'INVALID_ADDRESS',
    `${name} must be host:port, got ${JSON.stringify(address)}: ${cure}`,
  )
}

/** `host:port` for messages and URLs; `:port` for all addresses. */
export function formatAddress({ host = '', port }: ListenAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** Whether only programs on this machine can connect to an address. */
export const isLoopback = ({ host = '' }: ListenAddress): boolean =>
  host === 'localhost' || host === '::1' || host.startsWith('127.')
