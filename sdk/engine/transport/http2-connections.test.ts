import { once } from 'node:events'
import { constants, type ServerHttp2Session } from 'node:http2'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createTransport, type TransportOptions } from './create-transport.js'
import {
  createAuthority,
  type Handler,
  type LocalServerOptions,
  startServer,
} from './local-server.fixture.js'
import type { Transport, TransportStream } from './transport.js'

const authority = await createAuthority()
const pair = await authority.issue('api.test')
const caData = Buffer.from(authority.ca).toString('base64')

/** A server, and a transport to it; both end with the test. */
async function connected(
  test: Test,
  server: Pick<LocalServerOptions, 'handler'> & Partial<LocalServerOptions>,
  options: Partial<TransportOptions> = {},
) {
  const running = await startServer({ pair, ...server })
  const kubeconfig = { source: 'test', server: running.url, caData, user: {} }
  const transport = createTransport({ kubeconfig, ...options })
  test.teardown(async () => {
    await transport.close()
    await running.close()
  })
  return { server: running, transport }
}

const put = (transport: Transport, path = '/x') => transport.request({ method: 'PUT', path, body: '{}' })
const watch = (transport: Transport) => transport.stream({ method: 'GET', path: '/w?watch=1' })

/** Keeps a watch open and answers all else. */
const openWatch: Handler = (request, response) => {
  if (!request.url?.startsWith('/w')) return void response.end('{}')
  response.writeHead(200)
  response.write('{"type":"BOOKMARK"}\n')
  return undefined
}

async function firstChunk({ chunks }: TransportStream): Promise<string> {
  for await (const chunk of chunks) return Buffer.from(chunk).toString()
  return ''
}

void t.test('a write whose stream the server refused is repeated, one that it reset is not', async (t) => {
  const codes = [constants.NGHTTP2_REFUSED_STREAM, constants.NGHTTP2_CANCEL]
  let asked = 0
  const { transport } = await connected(t, {
    handler: (request, response) => {
      asked += 1
      const code = codes.shift()
      if (code === undefined) response.end()
      else request.stream?.close(code)
    },
  })
  t.match(await put(transport).catch((error: unknown) => error), {
    message: /^PUT \/x at .*reset by the server \(CANCEL\)$/,
  })
  t.equal(asked, 2)
})

void t.test('calls take a new connection after a GOAWAY, and none of them is lost', async (t) => {
  const { server, transport } = await connected(t, { handler: openWatch })
  await put(transport)
  let done = 0
  const write = async () => {
    for (let round = 0; round < 50; round++) {
      t.equal((await put(transport)).status, 200)
      done += 1
      if (done % 100 === 0) for (const session of server.sessions) session.close()
    }
  }
  await Promise.all(Array.from({ length: 20 }, write))
  t.equal(done, 1000)
  t.ok(server.connections() > 5, `${server.connections()} connections`)
})

void t.test('a server that takes no requests is not dialled again and again', async (t) => {
  const unusable = /^(PUT|GET) .*the server takes no requests on a new connection/
  const streamless = await connected(t, { handler: openWatch, maxConcurrentStreams: 0 })
  await t.rejects(watch(streamless.transport), { name: 'NetworkError', message: unusable })
  t.ok(streamless.server.connections() < 10, `${streamless.server.connections()} connections`)

  const leaving = await connected(t, { handler: openWatch })
  leaving.server.server.on('session', (session: ServerHttp2Session) => session.goaway())
  await t.rejects(put(leaving.transport), { name: 'NetworkError', message: unusable })
  await t.rejects(watch(leaving.transport), { name: 'NetworkError', message: unusable })
  t.ok(leaving.server.connections() < 20, `${leaving.server.connections()} connections`)
})

void t.test('a client certificate that cannot be used is refused at each call', async (t) => {
  const [{ cert }, { key }] = await Promise.all([authority.issue('me'), authority.issue('another')])
  const running = await startServer({ pair, handler: openWatch })
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const user = { certData: base64(cert), keyData: base64(key), token: 't' }
  const proxy = await startServer({ handler: openWatch })
  t.teardown(() => Promise.all([proxy.close(), running.close()]))
  for (const route of [{}, { proxyUrl: proxy.url }]) {
    const kubeconfig = { source: 'test', server: running.url, caData, user, ...route }
    const transport = createTransport({ kubeconfig })
    const messages: unknown[] = []
    for (let call = 0; call < 3; call++) messages.push(await put(transport).catch(String))
    t.match(messages[0], /client-key|mismatch/i)
    t.same(new Set(messages).size, 1, 'none goes on without the certificate and the authority')
    await transport.close()
  }
  t.same([running.connections(), proxy.connections()], [0, 0])
})

