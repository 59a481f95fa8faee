// The program of the Pods that copy volumes: both ends run as processes on this machine, over loopback, as their Pods
// start them.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import t, { type Test } from 'tap'
import { freePorts } from '../../../simulator/free-ports.js'
import { until } from '../../../test/until.js'
import { copyPod } from '../workspace/volume-pods.js'
import { endOf, frameOf } from './frames.js'
import { copierCode } from './gen/copier-code.js'
import { tlsOptions } from './settings.js'

const key = 'ab'.repeat(32)
const root = new URL('../../../', import.meta.url)

void t.test('the generated module is up to date; else run npm run module-child', async (t) => {
  const made = execFileSync(process.execPath, ['scripts/module-child.mjs', '--print', 'copier'], {
    cwd: root,
    encoding: 'utf8',
  })
  t.equal(made, readFileSync(new URL('gen/copier-code.ts', import.meta.url), 'utf8'))
})

interface End {
  readonly child: ChildProcess
  /** The exit code, once it has ended. */
  readonly ended: Promise<number | null>
  report(): { bytes?: number; sha256?: string; error?: string }
}

/** Starts one end with the command of its Pod. */
function start(
  t: Test,
  role: 'serve' | 'fetch',
  { folder, port, secret = key }: { folder: string; port: number; secret?: string },
): End {
  const pod = copyPod({
    role,
    claim: 'data',
    fork: 'uid',
    image: 'x',
    timeoutSeconds: 60,
    key: { namespace: 'a', name: 'b' },
  })
  const [, ...args] = pod.spec?.containers[0]?.command ?? []
  const report = join(t.testdirName, `report-${role}-${port}`)
  const env = {
    COPY_ROLE: role,
    COPY_HOST: '127.0.0.1',
    COPY_PORT: String(port),
    COPY_FOLDER: folder,
    COPY_KEY: secret,
    COPY_REPORT: report,
  }
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return { child, ended, report: () => JSON.parse(readFileSync(report, 'utf8')) }
}

/** Two folders, and the Pod at the source. */
async function startSource(t: Test) {
  const folder = t.testdir({
    from: {
      'a.txt': 'one',
      deep: { er: { 'b.bin': Buffer.alloc(3_000_000, 7).toString('latin1') } },
      empty: {},
    },
    to: { 'old.txt': 'of the installation', dir: { x: 'y' } },
  })
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  chmodSync(join(from, 'a.txt'), 0o751)
  symlinkSync('a.txt', join(from, 'link'))
  mkdirSync(join(from, 'lost+found'))
  mkdirSync(join(to, 'lost+found'))
  writeFileSync(join(to, 'lost+found', 'kept'), '')
  const [port = 0] = await freePorts(1)
  const source = start(t, 'serve', { folder: from, port })
  await once(source.child.stdout as NodeJS.ReadableStream, 'data')
  return { from, to, port, source }
}

void t.test(
  'all files of the source replace those of the target, and both ends agree on count and digest',
  async (t) => {
    const { from, to, port, source } = await startSource(t)
    const target = start(t, 'fetch', { folder: to, port })
    t.equal(await target.ended, 0)
    t.equal(await source.ended, 0)
    t.strictSame(source.report(), target.report())
    t.match(target.report(), { bytes: Number, sha256: /^[0-9a-f]{64}$/ })
    t.ok((target.report().bytes ?? 0) > 3_000_000)
    t.strictSame(readdirSync(to, { recursive: true }).sort(), [
      ...['a.txt', 'deep', 'deep/er', 'deep/er/b.bin', 'empty', 'link', 'lost+found', 'lost+found/kept'],
    ])
    t.equal(statSync(join(to, 'a.txt')).mode & 0o777, 0o751)
    t.equal(readlinkSync(join(to, 'link')), 'a.txt')
    t.ok(readFileSync(join(to, 'deep/er/b.bin')).equals(readFileSync(join(from, 'deep/er/b.bin'))))
  },
)

void t.test('without the key nothing is sent, and the source goes on', async (t) => {
  const { to, port, source } = await startSource(t)
  const unknown = start(t, 'fetch', { folder: to, port, secret: 'cd'.repeat(32) })
  t.not(await unknown.ended, 0)
  t.ok(unknown.report().error)
  t.ok(readdirSync(to).includes('old.txt'), 'nothing was deleted')
  const target = start(t, 'fetch', { folder: to, port })
  t.equal(await target.ended, 0)
  t.equal(await source.ended, 0)
})

void t.test('a connection that breaks is an error, and the next client receives everything', async (t) => {
  const { to, port, source } = await startSource(t)
  const proxy = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    let bytes = 0
    upstream.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes > 1_000_000) client.destroy()
      else client.write(chunk)
    })
    client.on('data', (chunk) => upstream.write(chunk))
    client.on('close', () => upstream.destroy())
    for (const one of [client, upstream]) one.on('error', () => {})
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.teardown(() => proxy.close())
  const cut = start(t, 'fetch', { folder: to, port: (proxy.address() as AddressInfo).port })
  t.equal(await cut.ended, 1)
  t.match(cut.report(), { error: /the source is gone|ECONNRESET|closed/ })
  const target = start(t, 'fetch', { folder: to, port })
  t.equal(await target.ended, 0)
  t.equal(await source.ended, 0)
})

void t.test('files that are not those that were sent are an error', async (t) => {
  const { to } = await startSource(t)
  const tar = execFileSync('tar', ['-c', '-f', '-', '-C', to, '.'])
  const options = { ...tlsOptions, pskCallback: () => Buffer.from(key, 'hex') }
  const server = createTlsServer(options as never, (socket) => {
    socket.on('error', () => {})
    socket.write(Buffer.concat([frameOf(tar), endOf({ bytes: tar.length, sha256: '00' })]))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const target = start(t, 'fetch', { folder: to, port: (server.address() as AddressInfo).port })
  t.equal(await target.ended, 1)
  t.match(target.report(), { error: /the files differ from those that were sent/ })
})

void t.test('the end of the stream may come when tar has ended', async (t) => {
  const folder = t.testdir({ from: { 'a.txt': 'one' }, to: { 'old.txt': 'x' } })
  const to = join(folder, 'to')
  const tar = execFileSync('tar', ['-c', '-f', '-', '-C', join(folder, 'from'), '.'])
  const sum = { bytes: tar.length, sha256: createHash('sha256').update(tar).digest('hex') }
  const options = { ...tlsOptions, pskCallback: () => Buffer.from(key, 'hex') }
  const send = async (socket: Socket) => {
    socket.on('error', () => {})
    socket.write(frameOf(tar))
    await until(() => readdirSync(to).includes('a.txt'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    socket.write(endOf(sum))
  }
  const server = createTlsServer(options as never, (socket) => void send(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const target = start(t, 'fetch', { folder: to, port: (server.address() as AddressInfo).port })
  t.equal(await target.ended, 0)
  t.strictSame(target.report(), sum)
  t.strictSame(readdirSync(to), ['a.txt'])
})

void t.test('a source that cannot be read is an error, not an empty volume', async (t) => {
  const [port = 0] = await freePorts(1)
  const folder = t.testdir({ to: { 'old.txt': 'x' } })
  const source = start(t, 'serve', { folder: join(folder, 'missing'), port })
  await once(source.child.stdout as NodeJS.ReadableStream, 'data')
  const target = start(t, 'fetch', { folder: join(folder, 'to'), port })
  t.equal(await target.ended, 1)
  t.match(target.report(), { error: /the source is gone|closed|reset/i })
  t.ok(copierCode.length < 100_000, 'the program fits into an argument')
})
