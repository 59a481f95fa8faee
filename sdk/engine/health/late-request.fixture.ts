import { once } from 'node:events'
import type { Socket } from 'node:net'

/**
 * Sends a request, and after its answer the same one again, while `close` closes the server. Resolves to the text that
 * the server sent since.
 */
export async function answerAtClose(
  socket: Socket,
  request: string,
  close: () => Promise<void>,
): Promise<string> {
  socket.setEncoding('utf8').write(request)
  await once(socket, 'data')
  let text = ''
  socket.on('data', (part: string) => {
    text += part
  })
  const ended = once(socket, 'close')
  socket.write(request)
  await close()
  await ended
  return text
}
