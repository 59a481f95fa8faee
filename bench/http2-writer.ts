// Writes ConfigMaps to a real API server by one HTTP client and prints the processor time that it took, as JSON:
// `node … bench/http2-writer.ts CLIENT KUBECONFIG COUNT PREFIX`. `bench/http2.ts` runs it for each client in turns.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { Pool } from 'undici'
import { parse } from 'yaml'
import { Cancellation } from '../sdk/engine/time/cancellation.js'
import { systemClock } from '../sdk/engine/time/clock.js'
import { ReadBuffer } from '../sdk/engine/transport/http2/read-buffer.js'
import { Http2Session } from '../sdk/engine/transport/http2/session.js'

/** How many writes are under way at a time. */
const concurrency = 32
const [, , client = 'own', file = '', count = '1000', prefix = 'x'] = process.argv
/** How many writes are not measured. */
const warmUp = 2000
const payload = 'x'.repeat(1024)
const headers = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'bench',
}

/** Sends one request and resolves with the status and the size of its answer. */
type Send = (method: 'POST' | 'PUT', path: string, body: string) => Promise<[status: number, bytes: number]>

interface Kubeconfig {
  clusters: [{ cluster: { server: string; 'certificate-authority-data': string } }]
  users: [{ user: { 'client-certificate-data': string; 'client-key-data': string } }]
}

const { clusters, users } = parse(readFileSync(file, 'utf8')) as Kubeconfig
const url = new URL(clusters[0].cluster.server)
const decoded = (text: string) => Buffer.from(text, 'base64')
const tls = {
  host: url.hostname,
  port: Number(url.port),
  ca: decoded(clusters[0].cluster['certificate-authority-data']),
  cert: decoded(users[0].user['client-certificate-data']),
  key: decoded(users[0].user['client-key-data']),
}

/** A pool of HTTP/1.1 connections by undici, used as the transport uses it. */
async function byUndici(): Promise<Send> {
  const pool = new Pool(url.origin, { connections: concurrency, connect: tls })
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      let status = 0
      const parts: Buffer[] = []
      pool.dispatch(
        { method, path, headers, body },
        {
          onRequestStart: () => {},
          onResponseStart: (_controller, code) => {
            status = code
          },
          onResponseData: (_controller, part) => void parts.push(part),
          onResponseEnd: () =>
            resolve([status, parts.length === 1 ? (parts[0]?.length ?? 0) : Buffer.concat(parts).length]),
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
}

async function byNode(): Promise<Send> {
  const session = connectHttp2(url.origin, tls)
  await once(session, 'remoteSettings')
  session.setLocalWindowSize(16 * 1024 * 1024)
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':method': method, ':path': path, ...headers })
      const parts: Buffer[] = []
      let status = 0
      stream.on('response', (answer) => {
        status = Number(answer[':status'])
      })
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => resolve([status, Buffer.concat(parts).length]))
      stream.on('error', reject)
      stream.end(body)
    })
}

async function byOwn(): Promise<Send> {
  const readBuffer = new ReadBuffer()
  // The types of tls.connect lack what it passes on to net.connect.
  const options = { ...tls, ALPNProtocols: ['h2'], onread: readBuffer }
  const socket: TLSSocket = connectTls(options)
  await once(socket, 'secureConnect')
  const session = await Http2Session.open({
    socket: socket.setNoDelay(true),
    readBuffer,
    clock: systemClock,
    authority: url.host,
    signal: new Cancellation(),
  })
  return async (method, path, body) => {
    const signal = new Cancellation()
    const answer = await session.request({ method, path, headers, body, signal })
    return [answer.status, answer.body.length]
  }
}

const clients: Record<string, () => Promise<Send>> = { undici: byUndici, node: byNode, own: byOwn }

const send = await clients[client]?.()
if (send === undefined) throw new Error(`no client ${client}: take one of ${Object.keys(clients).join(', ')}`)

const path = '/api/v1/namespaces/default/configmaps'
/** Bodies are put together from texts, because writing JSON is not what is measured. */
const beforeName = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"'
const afterName = `"},"data":{"payload":"${payload}"}}`
const afterChangedName = `"},"data":{"payload":"${payload}","changed":"yes"}}`
let next = 0

/** Creates and replaces objects until so many writes are done, several at a time. */
async function write(writeOne: Send, writes: number): Promise<void> {
  const end = next + writes / 2
  await Promise.all(Array.from({ length: concurrency }, () => writeUntil(writeOne, end)))
  next = end
}

async function writeUntil(writeOne: Send, end: number): Promise<void> {
  for (let at = next++; at < end; at = next++) {
    const name = `${prefix}-${at}`
    const [made] = await writeOne('POST', path, beforeName + name + afterName)
    const [changed] = await writeOne('PUT', `${path}/${name}`, beforeName + name + afterChangedName)
    if (made !== 201 || changed !== 200) throw new Error(`${name}: answered ${made} and ${changed}`)
  }
}

// The code is compiled before anything is measured.
await write(send, warmUp)
const before = process.cpuUsage()
const startMs = performance.now()
await write(send, Number(count))
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ cpuMs: (user + system) / 1000, ms: performance.now() - startMs }))
process.exit()
