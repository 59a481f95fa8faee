import { once } from 'node:events'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect } from 'node:tls'

/** Opens a connection and sends nothing, as clients do that open connections in advance. */
export async function openConnection(port: number): Promise<Socket> {
  const socket = connectTcp(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** The client makes its handshake at last. Rejects if the server has ended the connection, or ends it meanwhile. */
export function makeHandshake(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('the server has ended the connection'))
    if (socket.destroyed) return ended()
    socket.once('close', ended)
    connect({ socket, rejectUnauthorized: false }, resolve).once('error', reject)
  })
}
