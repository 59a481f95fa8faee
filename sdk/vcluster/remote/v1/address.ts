import { isIP } from 'node:net'
import { PluginError } from '../../../engine/kube/error.js'

/** The address that a vcluster process listens on by default. */
export const defaultListenAddress = '127.0.0.1:10099'

/**
 * Converts `host:port` to the same address with an IP literal for its host: `localhost`, an empty host and the wildcard
 * addresses become `127.0.0.1`. All containers of a vcluster's pod share one network namespace, and a name would be
 * looked up in the cluster's DNS for every call that vcluster makes.
 *
 * Throws a {@link PluginError} `INVALID_ADDRESS` for any other name and for an invalid port; the message names
 * `source`, the origin of the address, for example `VCLUSTER_PLUGIN_ADDRESS`.
 */
export function toIpLiteral(address: string, source: string): string {
  const colon = address.lastIndexOf(':')
  const host = address.slice(0, Math.max(colon, 0)).replace(/^\[(.*)\]$/, '$1')
  const port = Number(address.slice(colon + 1))
  const isPort =
    colon >= 0 && colon < address.length - 1 && Number.isInteger(port) && port >= 0 && port < 65536
  const literal = ['', 'localhost', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host
  if (!isPort || isIP(literal) === 0) {
    throw new PluginError('INVALID_ADDRESS', `${source} must be 127.0.0.1:<port>, got "${address}"`)
  }
  return isIP(literal) === 6 ? `[${literal}]:${port}` : `${literal}:${port}`
}
