import type { Socket } from 'node:net'

/**
 * Ends a connection as the death of its process may: with a TCP reset. One that this side is ending already is closed as
 * it is: a reset would fail in the middle of that, and Node would keep the socket open and never come to its own end.
 */
export function breakOff(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}
