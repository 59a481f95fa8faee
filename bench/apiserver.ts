// Benchmark of the embedded API server: `npm run bench:apiserver`. The server runs in this process. Its
// clients use HTTPS, run in a separate process and only count. It runs every measurement in five rounds and
// prints the median, minimum and maximum; `-- --rounds=1` runs one round. Before the first round, 2,000
// creates over each listener warm it up.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ApiServer, createApiServer } from '../apiserver/api-server.js'
import type { TaskResult, Work } from './apiserver-clients.js'

/** A measurement, which runs once per round. */
interface Measure {
  readonly what: string
  readonly unit: string
  readonly target: string
  readonly values: number[]
}

const rounds = Number(process.argv.find((each) => each.startsWith('--rounds='))?.split('=')[1] ?? 5)
const warmUp = 2_000
const creates = 10_000
const listedCount = 50_000
const watches = 100
const changes = 2_000
const changesPerSecond = 1_000
const portionMs = 10

const configMapsPath = '/api/v1/namespaces/default/configmaps'
const headers = { 'content-type': 'application/json' }
const kilobyteValue = 'x'.repeat(1024)

const measures: Measure[] = []

function note(what: string, value: number, { unit, target }: Pick<Measure, 'unit' | 'target'>): void {
  const known = measures.find((each) => each.what === what)
  if (known === undefined) measures.push({ what, unit, target, values: [value] })
  else known.values.push(value)
}

async function create(server: ApiServer, count: number, prefix: string): Promise<void> {
  for (let at = 0; at < count; at++) {
    const metadata = { name: `${prefix}-${at}` }
    const body = JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: { value: kilobyteValue },
    })
    const { status } = await server.handle({ method: 'POST', path: configMapsPath, headers, body })
    if (status !== 201) throw new Error(`the server answered a create with status ${status}`)
  }
}

/** Starts a program of this folder with the Node flags of this process, except profiling flags. */
function start(program: string, ...args: string[]): ChildProcess {
  const programFile = fileURLToPath(import.meta.url).replace(/apiserver\.(\w+)$/, `${program}.$1`)
  return fork(programFile, args, { execArgv: process.execArgv.filter((each) => !each.includes('prof')) })
}

async function measureStart(): Promise<void> {
  const program = start('apiserver-start')
  const [{ startMs, processMs }] = await once(program, 'message')
  await once(program, 'exit')
  note('start: created and listening', startMs, { unit: 'ms', target: '< 150' })
  note('start: the same, including Node and the code', processMs, { unit: 'ms', target: '' })
}

async function measureCreates(): Promise<void> {
  const server = await createApiServer()
  await create(server, warmUp, 'warm')
  const startedMs = performance.now()
  await create(server, creates, 'cm')
  const perSecond = creates / ((performance.now() - startedMs) / 1000)
  note('creates of 1 KiB in process', perSecond, { unit: '/s', target: '>= 5,000' })
  await server.close()
}

function heapBytes(): number {
  if (globalThis.gc === undefined) throw new Error('Measuring the heap needs node --expose-gc.')
  globalThis.gc()
  return process.memoryUsage().heapUsed
}

async function measureMany(): Promise<void> {
  const server = await serverWithToken()
  const before = heapBytes()
  await create(server, listedCount, 'cm')
  const perObject = (heapBytes() - before) / listedCount - kilobyteValue.length
  note('heap per object of 1 KiB beyond that', perObject, { unit: 'bytes', target: '< 3,000' })
  const startedMs = performance.now()
  const listed = await listPages(server)
  const listMs = performance.now() - startedMs
  note('50,000 objects in pages of 500, in process', listMs, { unit: 'ms', target: '< 1,000' })
  const overHttps = await withClients(server, (clients) => told(clients, { do: 'list' }))
  note('the same over HTTPS', overHttps.ms, { unit: 'ms', target: '< 1,000' })
  if (Math.min(listed, overHttps.count) < listedCount)
    throw new Error('The pages of a list do not contain all objects.')
}

async function listPages(server: ApiServer): Promise<number> {
  let listed = 0
  let next = ''
  do {
    const path = `${configMapsPath}?limit=500&continue=${encodeURIComponent(next)}`
    const { body } = await server.handle({ method: 'GET', path })
    const page = JSON.parse(body instanceof Uint8Array ? Buffer.from(body).toString() : String(body))
    listed += page.items.length
    next = page.metadata.continue ?? ''
  } while (next !== '')
  return listed
}

/** Runs `use` with clients of the server in a separate process, and then stops them. */
async function withClients<T>(server: ApiServer, use: (clients: ChildProcess) => Promise<T>): Promise<T> {
  const clients = start('apiserver-clients', await server.listen())
  try {
    await once(clients, 'message')
    return await use(clients)
  } finally {
    clients.kill()
    await server.close()
  }
}

async function told(clients: ChildProcess, work: Work): Promise<TaskResult> {
  const answer = once(clients, 'message')
  clients.send(work)
  return (await answer)[0]
}

async function serverWithToken(): Promise<ApiServer> {
  return createApiServer({ tokens: { bench: { name: 'bench', groups: ['system:masters'] } } })
}

async function measureHttps(): Promise<void> {
  const { count, ms } = await withClients(await serverWithToken(), async (clients) => {
    await told(clients, { do: 'create', count: warmUp, prefix: 'warm' })
    return told(clients, { do: 'create', count: creates, prefix: 'cm' })
  })
  note('creates of 1 KiB over HTTPS', (count / ms) * 1000, { unit: '/s', target: '>= 2,500' })
}

async function measureWatches(): Promise<void> {
  const server = await serverWithToken()
  await withClients(server, async (clients) => {
    await told(clients, { do: 'watch', count: watches })
    const counting = told(clients, { do: 'count', count: changes })
    const startedMs = performance.now()
    await makeChanges(server, changes)
    const changedMs = performance.now()
    const { count } = await counting
    const servedMs = performance.now() - changedMs
    const perSecond = changes / ((changedMs - startedMs) / 1000)
    note('100 watches: changes made', perSecond, { unit: '/s', target: '1,000' })
    note('100 watches: events lost by the worst', changes - count, { unit: 'events', target: '0' })
    note('100 watches: all delivered after the last change', servedMs, { unit: 'ms', target: '' })
  })
}

/** Makes `count` changes per second, in portions. */
async function makeChanges(server: ApiServer, count: number): Promise<void> {
  const startedMs = performance.now()
  for (let made = 0; made < count; ) {
    const due = Math.min(count, Math.ceil(((performance.now() - startedMs) * changesPerSecond) / 1000))
    await create(server, due - made, `change-${made}`)
    made = due
    if (made < count) await new Promise((resolve) => setTimeout(resolve, portionMs))
  }
}

function print({ what, unit, target, values }: Measure): void {
  const sorted = values.toSorted((a, b) => a - b)
  const [least, median, most] = [0, sorted.length >> 1, -1].map((at) =>
    Math.round(sorted.at(at) ?? 0).toLocaleString('en'),
  )
  const measured = `${median} ${unit} (${least} to ${most})`
  process.stdout.write(`${what.padEnd(48)} ${measured.padEnd(34)} ${target}\n`)
}

for (let round = 0; round < rounds; round++) {
  await measureStart()
  await measureCreates()
  await measureMany()
  await measureHttps()
  await measureWatches()
}
process.stdout.write(`Node ${process.versions.node}, ${rounds} rounds: median (least to most), target\n\n`)
measures.forEach(print)
