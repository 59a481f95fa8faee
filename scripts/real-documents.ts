import { request } from 'node:https'
import { KubeConfig } from '@kubernetes/client-node'
import { startRealCluster } from '../test/real/real-cluster.js'

/** A real API server for the generators of tables. */
export interface RealServer {
  /** The response to a GET, as JSON. */
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<unknown>
  /** Creates an object. */
  create(path: string, object: object): Promise<unknown>
}

/** Runs `work` with a real control plane, then stops it. */
export async function withRealServer(work: (server: RealServer) => Promise<void>): Promise<void> {
  const cluster = await startRealCluster()
  try {
    const config = new KubeConfig()
    config.loadFromString(cluster.kubeconfig)
    const options = {}
    await config.applyToHTTPSOptions(options)
    await work({
      read: (path, headers = {}) => send(cluster.url + path, { ...options, headers }),
      create: (path, object) => {
        const headers = { 'content-type': 'application/json' }
        return send(cluster.url + path, { ...options, headers, method: 'POST' }, JSON.stringify(object))
      },
    })
  } finally {
    await cluster.stop()
  }
}

function send(url: string, options: object, body?: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8'))))
    })
    call.once('error', reject)
    call.end(body)
  })
}
