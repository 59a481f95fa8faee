import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { GrpcClient } from './client.js'
import { GrpcError } from './grpc-error.js'
import { framedMessage } from './messages.js'
import { GrpcServer, type Implementations } from './server.js'
import { methodsOf } from './service.js'
import { GrpcStatus } from './status.js'
import { TestDefinition } from './test-service.fixture.js'

const maxRequestBytes = 2 ** 20
const { ask, follow, talk } = methodsOf(TestDefinition)
const host = '127.0.0.1'

async function serve(t: Test, methods: Implementations<typeof TestDefinition>, port = 0) {
  const server = new GrpcServer({ maxRequestBytes })
  server.serve(TestDefinition, methods)
  const bound = await server.listen({ host, port })
  t.teardown(() => server.close({ graceMs: 0 }))
  return { server, port: bound.port, address: `${host}:${bound.port}` }
}

function dial(t: Test, address: string, options?: { maxMessageBytes?: number }) {
  const client = new GrpcClient({ address }, options)
  t.teardown(() => client.close())
  return client
}

/** A promise and its resolver. */
function event<T = void>() {
  let happen: (value: T) => void = () => {}
  const happened = new Promise<T>((resolve) => {
    happen = resolve
  })
  return { happen, happened }
}

const aborted = (signal: AbortSignal) =>
  new Promise<GrpcError>((resolve) => signal.addEventListener('abort', () => resolve(signal.reason)))

