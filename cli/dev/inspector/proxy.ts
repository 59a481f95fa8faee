import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'

/** Passes a request for metrics or probes on to the program at an address. */
export function proxy(request: IncomingMessage, response: ServerResponse, address: string): void {
  const [hostname = '', port = ''] = address.split(':')
  const { method, url: path, headers } = request
  const passed = httpRequest({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  passed.on('error', () => {
    if (!response.headersSent) response.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' })
    response.end('The program does not answer.\n')
  })
  request.pipe(passed)
}
