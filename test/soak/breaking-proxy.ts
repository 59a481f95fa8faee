import { connect, createServer, type Socket } from 'node:net'
import { breakOff } from '../../apiserver/listeners/break-off.js'

/** A TCP proxy on loopback, between a client and its server, that breaks and stalls what goes through it. */
export interface BreakingProxy {
  readonly port: number
  /** Resets every connection that `isMeant` answers true for; default all. */
  reset(isMeant?: () => boolean): void
  /** Lets nothing through for so long, in milliseconds; connections stay. */
  stall(ms: number): void
  close(): Promise<void>
}

/** Starts to listen for a server on loopback, at a port that is free unless it is named. */
export async function startBreakingProxy(serverPort: number, port = 0): Promise<BreakingProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    const pair = [client, upstream] as const
    pairs.add(pair)
    client.pipe(upstream).pipe(client)
    for (const socket of pair) {
      // A reset that was made here, or that the other end made: both ends go.
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
        breakOff(client)
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
