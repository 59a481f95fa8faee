// The clients of bench/apiserver.ts in a separate process. They send requests and count responses and watch
// events.

import { type ClientHttp2Session, connect } from 'node:http2'
import { Agent, type RequestOptions, request } from 'node:https'

/** A task from the benchmark. */
export type Work =
  | { readonly do: 'create'; readonly count: number; readonly prefix: string }
  | { readonly do: 'list' }
  | { readonly do: 'watch'; readonly count: number }
  | { readonly do: 'count'; readonly count: number }

/** The result of a task: the count and the time in milliseconds. */
export interface TaskResult {
  readonly count: number
  readonly ms: number
}

const url = new URL(process.argv[2] ?? '')
const configMapsPath = '/api/v1/namespaces/default/configmaps'
const connections = 16
const lineFeed = 10
const created = 201
/** Time without events after which missing events are given up, in milliseconds. */
const silenceMs = 5_000
const headers = { authorization: 'Bearer bench', 'content-type': 'application/json' }
const agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false })
const data = { value: 'x'.repeat(1024) }
/** The number of lines received so far, by watch. */
const lines: number[] = []
let onLine = () => {}

/** Sends one request. Resolves to the response's body, or to undefined if the body is not needed. */
function call(options: RequestOptions, { body, expect }: { body?: string; expect: number }): Promise<Buffer> {
  const { hostname, port } = url
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, agent, ...options }, (response) => {
      const chunks: Buffer[] = []
      if (response.statusCode !== expect) reject(new Error(`the server answered ${response.statusCode}`))
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('end', () => resolve(Buffer.concat(chunks)))
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}

async function create(name: string): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
  const length = { 'content-length': Buffer.byteLength(body) }
  await call(
    { path: configMapsPath, method: 'POST', headers: { ...headers, ...length } },
    { body, expect: created },
  )
}

async function createAll(count: number, prefix: string): Promise<number> {
  let next = 0
  const worker = async () => {
    while (next < count) await create(`${prefix}-${next++}`)
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return count
}

async function listPages(): Promise<number> {
  let listed = 0
  let next = ''
  do {
    const path = `${configMapsPath}?limit=500&continue=${encodeURIComponent(next)}`
    const page = JSON.parse((await call({ path, headers }, { expect: 200 })).toString())
    listed += page.items.length
    next = page.metadata.continue ?? ''
  } while (next !== '')
  return listed
}

async function openWatches(count: number): Promise<number> {
  const session = connect(url, { rejectUnauthorized: false })
  await new Promise((resolve) => session.once('connect', resolve))
  await Promise.all(Array.from({ length: count }, (_, watch) => openWatch(session, watch)))
  return count
}

function openWatch(session: ClientHttp2Session, watch: number): Promise<void> {
  lines[watch] = 0
  const path = `${configMapsPath}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`
  const stream = session.request({ ':path': path, authorization: headers.authorization })
  stream.on('data', (chunk: Buffer) => countLines(watch, chunk))
  return new Promise((resolve, reject) => {
    stream.once('response', ({ ':status': status }) =>
      status === 200 ? resolve() : reject(new Error(`the server answered a watch with status ${status}`)),
    )
  })
}

function countLines(watch: number, chunk: Buffer): void {
  let count = 0
  for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) count += 1
  lines[watch] = (lines[watch] ?? 0) + count
  onLine()
}

/**
 * Resolves to the smallest number of lines of all watches, when every watch has `count` lines or no more
 * arrive.
 */
function counted(count: number): Promise<number> {
  return new Promise((resolve) => {
    const silence = setTimeout(() => resolve(Math.min(...lines)), silenceMs)
    onLine = () => {
      silence.refresh()
      if (lines.some((each) => each < count)) return
      clearTimeout(silence)
      resolve(Math.min(...lines))
    }
    onLine()
  })
}

function serve(work: Work): Promise<number> {
  if (work.do === 'create') return createAll(work.count, work.prefix)
  if (work.do === 'list') return listPages()
  return work.do === 'watch' ? openWatches(work.count) : counted(work.count)
}

async function answer(work: Work): Promise<void> {
  const startedMs = performance.now()
  const count = await serve(work)
  const done: TaskResult = { count, ms: performance.now() - startedMs }
  process.send?.(done)
}

process.on('message', (work: Work) => void answer(work))
process.send?.('ready')
