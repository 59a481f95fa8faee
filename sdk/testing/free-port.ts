import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** A port on loopback that nobody listens on: for whoever has to name one before it is opened. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
