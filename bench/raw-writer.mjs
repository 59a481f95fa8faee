// The minimal Node program that copies every ConfigMap: one list, then one POST for each over 32 connections.
// It compares and watches nothing. CPU time of a plugin beyond it is the plugin's own.
import { readFileSync } from 'node:fs'
import { Agent } from 'undici'
import { parse } from 'yaml'

const { VIRTUAL_KUBECONFIG, HOST_KUBECONFIG, TARGET_NAMESPACE } = process.env
const connectionCount = 32

function connect(file) {
  const { clusters, users } = parse(readFileSync(file, 'utf8'))
  const { server, 'certificate-authority-data': ca } = clusters[0].cluster
  const { token, ...files } = users[0].user
  const decoded = (text) => text && Buffer.from(text, 'base64')
  const tls = {
    ca: decoded(ca),
    cert: decoded(files['client-certificate-data']),
    key: decoded(files['client-key-data']),
  }
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const agent = new Agent({ connect: tls, connections: connectionCount })
  return async (method, path, body) => {
    const answer = await agent.request({ origin: server, method, path, headers, body })
    const text = await answer.body.text()
    if (answer.statusCode >= 300)
      throw new Error(`the server answered ${method} ${path} with status ${answer.statusCode}: ${text}`)
    return text
  }
}

const [virtual, host] = [connect(VIRTUAL_KUBECONFIG), connect(HOST_KUBECONFIG)]
const { items } = JSON.parse(await virtual('GET', '/api/v1/configmaps'))
const path = `/api/v1/namespaces/${TARGET_NAMESPACE}/configmaps`

async function write() {
  for (let item = items.pop(); item !== undefined; item = items.pop()) {
    const metadata = { name: `${item.metadata.name}-x-${item.metadata.namespace}` }
    await host('POST', path, JSON.stringify({ ...item, metadata }))
  }
}

await Promise.all(Array.from({ length: connectionCount }, write))
// Keeps the process alive, because the benchmark reads its figures from the system.
setInterval(() => {}, 60_000)
