import type { Socket } from 'node:net'

/**
 * Breaks a connection with a TCP reset, as the crash of the process at its other end would. A connection that this side
 * is closing already is destroyed without a reset: the reset would fail, and Node would keep the socket open and not exit.
 */
export function breakOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