void t.test('a session takes nothing new after ten minutes, and its watches go on', async (t) => {
  const clock = new VirtualClock()
  const { server, transport } = await connected(t, { handler: openWatch }, { clock, pingIntervalMs: 1e9 })
  const old = await watch(transport)
  await put(transport)
  t.equal(server.connections(), 2, 'one for calls and one for watches')
  clock.jump(9 * 60_000)
  await put(transport)
  t.equal(server.connections(), 2)
  clock.jump(60_001)
  await put(transport)
  t.equal(await firstChunk(await watch(transport)), '{"type":"BOOKMARK"}\n')
  t.equal(server.connections(), 4)
  t.equal(await firstChunk(old), '{"type":"BOOKMARK"}\n')
  while (server.sockets.size > 2) {
    const [first] = server.sockets
    if (first && !first.destroyed)
      await Promise.race([...server.sockets].map((socket) => once(socket, 'close')))
  }
})

void t.test('a watch that is not read and one that has much to say hold up no call', async (t) => {
  const handler: Handler = (request, response) => {
    if (!request.url?.startsWith('/w')) return void response.end('{}')
    response.writeHead(200)
    for (let at = 0; at < 300; at++) response.write('x'.repeat(16_384))
    return undefined
  }
  const { transport } = await connected(t, { handler })
  const unread = await watch(transport)
  const read = await watch(transport)
  let bytes = 0
  const reading = (async () => {
    for await (const chunk of read.chunks) {
      bytes += chunk.length
      if (bytes === 300 * 16_384) break
    }
  })()
  for (let at = 0; at < 100; at++) t.equal((await put(transport)).status, 200)
  await reading
  t.equal(bytes, 300 * 16_384, 'what one reader leaves the other one is not kept from')
  t.equal((await firstChunk(unread)).length > 0, true)
})

void t.test(
  'more calls than the server allows streams wait for one, and watches do not keep them',
  async (t) => {
    const { server, transport } = await connected(t, { handler: openWatch, maxConcurrentStreams: 3 })
    const watches = await Promise.all(Array.from({ length: 7 }, () => watch(transport)))
    const answers = await Promise.all(Array.from({ length: 200 }, () => put(transport)))
    t.equal(answers.filter(({ status }) => status === 200).length, 200)
    t.equal(server.connections(), 1 + 3)
    t.same(new Set(await Promise.all(watches.map(firstChunk))), new Set(['{"type":"BOOKMARK"}\n']))
  },
)

void t.test('an answer that is reset behind its headers rejects a call and breaks a watch', async (t) => {
  const { transport } = await connected(t, {
    handler: (request, response) => {
      response.writeHead(200)
      response.write('half', () => request.stream?.destroy(new Error('x')))
    },
  })
  await t.rejects(put(transport), { name: 'NetworkError', message: /^PUT \/x at .*: the stream was reset/ })
  const stream = await watch(transport)
  const read = (async () => {
    for await (const _ of stream.chunks);
  })()
  await t.rejects(read, { name: 'NetworkError', message: /^GET \/w at .*: the stream was reset/ })
})

void t.test(
  'a connection with an answer that is too large takes no new calls and ends the running ones',
  async (t) => {
    let answerSlowOne = () => {}
    const { server, transport } = await connected(t, {
      handler: (request, response) => {
        if (request.url === '/slow') answerSlowOne = () => response.end('slow')
        else response.end('x'.repeat(1000))
      },
    })
    await put(transport)
    const slow = put(transport, '/slow')
    await t.rejects(transport.request({ method: 'GET', path: '/x', maxBytes: 999 }), {
      name: 'AnswerTooLargeError',
    })
    t.equal(server.connections(), 1)
    await put(transport)
    t.equal(server.connections(), 2)
    answerSlowOne()
    t.equal((await slow).body.toString(), 'slow')
    while (server.sockets.size > 1)
      await Promise.race([...server.sockets].map((socket) => once(socket, 'close')))
  },
)
