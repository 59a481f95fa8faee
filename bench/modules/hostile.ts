// Measures what hostile programs cost an operator, and another program of it. Prints a table.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLogger } from '../../sdk/engine/observe/logger.js'
import type { OperationContext } from '../../sdk/modules/manager/manager.js'
import type { ModuleCluster } from '../../sdk/modules/manager/module-cluster.js'
import { MetaData } from '../../sdk/modules/metadata/metadata.js'
import { processRunner } from '../../sdk/modules/process/process-runner.js'
import { digestOf } from '../../sdk/modules/program/digest.js'
import { ProgramCache } from '../../sdk/modules/program/program-cache.js'

const watchedMs = 5_000
const methods = 'install() {}, uninstall() {}, sleep() {}, resume() {}'
const programOf = (install: string, top = '') =>
  `import fs from 'node:fs'\n${top}\nexport const newManager = ({ logger }) => ({ ${methods}, ${install} })\n`
const line = JSON.stringify({ type: 'log', manager: 1, level: 'info', message: 'm', fields: {} })

/** Each program does one thing in `install`, and does not end by itself unless it says so. */
const programs: Readonly<Record<string, string>> = {
  'does nothing': programOf('install() { return new Promise(() => setInterval(() => {}, 1e6)) }'),
  'loops while it is loaded': programOf('', 'for (;;);'),
  loops: programOf('install() { for (;;); }'),
  'uses memory of the heap': programOf(
    'install() { const all = []; for (;;) all.push(new Array(1000).fill({})) }',
  ),
  'uses memory outside of the heap': programOf(
    'async install() { const all = []; for (;;) { all.push(Buffer.alloc(4 << 20, 1)); await new Promise((r) => setTimeout(r, 10)) } }',
  ),
  'calls process.exit': programOf('install() { process.exit(1) }'),
  'throws in a timer': programOf(
    'install() { setTimeout(() => { throw new Error("late") }); return new Promise(() => {}) }',
  ),
  'prints without end': programOf('install() { for (;;) console.log("y".repeat(1000)) }'),
  'logs without end': programOf('install() { for (;;) logger.info({}, "x".repeat(1000)) }'),
  'sends valid messages without end': programOf(
    'install() { for (let rest = part;;) try { rest = rest.subarray(fs.writeSync(3, rest)); if (rest.length === 0) rest = part } catch {} }',
    `const part = Buffer.from((${JSON.stringify(line)} + '\\n').repeat(500))`,
  ),
  'forges a reply': programOf(
    `install() { fs.writeSync(3, '{"type":"reply","id":"1","ok":{"all":true}}\\n'); return new Promise(() => {}) }`,
  ),
  'reads the environment and a file, opens a socket, starts a process': programOf(
    `async install() {
      const seen = [Object.keys(process.env).length + ' variables']
      const note = (name, work) => Promise.resolve().then(work).then(() => seen.push(name + ' worked'), (e) => seen.push(name + ' ' + (e.code ?? e.message)))
      await note('file', () => fs.readFileSync('/etc/hostname'))
      await note('process', async () => (await import('node:child_process')).execSync('true'))
      await note('socket', async () => { const net = await import('node:net'); await new Promise((resolve, reject) => { const server = net.createServer().once('error', reject).listen(0, '127.0.0.1', () => server.close(resolve)) }) })
      throw new Error(seen.join(', '))
    }`,
  ),
}

const contextOf = (signal: AbortSignal): OperationContext => ({
  signal,
  logger: silentLogger,
  deadlineMs: 300_000,
  attempt: 1,
  operationId: 'one',
  reason: 'first',
  until: async () => {},
})
const memory = () => new MetaData({ maxBytes: 65_536, store: async () => {} })

/** Runs one program, next to another one that is called all the time. */
async function measure(text: string, folder: string): Promise<string[]> {
  const runnerOf = (content: Buffer) =>
    processRunner(
      { content, digest: digestOf(content) },
      { cache: new ProgramCache(folder), logger: silentLogger },
    )
  const [hostile, good] = [runnerOf(Buffer.from(text)), runnerOf(Buffer.from(programOf('')))]
  const open = (runner: typeof good) =>
    runner.open({ name: 'shop', namespace: 'default', uid: 'uid', workspace: 'dev' }, {}, {} as ModuleCluster)
  const other = await open(good)
  const { signal } = new AbortController()
  const beganMs = performance.now()
  const before = process.cpuUsage()
  let ended = 'goes on'
  const call = open(hostile)
    .then((session) => session.call('install', contextOf(signal), memory()))
    .catch((error: Error) => {
      const seconds = ((performance.now() - beganMs) / 1_000).toFixed(1)
      ended = `${seconds} s: ${error.message.replace(/.*… /, '').slice(0, 110)}`
    })
  let longestMs = 0
  const isOver = () => performance.now() - beganMs > watchedMs
  while (!isOver()) {
    const startMs = performance.now()
    await other.call('sleep', contextOf(signal), memory())
    longestMs = Math.max(longestMs, performance.now() - startMs)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const { user, system } = process.cpuUsage(before)
  if (ended === 'goes on') await Promise.race([call, new Promise((resolve) => setTimeout(resolve, 7_000))])
  const result = [ended, `${Math.round((user + system) / 1_000)} ms`, `${Math.round(longestMs)} ms`]
  await Promise.all([hostile.close(), good.close()])
  return result
}

const folder = await mkdtemp(join(tmpdir(), 'hostile-'))
console.log(
  `| the program | its end | processor time of the operator in ${watchedMs / 1_000} s | longest call of another |`,
)
console.log('|---|---|---|---|')
try {
  for (const [name, text] of Object.entries(programs))
    console.log(`| ${[name, ...(await measure(text, folder))].join(' | ')} |`)
} finally {
  await rm(folder, { recursive: true, force: true })
}
