import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Test } from 'tap'
import { JoinedSockets } from '../joined-sockets.js'

/**
 * An HTTP proxy in place of a cluster's Services: it connects the names of `targets`, such as `hello-world:9090`, with
 * ports of loopback, and rejects all others. Returns its URL.
 */
export async function connectProxy(t: Test, targets: ReadonlyMap<string, number>): Promise<string> {
  const sockets = new JoinedSockets()
  const server = createServer()
  server.on('connect', ({ url = '' }, incoming: Socket) => {
    const port = targets.get(url)
    if (port === undefined) return void incoming.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    const outgoing = connect(port, '127.0.0.1', () => incoming.write('HTTP/1.1 200 OK\r\n\r\n'))
    sockets.join(incoming, outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    sockets.destroy()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}
