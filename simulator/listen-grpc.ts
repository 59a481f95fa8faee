import { type AddressInfo, createServer, type Socket, type Server as SocketServer } from 'node:net'
import { resetConnection } from '../apiserver/listeners/reset-connection.js'
import { hostAndPort } from '../sdk/engine/grpc/host-and-port.js'
import type { GrpcServer } from '../sdk/engine/grpc/server.js'

/** A gRPC server's open port. */
export interface GrpcListener {
  /** The port that it listens on. */
  port: number
  /** Closes the port and breaks every connection, as the end of the process would. */
  kill(): Promise<void>
}

/**
 * Serves `server` at `host:port`; port 0 takes a free port. Rejects with Node's error, whose `code` is
 * `EADDRINUSE` if the port is in use. It accepts the sockets itself, so that it can break them as the end of
 * a process does.
 */
export async function listenGrpc(server: GrpcServer, address: string): Promise<GrpcListener> {
  const sockets = new Set<Socket>()
  const socketServer = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    server.accept(socket)
  })
  const kill = async () => {
    const closed = new Promise((resolve) => socketServer.close(resolve))
    for (const socket of sockets) resetConnection(socket)
    await server.close({ graceMs: 0 })
    await closed
  }
  return { port: await listen(socketServer, address), kill }
}

function listen(server: SocketServer, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(hostAndPort(address), () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}
