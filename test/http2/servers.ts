/** HTTP/2 servers of others, each as a function that starts one, for the tests of the SDK's HTTP/2 client. */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { createSecureServer, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect as connectTcp, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Pair } from '../../sdk/engine/transport/local-server.fixture.js'
import { killAtExit } from '../kill-at-exit.js'

/** A server that runs. */
export interface RunningServer {
  port: number
  stop(): Promise<void>
}

/** Starts Node's server with the paths that the Go one has. */
export async function startNodeServer(pair: Pair): Promise<RunningServer> {
  const server = createSecureServer({
    ...pair,
    settings: { maxConcurrentStreams: 100 },
    maxHeaderListPairs: 1000,
  })
  server.on('sessionError', () => {})
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {})
    const url = new URL(String(headers[':path']), 'https://x')
    answer(stream, url, headers)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => sessions.add(session))
  const stop = async () => {
    for (const session of sessions) session.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { port, stop }
}

function answer(stream: ServerHttp2Stream, { pathname, searchParams }: URL, headers: object): void {
  const asked = headers as Record<string, string>
  if (pathname === '/echo') {
    const echoed = Object.entries(asked).filter(([name]) => !name.startsWith(':'))
    stream.respond({
      ':status': 200,
      'x-method': asked[':method'],
      'x-protocol': 'HTTP/2.0',
      ...Object.fromEntries(echoed.map(([name, value]) => [`echo-${name}`, value])),
    })
    stream.pipe(stream)
  } else if (pathname === '/large') {
    stream.respond({ ':status': 200 })
    stream.end(Buffer.alloc(Number(searchParams.get('bytes'))))
  } else if (pathname === '/stream') {
    stream.respond({ ':status': 200 })
    let at = 0
    const timer = setInterval(() => stream.write(`${at++}\n`), 10)
    stream.once('close', () => clearInterval(timer))
  } else if (pathname === '/trailers') {
    stream.additionalHeaders({ ':status': 103, link: 'x' })
    stream.respond({ ':status': 200 }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': '42' }))
    stream.end('body')
  } else if (pathname === '/abort') {
    stream.respond({ ':status': 200 })
    stream.write('half', () => stream.destroy(new Error('aborted')))
  } else {
    stream.respond({ ':status': 200 })
    stream.end('closing', () => stream.session?.close())
  }
}

/** Why Go's server cannot run here, for tap's `skip`; `false` where it can. */
export const missingGo =
  spawnSync('go', ['version']).status !== 0 &&
  'Go is not on the PATH; it is needed to build test/http2/go-server'

/** Builds and starts the server of Go's net/http. */
export async function startGoServer(files: { cert: string; key: string }): Promise<RunningServer> {
  const program = join(mkdtempSync(join(tmpdir(), 'http2-server-')), 'http2-server')
  const cwd = join(import.meta.dirname, 'go-server')
  const env = { ...process.env, GOWORK: 'off', CGO_ENABLED: '0' }
  await promisify(execFile)('go', ['build', '-o', program, '.'], { cwd, env })
  const child = spawn(program, [files.cert, files.key], { stdio: ['ignore', 'pipe', 'ignore'] })
  killAtExit(child)
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  return { port: Number(line), stop: () => ended(child) }
}

/** Finds nghttpd, in the environment variable `NGHTTPD` or as `.ci/nghttp2` unpacks it from packages. */
export function findNghttpd(): { program: string; missing: string | false } {
  if (process.env.NGHTTPD) return { program: process.env.NGHTTPD, missing: false }
  try {
    const program = execFileSync('.ci/nghttp2', {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
    return { program, missing: false }
  } catch {
    // It says why by its standard error, which only a person reads.
    return {
      program: '',
      missing: 'there is no nghttpd: set NGHTTPD, or use a Debian on which .ci/nghttp2 works',
    }
  }
}

/** Starts nghttpd with further arguments; it echoes what is uploaded and serves the files of a folder. */
export async function startNghttpd(
  program: string,
  args: string[],
  files: { cert: string; key: string },
): Promise<RunningServer> {
  const port = await freePort()
  const child = spawn(
    program,
    ['-a', '127.0.0.1', '--echo-upload', ...args, String(port), files.key, files.cert],
    { stdio: 'ignore' },
  )
  killAtExit(child)
  for (;;) {
    const socket = connectTcp(port, '127.0.0.1')
    const up = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (up) return { port, stop: () => ended(child) }
    if (child.exitCode !== null) throw new Error(`nghttpd exited with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const exited = child.exitCode === null ? once(child, 'exit') : undefined
  child.kill()
  await exited
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}
