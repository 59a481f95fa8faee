import type { Http2ServerRequest } from 'node:http2'
import { maxBodyBytes } from '../request/body.js'

/** The maximum number of bytes that are read from a connection for one body. */
const maxReadBytes = 16 * maxBodyBytes

/** The abort reason of all requests. A shared error saves creating one with a stack for each abort. */
export const requestEnded = new Error('the request was answered, or the client has disconnected')

/**
 * Reads the body. If it exceeds the limit, keeps just enough to detect that, but reads on to the end, so that
 * the client can read the response; gives up at {@link maxReadBytes}.
 */
export function readBody(request: Http2ServerRequest): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    const done = () => resolve(Buffer.concat(chunks))
    request.on('data', (chunk: Buffer) => {
      if (size <= maxBodyBytes) chunks.push(chunk)
      size += chunk.byteLength
      if (size <= maxReadBytes) return
      request.pause()
      done()
    })
    request.once('end', done)
    request.once('error', reject)
    request.once('close', () => reject(requestEnded))
  })
}

/** Ends the connection, or over HTTP/2 the stream, of a client that is still sending an ignored body. */
export function closeUnreadBody(request: Http2ServerRequest): void {
  const { stream } = request
  if (request.httpVersionMajor === 1) request.socket.destroySoon()
  else if (stream.writableFinished) stream.destroy()
  else stream.once('finish', () => stream.destroy())
}
