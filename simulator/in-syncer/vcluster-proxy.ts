import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Transport } from '../../sdk/engine/transport/transport.js'
import { forward } from '../../sdk/vcluster/hook/forward.js'
import type { RuleTable } from '../../sdk/vcluster/hook/rule-table.js'
import { toRequest } from '../../sdk/vcluster/remote/v2/to-request.js'
import { writeResponse } from '../../sdk/vcluster/remote/v2/write-response.js'
import { intercept, type Route, routeTo, send } from './intercept.js'

/** Options of {@link startVClusterProxy}. */
export interface VClusterProxyOptions {
  rules: RuleTable<Route>
  /** The virtual cluster's API server, for requests that match no rule. */
  virtual: Transport
}

/**
 * vcluster's proxy for the users of a virtual cluster, over HTTP. A request that matches the rule of an interceptor
 * goes to the interceptor; every other request goes to the API server, as the administrator. It authenticates no
 * request. See `WithInterceptors` in `pkg/plugin/v2/plugin.go` @ v0.36.1 of vcluster.
 */
export async function startVClusterProxy({ rules, virtual }: VClusterProxyOptions) {
  const server = createServer()
  const tunnels = new Set<Duplex>()
  server.on('request', (message, response) => void forwardRequest(message, response, { rules, virtual }))
  server.on('upgrade', (message, socket: Duplex) => {
    tunnels.add(socket)
    forwardUpgrade(message, socket, rules)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      for (const socket of tunnels) socket.destroy()
      await closed
    },
  }
}

async function forwardRequest(
  message: IncomingMessage,
  response: ServerResponse,
  { rules, virtual }: VClusterProxyOptions,
): Promise<void> {
  if (intercept(message, response, rules)) return
  const clientGone = new AbortController()
  response.once('close', () => clientGone.abort(new Error('the client has disconnected')))
  const request = toRequest(message, clientGone.signal)
  const refused = new Response(null, { status: 400 })
  await writeResponse(response, request ? await forward(virtual, request, { as: 'plugin' }) : refused)
}

/** Only upgrades that match a rule are forwarded. */
function forwardUpgrade(message: IncomingMessage, socket: Duplex, rules: RuleTable<Route>): void {
  const route = routeTo(message, rules)
  if (!route) return void socket.destroy()
  const sent = send(message, route)
  const joined = (answer: IncomingMessage, far: Duplex) => {
    socket.write(headOf(answer))
    far.pipe(socket).pipe(far)
  }
  sent.once('upgrade', (answer, far, head) => {
    if (head.length > 0) far.unshift(head)
    joined(answer, far)
  })
  sent.once('response', (answer) => {
    socket.write(headOf(answer))
    answer.pipe(socket)
  })
  sent.on('error', () => socket.destroy())
  socket.on('error', () => sent.destroy())
  sent.end()
}

function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}
