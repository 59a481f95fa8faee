import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import type { Test } from 'tap'
import { killAtExit } from '../kill-at-exit.js'
import { type RealNode, runProgram } from '../node/real-node.js'

const port = 4873
const authorities = '/etc/ssl/certs/ca-certificates.crt'
/** Leads from a port of the node to a socket: a file is in the same place for both networks. */
const relay = `const net = require('node:net')
net.createServer((client) => {
  const server = net.connect(process.argv[1])
  for (const one of [client, server]) one.on('error', () => one.destroy())
  client.pipe(server).pipe(client)
}).listen(${port}, () => console.log('listens'))`

/**
 * Serves the npm registry of this machine to Pods, which reach nothing outside of their node, and returns the
 * environment of their npm.
 */
export async function registryForPods(
  t: Pick<Test, 'teardown'>,
  node: RealNode,
): Promise<Record<string, string>> {
  const registry = (await runProgram('npm', ['config', 'get', 'registry'])).trim()
  const ca = await readFile(authorities)
  const socket = join(node.folder, 'registry.socket')
  const server = createServer((asked, answer) => forward(asked, answer, { registry, ca })).listen(socket)
  const child = spawn(join(node.folder, 'in'), ['node', '-e', relay, socket])
  killAtExit(child)
  t.teardown(() => {
    child.kill()
    server.close()
    server.closeAllConnections()
  })
  await once(child.stdout, 'data')
  // Packages are fetched from the same server, whatever URL the registry names.
  return {
    npm_config_registry: `http://10.200.0.1:${port}/`,
    npm_config_replace_registry_host: 'always',
  }
}

function forward(
  { url = '/', headers }: IncomingMessage,
  answer: ServerResponse,
  { registry, ca }: { registry: string; ca: Buffer },
): void {
  const { accept = '*/*' } = headers
  const sent = request(new URL(url.slice(1), registry), { ca, headers: { accept } }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  sent.once('error', (error) => answer.writeHead(502).end(error.message))
  sent.end()
}
