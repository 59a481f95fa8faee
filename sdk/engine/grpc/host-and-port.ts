/** The parts of an address such as `127.0.0.1:10099` or `[::1]:10099`. Throws `TypeError` for any other text. */
export function hostAndPort(address: string): { host: string; port: number } {
  const { hostname, port } = new URL(`tcp://${address}`)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
}
