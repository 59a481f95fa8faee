// A container that serves on loopback, for tests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Client } from '../../engine/client/client.js'
import { deployments } from '../../engine/kube/builtin.js'
import { keyOf } from '../../engine/kube/key.js'

/** A call that the container got. */
export interface RunnerCall {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly metaData: unknown
}

type Answer = readonly [status: number, body?: unknown]

const usual: Record<string, number> = { '/install': 201, '/uninstall': 204, '/sleep': 200, '/resume': 200 }

/** A container that keeps the contract, unless a test says what it answers. */
export class PlayedRunner {
  readonly calls: RunnerCall[] = []
  isHealthy = true
  /** The answer to a call; `hang` answers nothing. */
  answer: (call: RunnerCall) => Answer | 'hang' | undefined = () => undefined
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  async listen(t: { teardown(done: () => Promise<void>): void }): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve()))
    t.teardown(async () => {
      this.#server.close()
      this.#server.closeAllConnections()
    })
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (path === '/health') {
      response.writeHead(this.isHealthy ? 200 : 503).end()
      return
    }
    let text = ''
    for await (const chunk of request) text += chunk
    const metaData = JSON.parse(text) as Record<string, unknown>
    const call = { path, headers: request.headers, metaData }
    this.calls.push(call)
    const given = this.answer(call)
    if (given === 'hang') return
    const [status, body = { ...metaData, last: path }] = given ?? [usual[path] ?? 404]
    response.writeHead(status)
    response.end(status === 204 ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** Plays the controller of Deployments: all that are wanted are ready. */
export async function playDeployments(client: Client): Promise<void> {
  for (const item of (await client.list(deployments)).items) {
    const { replicas = 1 } = item.spec ?? {}
    const { generation: observedGeneration } = item.metadata
    if (item.status?.observedGeneration === observedGeneration) continue
    const status = { observedGeneration, replicas, readyReplicas: replicas, updatedReplicas: replicas }
    await client.patch(deployments, keyOf(item), { type: 'merge', subresource: 'status', body: { status } })
  }
}
