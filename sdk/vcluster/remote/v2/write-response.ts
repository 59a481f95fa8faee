import { type ServerResponse, STATUS_CODES } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { UpgradedResponse } from '../../hook/forward.js'

/** Headers that belong to one connection. */
const ofConnection = /^(connection|keep-alive|proxy-connection|te|trailer|transfer-encoding|upgrade)$/

/**
 * Writes a web-standard response as it arrives. The head is written at once, because a watch may be silent for long.
 */
export async function writeResponse(to: ServerResponse, response: Response): Promise<void> {
  if (response instanceof UpgradedResponse) {
    response.socket.destroy()
    to.writeHead(500).end()
    return
  }
  to.writeHead(response.status, headerLines(response))
  to.flushHeaders()
  if (!response.body) return void to.end()
  // The caller may leave at any time, and what was being read then ends with it.
  await pipeline(Readable.fromWeb(response.body), to).catch(() => to.destroy())
}

/** Answers that the connection now speaks another protocol, and joins both ends until one of them is gone. */
export function writeUpgrade(response: UpgradedResponse, socket: Duplex, head: Buffer): void {
  const { socket: far } = response
  const lines = [
    `HTTP/1.1 101 ${STATUS_CODES[101]}`,
    ...[...response.headers].map((header) => header.join(': ')),
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  far.write(head)
  far.pipe(socket).pipe(far)
  for (const [end, otherEnd] of [
    [far, socket],
    [socket, far],
  ] as const) {
    end.on('error', () => otherEnd.destroy())
    end.once('close', () => otherEnd.destroy())
  }
}

function headerLines({ headers }: Response): string[] {
  return [...headers].filter(([name]) => !ofConnection.test(name)).flat()
}
