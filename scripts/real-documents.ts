import { request } from 'node:https'
import { KubeConfig } from '@kubernetes/client-node'
import { startRealCluster } from '../test/real/real-cluster.js'

/** What the makers of tables ask a real API server for. */
export interface RealServer {
  /** What it answers to a GET, as JSON. */
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<unknown>
  /** Makes an object. */
  create(path: string, object: object): Promise<unknown>
}

/** Starts a real control plane, lets `work` talk to it, and ends it. */
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
