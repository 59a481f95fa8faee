import type { Socket } from 'node:net'

/**
 * Breaks a connection with a TCP reset, as a crash of the process would. A connection that this side is
 * already closing is destroyed without a reset, because the reset would fail and Node would keep the socket
 * open and not exit.
 */
export function resetConnection(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
