import { PluginError } from '../../engine/kube/error.js'

/** Reads `host:port`; without a host, all addresses. Throws `PluginError` `INVALID_ADDRESS`. */
export function addressParts(address: string): { host?: string; port: number } {
  const [, host = '', port] = /^(.*):(\d{1,5})$/.exec(address) ?? []
  if (port === undefined || Number(port) > 65_535)
    throw new PluginError(
      'INVALID_ADDRESS',
      `--webhook-address must be host:port, got ${JSON.stringify(address)}`,
    )
  return { ...(host !== '' && { host: host.replace(/^\[(.*)\]$/, '$1') }), port: Number(port) }
}
