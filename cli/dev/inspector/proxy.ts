import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'

/** Forwards a request for metrics or probes to the program at an address, until either side disconnects. */
export function proxy(request: IncomingMessage, response: ServerResponse, address: string): void {
  const [hostname = '', port = ''] = address.split(':')
  const { method, url: path, headers } = request
  const forwarded = httpRequest({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    // An answer that breaks off ends the connection: otherwise the client waits for the rest.
    pipeline(answer, response, () => {})
  })
  forwarded.on('error', () => {
    if (response.headersSent) return void response.destroy()
    response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('The program does not answer.\n')
  })
  response.once('close', () => forwarded.destroy())
  request.pipe(forwarded)
}
