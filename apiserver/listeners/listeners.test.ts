// Tests misbehaving clients over real sockets: their cost is limited, and other clients are not affected.
import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from 'node:http2'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { type ApiServer, createApiServer } from '../api-server.js'
import { maxBodyBytes } from '../request/body.js'
import { resetConnection } from './reset-connection.js'

const path = '/api/v1/namespaces/default/configmaps'
const authorization = 'Bearer test'
const mebibyte = 1024 * 1024

async function listening(t: Test, options: Parameters<typeof createApiServer>[0] = {}): Promise<ApiServer> {
  const tokens = { test: { name: 'test', groups: ['system:masters'] } }
  const server = await createApiServer({ tokens, ...options })
  t.teardown(() => server.close())
  await server.listen()
  return server
}

const addressOf = ({ url }: ApiServer) => ({
  host: new URL(url).hostname,
  port: Number(new URL(url).port),
  rejectUnauthorized: false,
})

/** Opens a TLS connection that offers one protocol. */
async function dialled(t: Test, server: ApiServer, protocol = 'http/1.1'): Promise<TLSSocket> {
  const socket = connectTls({ ...addressOf(server), ALPNProtocols: [protocol] })
  t.teardown(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'secureConnect')
  return socket
}

async function session(t: Test, server: ApiServer): Promise<ClientHttp2Session> {
  const opened = connectHttp2(server.url, { rejectUnauthorized: false })
  t.teardown(() => opened.destroy())
  opened.on('error', () => undefined)
  await once(opened, 'remoteSettings')
  return opened
}

/** The status of a call over a separate connection. */
function statusOf(server: ApiServer, options: RequestOptions, body?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: authorization, 'content-type': 'application/json' }
    const call = httpsRequest({ ...addressOf(server), agent: false, headers, ...options }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode))
    })
    call.once('error', reject)
    call.end(body)
  })
}

/** The response to bytes over a separate connection. */
async function answerTo(t: Test, server: ApiServer, bytes: string): Promise<string> {
  const socket = await dialled(t, server)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  socket.write(bytes)
  await once(socket, 'end')
  return text
}

void t.test('a request over HTTP/1.1 needs one well-formed Host header', async (t) => {
  const server = await listening(t)
  const get = (version: string, ...headers: string[]) =>
    answerTo(
      t,
      server,
      [`GET /healthz HTTP/${version}`, ...headers, 'Connection: close', '', ''].join('\r\n'),
    )
  const missing = await get('1.1')
  t.match(missing, /^HTTP\/1\.1 400 Bad Request: missing required Host header\r\n/)
  t.match(missing, /\r\n\r\n400 Bad Request: missing required Host header$/)
  t.match(
    await get('1.1', 'Host: a', 'Host: a'),
    /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*\r\n\r\n400 Bad Request$/,
  )
  t.match(await get('1.1', 'Host: a b'), /^HTTP\/1\.1 400 Bad Request: malformed Host header\r\n/)
  t.match(await get('1.1', 'Host:'), /^HTTP\/1\.1 200 OK/)
  t.match(await get('1.1', 'host: [::1]:443'), /^HTTP\/1\.1 200 OK/)
  t.match(await get('1.0'), /^HTTP\/1\.[01] 200 OK/)
})

const isServed = async (server: ApiServer) => (await statusOf(server, { path: '/version' })) === 200

async function create(server: ApiServer, name: string, value: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name }, data: { value } })
  const headers = { 'content-type': 'application/json' }
  const { status } = await server.handle({ method: 'POST', path, headers, body })
  if (status !== 201) throw new Error(`the server answered a create with status ${status}`)
}

async function read(
  stream: AsyncIterable<Buffer | string>,
  isEnd: (text: string) => boolean,
): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += chunk.toString()
    if (isEnd(text)) break
  }
  return text
}

/** Resolves at the end of a stream, with or without an error. */
const closed = (stream: NodeJS.EventEmitter) => new Promise((resolve) => stream.once('close', resolve))

const watchPath = `${path}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`
const history = 10
const changes = 200
const changeBytes = 100_000

async function watchOverHttp1(t: Test, server: ApiServer): Promise<Socket> {
  const socket = await dialled(t, server)
  socket.write(`GET ${watchPath} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

async function watchOverHttp2(t: Test, server: ApiServer): Promise<ClientHttp2Stream> {
  const stream = (await session(t, server)).request({ ':path': watchPath, authorization: authorization })
  await once(stream, 'response')
  return stream
}

for (const [protocol, open] of Object.entries({ 'HTTP/1.1': watchOverHttp1, 'HTTP/2': watchOverHttp2 })) {
  void t.test(
    `a watch whose client does not read uses no memory for its events, over ${protocol}`,
    async (t) => {
      const server = await listening(t, { historySize: history })
      const sleeper = await open(t, server)
      const other = await watchOverHttp2(t, server)
      let seen = 0
      other.on('data', (chunk: Buffer) => {
        seen += chunk.toString().split('"type":"ADDED"').length - 1
      })
      for (let at = 0; at < changes; at++) {
        await create(server, `change-${at}`, 'x'.repeat(changeBytes))
        while (seen <= at) await new Promise((resolve) => setImmediate(resolve))
      }
      const text = await read(sleeper, (told) => told.includes('"code":410'))
      t.match(text, /"type":"ERROR".*the watch fell behind/)
      t.ok(text.length < (changes * changeBytes) / 2, 'most events of that time were never written')
      t.ok(await isServed(server))
    },
  )
}

void t.test('a server with stalled watches can close', async (t) => {
  const server = await listening(t)
  const sleepers = [await watchOverHttp1(t, server), await watchOverHttp2(t, server)]
  for (let at = 0; at < 100; at++) await create(server, `change-${at}`, 'x'.repeat(changeBytes))
  const ends = sleepers.map((sleeper) => closed(sleeper.on('error', () => undefined).resume()))
  await server.close()
  await Promise.all(ends)
})

void t.test('idle connections and incomplete requests block no other client', async (t) => {
  const server = await listening(t)
  const { host, port } = addressOf(server)
  const silent = Array.from({ length: 50 }, () => connectTcp({ host, port }).on('error', () => undefined))
  t.teardown(() => {
    for (const socket of silent) socket.destroy()
  })
  await Promise.all(silent.map((socket) => once(socket, 'connect')))
  for (const socket of silent.slice(25)) socket.write(Buffer.from([0x16, 0x03, 0x01, 0x02]))
  const halves = [
    '',
    'GET /ver',
    'GET /version HTTP/1.1\r\nhost: x\r\n',
    `POST ${path} HTTP/1.1\r\ncontent-le`,
  ]
  for (const half of halves) (await dialled(t, server)).write(half)
  const unfinished = await dialled(t, server)
  unfinished.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"metadata":`)
  t.ok(await isServed(server))
  unfinished.destroy()
  t.ok(await isServed(server))
  const ends = silent.map((socket) => closed(socket.resume()))
  await server.close()
  await Promise.all(ends)
})

