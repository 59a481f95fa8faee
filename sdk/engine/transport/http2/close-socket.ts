import type { Duplex } from 'node:stream'
import type { Clock } from '../../time/clock.js'

/** The socket of a connection. */
export type Socket = Duplex & { destroySoon?: () => void }

/** The time that the server has to read the last frames before the socket is destroyed, in milliseconds. */
const lingerMs = 1000

/** Closes a socket after the written data was sent. */
export function closeSocket(socket: Socket, clock: Clock): void {
  if (socket.destroyed) return
  const cancel = clock.schedule(lingerMs, () => socket.destroy())
  socket.once('close', cancel)
  if (socket.destroySoon) socket.destroySoon()
  else socket.end()
}