void t.test('a call', async (t) => {
  void t.test('is answered', async (t) => {
    const { address } = await serve(t, { ask: (request) => request.toUpperCase() })
    const client = dial(t, address)
    t.equal(await client.call(ask, 'hello'), 'HELLO')
    t.equal(await client.call(ask, ''), '', 'an empty message')
    const long = 'X'.repeat(maxRequestBytes - 5)
    t.equal((await client.call(ask, long)).length, long.length, 'a message larger than the windows of HTTP/2')
    const answers = await Promise.all(Array.from({ length: 500 }, (_, at) => client.call(ask, `a${at}`)))
    t.strictSame(
      answers,
      Array.from({ length: 500 }, (_, at) => `A${at}`),
      'many at a time',
    )
  })

  void t.test('that fails has the code and the details, and no text of another error', async (t) => {
    const { address } = await serve(t, {
      ask(request) {
        if (request === 'secret') throw new Error('password 1234')
        throw new GrpcError(GrpcStatus.NOT_FOUND, 'größer als 100 %\n')
      },
    })
    const client = dial(t, address)
    await t.rejects(client.call(ask, ''), {
      code: 5,
      details: 'größer als 100 %\n',
      message: '5 NOT_FOUND: größer als 100 %\n',
    })
    await t.rejects(client.call(ask, 'secret'), { code: 2, details: 'the method failed' })
    await t.rejects(client.call(follow, ''), { code: 12, details: 'there is no method /test.v1.Test/Follow' })
  })

  void t.test('has details of any length, and the connection goes on', async (t) => {
    const details = `${'x'.repeat(70_000)} `
    const { address } = await serve(t, {
      ask(request) {
        if (request === 'on') return request
        throw new GrpcError(GrpcStatus.FAILED_PRECONDITION, details)
      },
    })
    const client = dial(t, address)
    await t.rejects(client.call(ask, ''), { code: GrpcStatus.FAILED_PRECONDITION, details })
    t.equal(await client.call(ask, 'on'), 'on')
  })

  void t.test('that fails early has its status, also among others', async (t) => {
    const { address } = await serve(t, { ask: (request) => request })
    const client = dial(t, address)
    const statuses = Array.from({ length: 40 }, (_, at) =>
      client.call(at % 2 ? ask : follow, 'x'.repeat(50_000)).then(
        () => 0,
        ({ code }: GrpcError) => code,
      ),
    )
    t.strictSame(
      await Promise.all(statuses),
      Array.from({ length: 40 }, (_, at) => (at % 2 ? 0 : 12)),
    )
  })

  void t.test('that succeeds is not reset', async (t) => {
    const codes = new Set<number | undefined>()
    const server = createHttp2Server().on('stream', (stream) => {
      stream.on('close', () => codes.add(stream.rstCode))
      stream.respond({ 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      stream.on('data', () => {}).on('end', () => stream.end(framedMessage(Buffer.from('hello'))))
    })
    const client = dial(t, await listen(t, server))
    for (let call = 0; call < 50; call++) t.equal(await client.call(ask, ''), 'hello')
    t.strictSame([...codes], [0])
  })

  void t.test('whose request or answer cannot be decoded, and two answers, are errors', async (t) => {
    const unreadable = () => {
      throw new Error('password 1234')
    }
    const broken = {
      ...TestDefinition.methods.ask,
      requestType: { ...TestDefinition.methods.ask.requestType, decode: unreadable },
    }
    const definition = { ...TestDefinition, methods: { ask: broken } }
    const server = new GrpcServer({ maxRequestBytes })
    server.serve(definition, { ask: () => '' })
    server.serveBytes('/test.v1.Test/Follow', () => Buffer.from('hello'))
    const { port } = await server.listen({ host, port: 0 })
    t.teardown(() => server.close({ graceMs: 0 }))
    const client = dial(t, `${host}:${port}`)
    await t.rejects(client.call(ask, ''), { code: 13, details: 'the request cannot be decoded' })
    await t.rejects(client.call({ ...follow, decodeResponse: unreadable }, ''), {
      code: 13,
      details: 'the answer cannot be decoded',
    })
    const two = await serve(t, {
      follow(_request, stream) {
        stream.send('one')
        stream.send('two')
        throw new GrpcError(GrpcStatus.OK, '')
      },
    })
    await t.rejects(dial(t, two.address).call(follow, ''), {
      code: 13,
      details: 'the server sent 2 answers to /test.v1.Test/Follow instead of one',
    })
  })

  void t.test('whose request or answer is too large is refused', async (t) => {
    const { address } = await serve(t, { ask: (request) => request.repeat(2) })
    const client = dial(t, address, { maxMessageBytes: 1000 })
    await t.rejects(client.call(ask, 'x'.repeat(9 * maxRequestBytes)), {
      code: GrpcStatus.RESOURCE_EXHAUSTED,
    })
    await t.rejects(client.call(ask, 'x'.repeat(600)), { code: GrpcStatus.RESOURCE_EXHAUSTED })
    t.equal(await client.call(ask, 'on'), 'onon', 'and the connection goes on')
  })

  void t.test('ends on both sides at its time limit', async (t) => {
    const cancelled = event<GrpcError>()
    const { address } = await serve(t, {
      async ask(_request, { signal }) {
        cancelled.happen(await aborted(signal))
        return 'late'
      },
    })
    await t.rejects(dial(t, address).call(ask, '', { timeoutMs: 50 }), {
      code: GrpcStatus.DEADLINE_EXCEEDED,
      details: 'no answer within 0.05 s',
    })
    t.match(await cancelled.happened, { name: 'GrpcError' })
  })

  void t.test("is answered at the caller's time limit, even if the caller waits on", async (t) => {
    const { address } = await serve(t, { ask: async (_request, { signal }) => String(await aborted(signal)) })
    const [headers] = await rawCall(t, address, { 'grpc-timeout': '50m' })
    t.match(headers, { 'grpc-status': '4' })
  })

  void t.test('ends on both sides when its caller gives up', async (t) => {
    const [asked, cancelled] = [event(), event<GrpcError>()]
    const { address } = await serve(t, {
      async ask(_request, { signal }) {
        asked.happen()
        cancelled.happen(await aborted(signal))
        return 'late'
      },
    })
    const abort = new AbortController()
    const answer = dial(t, address).call(ask, '', { signal: abort.signal })
    await asked.happened
    abort.abort(new Error('enough'))
    await t.rejects(answer, { message: 'enough' })
    t.match(await cancelled.happened, { code: GrpcStatus.CANCELLED, details: 'the caller gave up' })
    await t.rejects(dial(t, address).call(ask, '', { signal: abort.signal }), { message: 'enough' })
  })

  void t.test('in another format is refused', async (t) => {
    const { address } = await serve(t, { ask: (request) => request })
    for (const body of [framedMessage(Buffer.of()), Buffer.alloc(2 ** 20)]) {
      const [headers] = await rawCall(t, address, { 'content-type': 'text/plain' }, body)
      t.match(headers, { ':status': 415 })
    }
    const [incomplete] = await rawCall(t, address, {}, Buffer.from([0, 0, 0, 0, 9, 1]))
    t.match(incomplete, { 'grpc-status': '13', 'grpc-message': 'the call has no complete request' })
    const two = Buffer.concat([framedMessage(Buffer.of(1)), framedMessage(Buffer.of(2))])
    const [second] = await rawCall(t, address, {}, two)
    t.match(second, { 'grpc-status': '13', 'grpc-message': 'the call has more than one request' })
  })
})

/** The headers of the answer to a call that another client makes. */
async function rawCall(
  t: Test,
  address: string,
  headers: Record<string, string>,
  body: Buffer = framedMessage(Buffer.of()),
) {
  const session = connectHttp2(`http://${address}`)
  t.teardown(() => session.destroy())
  const stream = session.request({
    ':method': 'POST',
    ':path': ask.path,
    'content-type': 'application/grpc+proto',
    ...headers,
  })
  stream.end(body)
  return await once(stream, 'response')
}

void t.test('a stream', async (t) => {
  void t.test('passes messages on until its caller ends it', async (t) => {
    const ended = event<GrpcError>()
    const { address } = await serve(t, {
      follow(request, stream) {
        for (const part of request.split(' ')) stream.send(part)
        void aborted(stream.signal).then((reason) => ended.happen(reason))
      },
    })
    const received: string[] = []
    const all = event()
    const cancel = dial(t, address).stream(follow, 'one two three', (message) => {
      received.push(message)
      if (received.length === 3) all.happen()
    })
    await all.happened
    t.strictSame(received, ['one', 'two', 'three'])
    cancel()
    t.match(await ended.happened, { code: GrpcStatus.CANCELLED })
  })

  void t.test('of requests is open without one, and ends with the connection', async (t) => {
    const [opened, ended] = [event(), event()]
    const { address } = await serve(t, {
      talk(_requests, stream) {
        stream.open()
        opened.happen()
        void aborted(stream.signal).then(() => ended.happen())
      },
    })
    const socket = connect(Number(address.split(':')[1]), host)
    const session = connectHttp2(`http://${address}`, { createConnection: () => socket })
    session.on('error', () => {})
    const stream = session.request({
      ':method': 'POST',
      ':path': talk.path,
      'content-type': 'application/grpc',
    })
    stream.on('error', () => {})
    await opened.happened
    await once(stream, 'response')
    socket.destroy()
    await ended.happened
  })

  void t.test('whose method throws ends with a status, also after a message', async (t) => {
    const { address } = await serve(t, {
      follow(request, stream) {
        if (request !== '') stream.send(request)
        throw new GrpcError(GrpcStatus.NOT_FOUND, 'nothing to follow')
      },
    })
    for (const request of ['', 'a message'])
      await t.rejects(dial(t, address).call(follow, request), { code: 5, details: 'nothing to follow' })
  })

  void t.test('of requests that fails after it was opened has its status', async (t) => {
    const { address } = await serve(t, {
      talk(_requests, stream) {
        stream.open()
        throw new GrpcError(GrpcStatus.NOT_FOUND, 'the line is busy')
      },
    })
    await t.rejects(dial(t, address).call(talk, ''), { code: 5, details: 'the line is busy' })
  })
})

void t.test('a client', async (t) => {
  void t.test('connects again after the server was away', async (t) => {
    const first = await serve(t, { ask: () => 'first' })
    const client = dial(t, first.address)
    t.equal(await client.call(ask, ''), 'first')
    await first.server.close({ graceMs: 0 })
    await t.rejects(client.call(ask, ''), {
      code: GrpcStatus.UNAVAILABLE,
      details: `cannot connect to ${first.address}: connect ECONNREFUSED ${first.address}`,
    })
    await serve(t, { ask: () => 'second' }, first.port)
    t.equal(await client.call(ask, ''), 'second')
  })

  void t.test('reports a connection that is lost during a call', async (t) => {
    const asked = event()
    const { server, address } = await serve(t, {
      async ask(_request, { signal }) {
        asked.happen()
        await aborted(signal)
        return ''
      },
    })
    const answer = dial(t, address).call(ask, '')
    await asked.happened
    await Promise.all([
      t.rejects(answer, { code: GrpcStatus.UNAVAILABLE, details: /^the connection was lost/ }),
      server.close({ graceMs: 0 }),
    ])
  })

  void t.test('says what a server that speaks no gRPC has answered', async (t) => {
    const missing = createHttp2Server((_request, response) => response.writeHead(404).end())
    const page = createHttp2Server((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    )
    const older = createHttpServer((_request, response) => response.end('hello'))
    const early = createHttp2Server().on('stream', (stream) =>
      stream.respond(
        { 'content-type': 'application/grpc', 'grpc-status': '8', 'grpc-message': 'too much' },
        { endStream: true },
      ),
    )
    const reset = createHttp2Server().on('stream', (stream) => stream.close(8))
    const quiet = createHttp2Server().on('stream', (stream) => stream.close(0))
    for (const [server, code, details] of [
      [missing, 'UNIMPLEMENTED', 'the server answered HTTP status 404 instead of gRPC'],
      [page, 'UNKNOWN', 'the server answered content of type text/html instead of gRPC'],
      [older, 'UNAVAILABLE', /^(cannot connect to|the connection was lost)/],
      [early, 'RESOURCE_EXHAUSTED', 'too much'],
      [quiet, 'INTERNAL', 'the server ended the call without an answer (HTTP/2 error 0)'],
      [reset, 'CANCELLED', 'the server ended the call without an answer (HTTP/2 error 8)'],
    ] as const) {
      const client = dial(t, await listen(t, server))
      const request = server === early || server === quiet ? 'x'.repeat(2 ** 20) : ''
      await t.rejects(client.call(ask, request), { code: GrpcStatus[code], details }, code)
    }
  })

  void t.test('that is closed makes no calls', async (t) => {
    const { address } = await serve(t, { ask: () => 'here' })
    const client = dial(t, address)
    t.equal(await client.call(ask, ''), 'here')
    client.close()
    await t.rejects(client.call(ask, ''), {
      code: GrpcStatus.FAILED_PRECONDITION,
      details: 'the client is closed',
    })
  })

  void t.test('that is closed with the call rejects with an error of gRPC', async (t) => {
    const { address } = await serve(t, { ask: () => 'here', follow: (_request, stream) => stream.open() })
    for (const isConnected of [false, true]) {
      const client = dial(t, address)
      if (isConnected) await client.call(ask, '')
      client.stream(follow, '', () => {})
      const answer = client.call(ask, '')
      client.close()
      const result = await answer.catch((error: Error) => error.name)
      t.match(result, /^(here|GrpcError)$/)
    }
  })

  void t.test('is closed while a server does not end its handshake of TLS', async (t) => {
    const accepted = event<Socket>()
    const address = await listen(
      t,
      createServer((socket) => accepted.happen(socket)),
    )
    const client = new GrpcClient({ address, tls: { rejectUnauthorized: false } })
    const answer = client.call(ask, '', { timeoutMs: 60_000 })
    const socket = await accepted.happened
    client.close()
    await t.rejects(answer, { code: GrpcStatus.UNAVAILABLE })
    await once(socket.resume(), 'close')
  })

  void t.test('says its name and the scheme of its connection', async (t) => {
    const seen: unknown[] = []
    const server = createHttp2Server().on('stream', (stream, headers) => {
      seen.push([headers[':scheme'], headers[':authority']])
      stream.close(8)
    })
    const address = await listen(t, server)
    await t.rejects(dial(t, address).call(ask, ''))
    const named = new GrpcClient({ address, authority: 'plugin.example.org' })
    t.teardown(() => named.close())
    await t.rejects(named.call(ask, ''))
    t.strictSame(seen, [
      ['http', address],
      ['http', 'plugin.example.org'],
    ])
  })
})

/** The address of a server that listens from now on. */
async function listen(t: Test, server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('sessionError', () => {})
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `${host}:${(server.address() as AddressInfo).port}`
}

void t.test('closing a server', async (t) => {
  void t.test('lets calls end, and takes no others', async (t) => {
    const [asked, answer] = [event(), event<string>()]
    const { server, address } = await serve(t, {
      ask() {
        asked.happen()
        return answer.happened
      },
    })
    const answered = dial(t, address).call(ask, '')
    await asked.happened
    const closed = server.close({ graceMs: 60_000 })
    await t.rejects(dial(t, address).call(ask, ''), { code: GrpcStatus.UNAVAILABLE })
    answer.happen('in time')
    t.equal(await answered, 'in time')
    await closed
  })

  void t.test('ends streams and silent connections after its time', async (t) => {
    const clock = new VirtualClock()
    const opened = event()
    const { server, port, address } = await serve(t, {
      follow(_request, stream) {
        stream.open()
        opened.happen()
      },
    })
    dial(t, address).stream(follow, '', () => {})
    const silent = connect({ port, host, allowHalfOpen: true })
    silent.on('error', () => {})
    await Promise.all([once(silent, 'connect'), opened.happened])
    const closed = server.close({ graceMs: 1000, clock })
    await clock.advance(1000)
    await closed
    silent.destroy()
  })

  void t.test('before it listens refuses to listen', async (t) => {
    const server = new GrpcServer({ maxRequestBytes })
    const listening = server.listen({ host: 'localhost', port: 0 })
    await Promise.all([t.rejects(listening), server.close({ graceMs: 0 })])
  })

  void t.test('a connection that has ended before it is accepted is left', async (t) => {
    const server = new GrpcServer({ maxRequestBytes })
    const accepted = event<Socket>()
    const address = await listen(
      t,
      createServer((socket) => accepted.happen(socket)),
    )
    connect(Number(address.split(':')[1]), host).on('error', () => {})
    const socket = await accepted.happened
    socket.destroy()
    await once(socket, 'close')
    server.accept(socket)
    await server.close({ graceMs: 60_000 })
  })

  void t.test('a connection that another listener accepts later is closed', async (t) => {
    const server = new GrpcServer({ maxRequestBytes })
    const listener = createServer((socket) => server.accept(socket))
    const address = await listen(t, listener)
    await server.close({ graceMs: 0 })
    await t.rejects(dial(t, address).call(ask, ''), { code: GrpcStatus.UNAVAILABLE })
  })
})

void t.test('a server on a socket file, and an address that is taken', async (t) => {
  // A system allows 107 bytes for the path of a socket.
  const folder = mkdtempSync(join(tmpdir(), 'grpc-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'socket')
  const server = new GrpcServer({ maxRequestBytes })
  server.serve(TestDefinition, { ask: (request) => request })
  await server.listen({ path })
  t.teardown(() => server.close({ graceMs: 0 }))
  t.equal(await dial(t, `unix:${path}`).call(ask, 'hello'), 'hello')
  await t.rejects(new GrpcServer({ maxRequestBytes }).listen({ path }), { code: 'EADDRINUSE' })
})
