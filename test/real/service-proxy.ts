import { connect, createServer } from 'node:net'
import { freePort } from '../../simulator/free-ports.js'
import { JoinedSockets } from '../joined-sockets.js'

type Tap = { teardown(done: () => unknown): void }

/**
 * A TCP proxy in the place of a Service: it leads to one of the `targets`, which are ports of replicas. It ends with
 * the test.
 */
export async function startServiceProxy(t: Tap): Promise<{ url: string; targets: number[] }> {
  const targets: number[] = []
  const sockets = new JoinedSockets()
  let at = 0
  const server = createServer((incoming) => {
    const port = targets[at++ % Math.max(1, targets.length)]
    if (port === undefined) return incoming.destroy()
    const outgoing = connect(port, '127.0.0.1')
    sockets.join(incoming, outgoing)
    return undefined
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  t.teardown(() => {
    sockets.destroy()
    server.close()
  })
  return { url: `https://127.0.0.1:${port}`, targets }
}