void t.test(
  'a body that is too large is answered with 413, and an endless one is not read further',
  async (t) => {
    const server = await listening(t)
    const large = 'x'.repeat(maxBodyBytes + 1)
    t.equal(await statusOf(server, { method: 'POST', path }, large), 413)
    const endless = await dialled(t, server)
    const answered = read(endless, () => false).catch(String)
    const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ntransfer-encoding: chunked\r\n\r\n`
    endless.write(head)
    const chunk = `${mebibyte.toString(16)}\r\n${'x'.repeat(mebibyte)}\r\n`
    const gone = closed(endless)
    let sent = 0
    while (!endless.destroyed && !endless.writableEnded && sent < 200) {
      sent += 1
      const isTaken = endless.write(chunk)
      if (!isTaken) await Promise.race([once(endless, 'drain').catch(() => undefined), gone])
    }
    // The response may be lost, because the server closes while its client is still sending.
    t.match(await answered, /^HTTP\/1.1 413 |ECONNRESET|EPIPE|^$/)
    t.ok(sent < 100, `${sent} MiB were accepted`)
    t.ok(await isServed(server))
  },
)

void t.test('an endless body over HTTP/2 affects only its own stream', async (t) => {
  const server = await listening(t)
  const opened = await session(t, server)
  const stream = opened.request({ ':method': 'POST', ':path': path, authorization: authorization })
  stream.on('error', () => undefined)
  let status: number | undefined
  stream.once('response', (headers) => {
    status = headers[':status']
  })
  stream.resume()
  const refused = once(stream, 'aborted')
  const chunk = Buffer.alloc(mebibyte, 'x')
  const pump = () => {
    while (!stream.destroyed && stream.write(chunk));
    if (!stream.destroyed) stream.once('drain', pump)
  }
  pump()
  await refused
  stream.destroy()
  t.equal(status, 413)
  const next = opened.request({ ':path': '/version' })
  const [headers] = await once(next.resume(), 'response')
  t.equal(headers[':status'], 200)
})

void t.test('an object of 10,000 levels can be written and read over a socket', async (t) => {
  const server = await listening(t)
  const deep = `${'['.repeat(9_990)}${']'.repeat(9_990)}`
  const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep"},"x":${deep}}`
  const watch = await watchOverHttp2(t, server)
  const seen = read(watch, (text) => text.includes('\n'))
  t.equal(await statusOf(server, { method: 'POST', path }, body), 201)
  t.match(await seen, '"name":"deep"')
  t.equal(await statusOf(server, { path }), 200)
})

void t.test('floods of headers, streams and pings end at most their own connection', async (t) => {
  const server = await listening(t)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x-${at}`, 'y']))
  t.equal(await statusOf(server, { path: '/version', headers: many }), 200)
  const opened = await session(t, server)
  const tooLong = opened.request({ ':path': '/version', 'x-long': 'y'.repeat(2 * mebibyte) })
  tooLong.on('error', () => undefined)
  await closed(tooLong.resume())
  const resets = await session(t, server)
  for (let at = 0; at < 2_000 && !resets.destroyed; at++) {
    const stream = resets.request({ ':path': watchPath, authorization: authorization })
    stream.on('error', () => undefined)
    stream.close()
  }
  const pings = await session(t, server)
  for (let at = 0; at < 2_000 && !pings.destroyed; at++) pings.ping(() => undefined)
  t.ok(await isServed(server))
})

void t.test('a connection can be reset even if it is already closing', async (t) => {
  for (const isEnding of [false, true]) {
    const server = createServer().listen(0, '127.0.0.1')
    t.teardown(() => server.close())
    await once(server, 'listening')
    const client = connectTcp((server.address() as AddressInfo).port, '127.0.0.1')
    client.on('error', () => {})
    t.teardown(() => client.destroy())
    const [socket] = (await once(server, 'connection')) as [Socket]
    const failed: unknown[] = []
    socket.on('error', (error) => failed.push(error))
    const closed = once(socket, 'close')
    if (isEnding) socket.end()
    resetConnection(socket)
    await closed
    t.same(failed, [])
  }
})
