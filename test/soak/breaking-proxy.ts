import { connect, createServer, type Socket } from 'node:net'
import { resetConnection } from '../../apiserver/listeners/reset-connection.js'

/** A TCP proxy on loopback between a client and its server that breaks and stalls connections. */
export interface BreakingProxy {
  readonly port: number
  /** Resets every connection for which `isMeant` returns true; default all. */
  reset(isMeant?: () => boolean): void
  /** Stalls all connections for `ms` milliseconds without closing them. */
  stall(ms: number): void
  close(): Promise<void>
}

/** Starts a proxy for a server on loopback, on a free port unless one is given. */
export async function startBreakingProxy(serverPort: number, port = 0): Promise<BreakingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.pipe(upstream).pipe(client)
    for (const socket of pair) {
      // After a reset by this proxy or by the other side, both sockets are closed.
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const one of pair) one.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    reset: (isMeant = () => true) => {
      for (const [client, upstream] of pairs) {
        if (!isMeant()) continue
        resetConnection(client)
        upstream.destroy()
      }
    },
    stall: (ms) => {
      for (const pair of pairs) for (const socket of pair) socket.pause()
      setTimeout(() => {
        for (const pair of pairs) for (const socket of pair) socket.resume()
      }, ms)
    },
    close: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
