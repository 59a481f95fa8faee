/** The address of a plugin, from the first line that it prints. */
export interface Handshake {
  network: 'unix' | 'tcp'
  /** `host:port`, or `unix:` and the path of a socket. */
  address: string
}

/**
 * Parses the first line of a plugin as go-plugin does, and throws go-plugin's error for an invalid line
 * (client.go @ v1.6.0 of github.com/hashicorp/go-plugin).
 */
export function parseHandshake(line: string): Handshake {
  const fields = line.trim().split('|')
  const [core, app, network = '', address = '', protocol = 'netrpc', certificate = ''] = fields
  if (fields.length < 4) throw new Error(`Unrecognized remote plugin message: ${line.trim()}`)
  if (core !== '1')
    throw new Error(`Incompatible core API version with plugin. Plugin version: ${core}, Core version: 1`)
  if (app !== '1')
    throw new Error(`incompatible API version with plugin. Plugin version: ${app}, Client versions: [1]`)
  if (network !== 'unix' && network !== 'tcp') throw new Error(`Unknown address type: ${address}`)
  if (protocol !== 'grpc') throw new Error(`Unsupported plugin protocol "${protocol}". Supported: [grpc]`)
  // vcluster does not use TLS, and go-plugin then fails on a certificate.
  if (certificate.length > 50)
    throw new Error('the plugin sent a certificate, which vcluster did not request')
  return { network, address: network === 'unix' ? `unix:${address}` : address }
}
