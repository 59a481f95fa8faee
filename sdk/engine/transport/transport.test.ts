import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { constants, type ServerHttp2Session } from 'node:http2'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { silentLogger } from '../observe/logger.js'
import { FailedAttempt } from './attempt.js'
import { createTransport, type TransportOptions } from './create-transport.js'
import type { Kubeconfig } from './kubeconfig.js'
import {
  createAuthority,
  type Handler,
  type LocalServer,
  type LocalServerOptions,
  startRelay,
  startServer,
} from './local-server.fixture.js'
import { RateLimit } from './rate-limit.js'
import { retryDelayMs } from './retry.js'
import type { Transport, TransportStream } from './transport.js'
import { formatUserAgent } from './user-agent.js'
import { version } from './version.js'

const authority = await createAuthority()
const serverPair = await authority.issue('api.test')
const caData = Buffer.from(authority.ca).toString('base64')

/**
 * Whether the servers speak HTTP/2, so that calls share a connection; `transport-http1.test.ts` imports these tests
 * without it.
 */
const speaksHttp2 = !import.meta.url.endsWith('?http1')

/** A test of what only HTTP/2 has. */
function http2Test(...args: [title: string, run: (t: Test) => Promise<void>]): void {
  if (speaksHttp2) void t.test(...args)
}

const ok: Handler = (_request, response) => {
  response.end('{}')
}

function kubeconfigFor(server: string, user: Kubeconfig['user'] = {}): Kubeconfig {
  return { source: 'test', server, caData, user }
}

interface Setup extends Partial<LocalServerOptions> {
  options?: Partial<TransportOptions>
  /** Plain HTTP; default HTTPS. */
  plain?: boolean
  /** Appended to the server's URL. */
  prefix?: string
}

/** A server and a transport to it; both end with the test. */
async function connected(test: Test, { options, prefix = '', plain = false, ...rest }: Setup) {
  const server = await startServer({
    handler: ok,
    http2: speaksHttp2,
    ...(!plain && { pair: serverPair }),
    ...rest,
  })
  const transport = createTransport({ kubeconfig: kubeconfigFor(server.url + prefix), ...options })
  test.teardown(async () => {
    await transport.close()
    await server.close()
  })
  return { server, transport }
}

const textOf = (body: Uint8Array) => Buffer.from(body).toString()
const get = (transport: Transport, path = '/x') => transport.request({ method: 'GET', path })
const watchOf = (transport: Transport, path = '/w?watch=1') => transport.stream({ method: 'GET', path })

async function firstChunk({ chunks }: TransportStream): Promise<string> {
  for await (const chunk of chunks) return textOf(chunk)
  return ''
}

/** Reads the rest of a stream and says how it ended. */
async function endOf({ chunks }: TransportStream): Promise<unknown> {
  try {
    for await (const _ of chunks);
    return 'ended well'
  } catch (error) {
    return error
  }
}

/** Answers a watch with headers and one line, and keeps it open. */
const openWatch: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"type":"BOOKMARK"}\n')
}

void t.test(
  'a call carries method, path below the prefix, headers and body, and brings the answer back',
  async (t) => {
    const seen: unknown[] = []
    const { transport } = await connected(t, {
      prefix: '/k8s/clusters/c-1',
      options: { userAgent: 'me/1' },
      handler: (request, response) => {
        let body = ''
        request.on('data', (chunk) => (body += chunk))
        request.on('end', () => {
          seen.push([
            request.method,
            request.url,
            request.headers['content-type'],
            request.headers['user-agent'],
            body,
          ])
          response.writeHead(201, { 'x-one': 'a', 'x-two': ['b', 'c'] })
          response.end('made')
        })
      },
    })
    const answer = await transport.request({
      method: 'POST',
      path: '/api/v1/namespaces/a/configmaps?fieldManager=m',
      headers: { 'content-type': 'application/json' },
      body: '{"ü":1}',
    })
    t.same(seen, [
      [
        'POST',
        '/k8s/clusters/c-1/api/v1/namespaces/a/configmaps?fieldManager=m',
        'application/json',
        'me/1',
        '{"ü":1}',
      ],
    ])
    t.equal(answer.status, 201)
    t.match(answer.headers, { 'x-one': 'a', 'x-two': 'b, c' })
    t.equal(textOf(answer.body), 'made')
  },
)

void t.test('the body of a DELETE reaches the server', async (t) => {
  const handler: Handler = (request, response) => request.pipe(response)
  const { transport } = await connected(t, { handler })
  const body = '{"preconditions":{"uid":"é"}}'
  const answer = await transport.request({ method: 'DELETE', path: '/x', body })
  t.equal(textOf(answer.body), body)
})

void t.test('calls use their connections again, and never more than allowed', async (t) => {
  const { server, transport } = await connected(t, { options: { connections: 3 } })
  for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 20 }, () => get(transport)))
  // The first connection without HTTP/2 is that which asked for it.
  t.equal(server.connections(), speaksHttp2 ? 1 : 1 + 3)
})

void t.test('an answer that is larger than wanted is not read to its end', async (t) => {
  let sent = 0
  const handler: Handler = (_request, response) => {
    sent++
    response.end('x'.repeat(1000))
  }
  const { transport } = await connected(t, { handler })
  const read = (maxBytes: number) => transport.request({ method: 'GET', path: '/x', maxBytes })
  await t.rejects(read(999), {
    name: 'AnswerTooLargeError',
    message: /^GET \/x: the answer has more than 999 bytes; check that the server is a Kubernetes API server/,
  })
  t.equal(sent, 1, 'it is not asked for again')
  t.equal((await read(1000)).body.length, 1000)
})

void t.test('an answer without end is given up at the limit of the transport', async (t) => {
  let sentBytes = 0
  function* endlessly() {
    for (const part = Buffer.alloc(16_384, ' '); ; sentBytes += part.length) yield part
  }
  const handler: Handler = (_request, response) => {
    pipeline(Readable.from(endlessly()), response, () => {})
  }
  const { transport } = await connected(t, { handler, options: { maxAnswerBytes: 100_000 } })
  await t.rejects(get(transport, '/x?continue=abc'), {
    name: 'AnswerTooLargeError',
    message: /^GET \/x: the answer has more than 100000 bytes; .*request fewer objects at a time$/,
  })
  t.ok(sentBytes < 2 ** 24, `${sentBytes} bytes were sent`)
  const larger = transport.request({ method: 'GET', path: '/x', maxBytes: 200_000 })
  await t.rejects(larger, { message: /more than 200000 bytes/ })
})

void t.test('many connections that are made at once cause no warning about leaking listeners', async (t) => {
  const { transport } = await connected(t, {})
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  await Promise.all(Array.from({ length: 20 }, () => get(transport)))
  t.same(warnings, [])
})

void t.test('a call that the caller aborts ends with the reason, also while it waits in line', async (t) => {
  const { server, transport } = await connected(t, { handler: () => {}, options: { connections: 1 } })
  const first = new AbortController()
  const second = new AbortController()
  const call = transport.request({ method: 'GET', path: '/a', signal: first.signal })
  const waiting = transport.request({ method: 'PUT', path: '/b', body: 'x', signal: second.signal })
  second.abort(new Error('changed my mind'))
  await t.rejects(waiting, { message: 'changed my mind' })
  first.abort(new Error('enough'))
  await t.rejects(call, { message: 'enough' })
  await t.rejects(
    transport.request({ method: 'GET', path: '/a', signal: AbortSignal.abort(new Error('before')) }),
    {
      message: 'before',
    },
  )
  t.ok(server.connections() <= 1)
})

void t.test('a call ends when its time is up, and says what it was about', async (t) => {
  const clock = new VirtualClock()
  const arrived: (() => void)[] = []
  const { server, transport } = await connected(t, { handler: () => arrived.pop()?.(), options: { clock } })
  const asked = new Promise<void>((resolve) => arrived.push(resolve))
  const call = transport.request({ method: 'GET', path: '/slow?continue=abc', timeoutMs: 5000 })
  await asked
  void clock.advance(5000)
  await t.rejects(call, {
    message: `GET /slow at 127.0.0.1:${server.port}: no answer in time; check the load of the API server, and the network to it`,
  })
})

void t.test(
  'nothing leaves after a refusal of beforeSend, or when the time was up before a timer could say so',
  async (t) => {
    let requests = 0
    const clock = new VirtualClock()
    const { transport } = await connected(t, {
      options: { clock },
      handler: (_request, response) => {
        requests += 1
        response.end()
      },
    })
    const refuse = () => {
      throw new Error('not the leader')
    }
    await t.rejects(transport.request({ method: 'PUT', path: '/x', body: '{}', beforeSend: refuse }), {
      message: 'not the leader',
    })
    await t.rejects(transport.stream({ method: 'GET', path: '/x', beforeSend: refuse }), {
      message: 'not the leader',
    })
    const late = transport.request({ method: 'PUT', path: '/x', body: '{}', timeoutMs: 1000 })
    clock.jump(1001)
    await t.rejects(late, /no answer in time/)
    t.equal(requests, 0)
  },
)

void t.test('429 and 503 with Retry-After wait as long as requested, for a write too', async (t) => {
  const clock = new VirtualClock()
  const answers = [429, 503, 200]
  const bodies: string[] = []
  const { transport } = await connected(t, {
    options: { clock },
    handler: (request, response) => {
      request.on('data', (chunk) => bodies.push(String(chunk)))
      response.writeHead(answers.shift() ?? 500, { 'retry-after': '2' })
      response.end()
    },
  })
  const call = transport.request({ method: 'PUT', path: '/x', body: 'same' })
  const startMs = clock.now()
  const answer = await settledWhileAdvancing(call, clock)
  t.equal(answer.status, 200)
  t.same(bodies, ['same', 'same', 'same'])
  t.ok(clock.now() - startMs >= 4000)
  answers.push(429)
  const tooLong = await transport.request({ method: 'GET', path: '/x', timeoutMs: 1000 })
  t.equal(tooLong.status, 429, 'a wait beyond the time limit is not begun')
  const signal = new AbortController()
  answers.push(429)
  const aborted = transport.request({ method: 'GET', path: '/x', signal: signal.signal })
  while (answers.length > 0) await clock.settle()
  signal.abort(new Error('stop'))
  await t.rejects(aborted, { message: 'stop' })
})

/** Moves a virtual clock until a call over real sockets is done. */
async function settledWhileAdvancing<T>(call: Promise<T>, clock: VirtualClock): Promise<T> {
  let done = false
  const settle = () => {
    done = true
  }
  call.then(settle, settle)
  while (!done) await clock.advance(100)
  return call
}

void t.test('when to try again', (t) => {
  const reset = (sent: boolean, code = 'ECONNRESET') =>
    new FailedAttempt(Object.assign(new Error('x'), { code }), { sent })
  const answered = (status: number, after?: string) => ({
    status,
    headers: after ? { 'retry-after': after } : {},
  })
  const cases: [string, Parameters<typeof retryDelayMs>[0], number | undefined][] = [
    ['429 as told', { method: 'POST', attempt: 1, outcome: answered(429, '3') }, 3000],
    [
      '429 without a time: the caller decides',
      { method: 'GET', attempt: 1, outcome: answered(429) },
      undefined,
    ],
    [
      '429 with a date: the caller decides',
      { method: 'GET', attempt: 1, outcome: answered(429, 'Fri') },
      undefined,
    ],
    ['503 as told', { method: 'DELETE', attempt: 9, outcome: answered(503, '1') }, 1000],
    ['not forever', { method: 'DELETE', attempt: 10, outcome: answered(503, '1') }, undefined],
    ['500 of a read', { method: 'GET', attempt: 1, outcome: answered(500, '1') }, 1000],
    [
      '500 of a write may have been acted upon',
      { method: 'PUT', attempt: 1, outcome: answered(500, '1') },
      undefined,
    ],
    ['a read whose connection broke', { method: 'GET', attempt: 1, outcome: reset(true) }, 50],
    ['later a little later', { method: 'GET', attempt: 2, outcome: reset(true) }, 200],
    ['three times in all', { method: 'GET', attempt: 3, outcome: reset(true) }, undefined],
    ['a write that may have arrived', { method: 'PUT', attempt: 1, outcome: reset(true) }, undefined],
    ['a write that never left', { method: 'PUT', attempt: 1, outcome: reset(false) }, 50],
    [
      'a wrong certificate',
      { method: 'GET', attempt: 1, outcome: reset(false, 'CERT_HAS_EXPIRED') },
      undefined,
    ],
  ]
  for (const [title, attempted, expected] of cases) t.equal(retryDelayMs(attempted), expected, title)
  t.end()
})

void t.test('a read whose connection breaks is asked again, a write is not', async (t) => {
  const seen: string[] = []
  const { server, transport } = await connected(t, {
    handler: (request, response) => {
      seen.push(String(request.method))
      if (seen.length === 2) response.end('fine')
      else request.socket.destroy()
    },
  })
  t.equal(textOf((await get(transport)).body), 'fine')
  const write = transport.request({ method: 'PUT', path: '/x', body: '{}' })
  await t.rejects(write, { message: new RegExp(`^PUT /x at 127.0.0.1:${server.port}: `) })
  t.same(seen, ['GET', 'GET', 'PUT'])
})

void t.test('a server that is not there is named in the error', async (t) => {
  const server = await startServer({ handler: ok })
  await server.close()
  const transport = createTransport({ kubeconfig: kubeconfigFor(server.url) })
  t.teardown(() => transport.close())
  await t.rejects(transport.request({ method: 'DELETE', path: '/x' }), {
    message: new RegExp(`^DELETE /x at 127.0.0.1:${server.port}: .*check that the API server runs`),
  })
})

void t.test('a watch that is refused before its headers ends nothing but itself', async (t) => {
  const server = await startServer({ handler: ok })
  await server.close()
  const transport = createTransport({ kubeconfig: kubeconfigFor(server.url) })
  t.teardown(() => transport.close())
  await t.rejects(watchOf(transport), { message: /check that the API server runs/ })
  // An `error` event without a listener would end the process now.
  await new Promise(setImmediate)
})

void t.test('the server must prove who it is', async (t) => {
  const other = await createAuthority()
  const named = { ...kubeconfigFor(''), caData: Buffer.from(other.ca).toString('base64') }
  const { server } = await connected(t, {})
  const reach = async (kubeconfig: Kubeconfig, logger = {}) => {
    const transport = createTransport({ kubeconfig, ...logger })
    const result = await get(transport).then(
      ({ status }) => status,
      (error: Error) => error.message,
    )
    await transport.close()
    return result
  }
  t.match(await reach({ ...named, server: server.url }), /check certificate-authority/)
  t.match(await reach({ ...kubeconfigFor(server.url), tlsServerName: 'other.test' }), /tls-server-name/)
  t.equal(await reach({ ...kubeconfigFor(server.url), tlsServerName: 'api.test' }), 200)
  const lines = recordingLogger()
  t.equal(await reach({ ...named, server: server.url, skipTlsVerify: true }, { logger: lines.logger }), 200)
  t.match(lines.lines, [/INSECURE/])
})

const endOfCall = (call: Promise<unknown>) => call.catch((error: unknown) => error)

function recordingLogger() {
  const lines: string[] = []
  const record = (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`)
  const logger = { debug: record, info: record, warn: record, error: record, child: () => logger }
  return { lines, logger }
}

http2Test('the watches of a cluster share sessions: 200 watches take two connections', async (t) => {
  const { server, transport } = await connected(t, { handler: openWatch })
  const watches = await Promise.all(Array.from({ length: 200 }, () => watchOf(transport)))
  t.equal(server.connections(), 2)
  t.same(await Promise.all(watches.map(firstChunk)), Array(200).fill('{"type":"BOOKMARK"}\n'))
})

http2Test('a place that a watch left is taken by the next one', async (t) => {
  const { server, transport } = await connected(t, { handler: openWatch, maxConcurrentStreams: 2 })
  for (let round = 0; round < 5; round++) {
    await Promise.all([1, 2].map(async () => firstChunk(await watchOf(transport))))
  }
  t.equal(server.connections(), 1)
})

void t.test('a watch ends well when the server ends it, and with an error when it breaks', async (t) => {
  const ends: Record<string, Handler> = {
    '/well': (_request, response) => response.end('last'),
    '/reset': (request, response) => {
      openWatch(request, response)
      setImmediate(() => request.stream?.close(constants.NGHTTP2_CANCEL))
    },
    '/broken': openWatch,
  }
  const handler: Handler = (request, response) => ends[String(request.url)]?.(request, response)
  for (const http2 of new Set([speaksHttp2, false])) {
    const { server, transport } = await connected(t, { handler, http2 })
    t.equal(await endOf(await watchOf(transport, '/well')), 'ended well')
    if (http2) t.match(await endOf(await watchOf(transport, '/reset')), { message: /GET \/reset at .*reset/ })
    const broken = await watchOf(transport, '/broken')
    for (const socket of server.sockets) socket.destroy()
    t.match(await endOf(broken), { message: /^GET \/broken at / })
  }
})

void t.test('aborting a watch ends it on both sides, whether it is read or not', async (t) => {
  const closed: Promise<unknown>[] = []
  const { transport } = await connected(t, {
    handler: (request, response) => {
      openWatch(request, response)
      closed.push(once(response, 'close'))
    },
  })
  const controller = new AbortController()
  const { signal } = controller
  const read = await transport.stream({ method: 'GET', path: '/read', signal })
  await transport.stream({ method: 'GET', path: '/unread', signal })
  const end = endOf(read)
  controller.abort(new Error('unsubscribed'))
  t.match(await end, { message: 'unsubscribed' })
  t.equal((await Promise.all(closed)).length, 2)
})

http2Test('after a GOAWAY running watches go on and new ones take a new connection', async (t) => {
  const { server, transport } = await connected(t, { handler: openWatch })
  const old = await watchOf(transport)
  const [session] = server.sessions
  session?.goaway(constants.NGHTTP2_NO_ERROR)
  while (server.connections() < 2) await firstChunk(await watchOf(transport))
  t.equal(await firstChunk(old), '{"type":"BOOKMARK"}\n')
})

http2Test('a watch whose stream was refused is asked for again', async (t) => {
  let refused = 0
  const { transport } = await connected(t, {
    handler: (request, response) => {
      if (refused++ === 0) request.stream?.close(constants.NGHTTP2_REFUSED_STREAM)
      else openWatch(request, response)
    },
  })
  t.equal((await watchOf(transport)).status, 200)
  t.equal(refused, 2)
})

http2Test(
  'a connection that went silent is found within 20 s, and the next watch opens a new one',
  async (t) => {
    const server = await startServer({ pair: serverPair, handler: openWatch })
    const relay = await startRelay(server.port)
    const clock = new VirtualClock()
    const transport = createTransport({ kubeconfig: kubeconfigFor(relay.url), clock })
    t.teardown(() => Promise.all([transport.close(), relay.close(), server.close()]))
    const silent = await watchOf(transport)
    const end = endOf(silent)
    await pingsAnswered(server, clock)
    relay.cut()
    const cutMs = clock.now()
    const error = await settledWhileAdvancing(end, clock)
    t.match(error, { message: /went silent/ })
    t.ok(clock.now() - cutMs < 20_000, `found after ${clock.now() - cutMs} ms`)
    const again = watchOf(transport).catch((error: unknown) => error)
    await settledWhileAdvancing(again, clock)
    t.equal(relay.connections(), 2, 'not the silent connection again')
  },
)

http2Test('a connection that went silent takes those of calls along', async (t) => {
  const handler: Handler = (request, response) =>
    request.url === '/x' ? response.end() : openWatch(request, response)
  const server = await startServer({ pair: serverPair, handler })
  const relay = await startRelay(server.port)
  const clock = new VirtualClock()
  const transport = createTransport({ kubeconfig: kubeconfigFor(relay.url), clock })
  t.teardown(() => Promise.all([transport.close(), relay.close(), server.close()]))
  const end = endOf(await watchOf(transport))
  await pingsAnswered(server, clock)
  await Promise.all([get(transport), get(transport)])
  t.equal(relay.connections(), 2)
  relay.cut()
  const write = transport.request({ method: 'PUT', path: '/x', body: '{}' }).catch((error: unknown) => error)
  await settledWhileAdvancing(end, clock)
  t.match(await write, { message: /^PUT \/x .* went silent/ }, 'it does not wait for its own time to be up')
  void get(transport).catch(() => {})
  await once(relay.server, 'connection')
  t.equal(relay.connections(), 3, 'not one of the silent connections again')
})

void t.test('after a call without an answer calls take new connections', async (t) => {
  const clock = new VirtualClock()
  const dead = new Set<number | undefined>()
  let arrived = () => {}
  const { server, transport } = await connected(t, {
    options: { clock },
    handler: (request, response) => {
      arrived()
      if (!dead.has(request.socket.remotePort)) response.end()
      else t.equal(request.url, '/first', 'only this call meets a dead connection')
    },
  })
  const sockets: TLSSocket[] = []
  server.server.on('secureConnection', (socket) => sockets.push(socket))
  await Promise.all([get(transport), get(transport), get(transport)])
  for (const socket of sockets) dead.add(socket.remotePort)
  const asked = new Promise<void>((resolve) => (arrived = resolve))
  const first = transport.request({ method: 'PUT', path: '/first', body: '{}', timeoutMs: 3000 })
  await asked
  void clock.advance(3000)
  await t.rejects(first, /no answer in time/)
  t.equal((await get(transport)).status, 200)
})

void t.test(
  'a call that waited for connections none of which answers makes the next ones use new ones',
  async (t) => {
    const clock = new VirtualClock()
    let arrived = () => {}
    const { transport } = await connected(t, {
      options: { clock, connections: 1 },
      handler: (request, response) => {
        arrived()
        if (request.url === '/x') response.end()
      },
    })
    await get(transport)
    const asked = new Promise<void>((resolve) => (arrived = resolve))
    const silent = transport.request({ method: 'PUT', path: '/silent', body: '{}', timeoutMs: 20_000 })
    await asked
    const waiting = transport.request({ method: 'PUT', path: '/waiting', body: '{}', timeoutMs: 3000 })
    void clock.advance(3000)
    await t.rejects(waiting, /no answer in time/)
    t.equal((await get(transport)).status, 200)
    void clock.advance(20_000)
    await t.rejects(silent, /no answer in time/)
  },
)

/** A virtual minute in which the server answers every PING. */
async function pingsAnswered(server: LocalServer, clock: VirtualClock): Promise<void> {
  const [session] = server.sessions as Set<ServerHttp2Session>
  for (let beat = 0; beat < 6; beat++) {
    const pinged = session ? once(session, 'ping') : undefined
    await clock.advance(10_000)
    await pinged
    await new Promise((resolve) => session?.ping(resolve))
  }
}

void t.test('without HTTP/2, and over plain HTTP, each watch has a connection of its own', async (t) => {
  for (const setup of [{ http2: false }, { plain: true }]) {
    const { server, transport } = await connected(t, { handler: openWatch, ...setup })
    const watches = await Promise.all(Array.from({ length: 3 }, () => watchOf(transport)))
    t.same(await Promise.all(watches.map(firstChunk)), Array(3).fill('{"type":"BOOKMARK"}\n'))
    t.ok(server.connections() >= 3)
  }
})

void t.test(
  'a client certificate proves who we are, and a rotated one is used for new connections',
  async (t) => {
    const first = await authority.issue('first')
    const second = await authority.issue('second')
    const names: string[] = []
    const handler: Handler = (request, response) => {
      names.push(String((request.socket as TLSSocket).getPeerCertificate().subject.CN))
      openWatch(request, response)
      if (request.url === '/x') response.end()
    }
    const server = await startServer({ pair: serverPair, handler, clientCa: authority.ca })
    const dir = t.testdir({ cert: first.cert, key: first.key })
    const clock = new VirtualClock()
    const user = { certFile: `${dir}/cert`, keyFile: `${dir}/key` }
    const transport = createTransport({
      kubeconfig: kubeconfigFor(server.url, user),
      clock,
      pingIntervalMs: 1e9,
    })
    t.teardown(() => Promise.all([transport.close(), server.close()]))
    await get(transport)
    const old = await watchOf(transport)
    t.testdir({ cert: second.cert, key: second.key })
    await clock.advance(60_001)
    await get(transport)
    await watchOf(transport)
    t.same(names, ['first', 'first', 'second', 'second'])
    t.equal(await firstChunk(old), '{"type":"BOOKMARK"}\n', 'the watch on the old connection goes on')
    t.testdir({ cert: first.cert, key: second.key })
    await clock.advance(60_001)
    await t.rejects(get(transport), /belong together/, 'a pair that is half replaced')
    t.testdir({ cert: first.cert, key: first.key })
    await clock.advance(1000)
    await get(transport)
    t.equal(names.at(-1), 'first')
  },
)

void t.test('a 401 fetches the credentials again and asks once more', async (t) => {
  const seen: string[] = []
  let valid = 'Bearer two'
  const { server } = await connected(t, {
    maxConcurrentStreams: 1,
    handler: (request, response) => {
      seen.push(String(request.headers.authorization))
      response.writeHead(request.headers.authorization === valid ? 200 : 401)
      response.end('a body')
    },
  })
  const dir = t.testdir({ token: 'one\n' })
  const clock = new VirtualClock()
  const kubeconfig = kubeconfigFor(server.url, { tokenFile: `${dir}/token` })
  const { lines, logger } = recordingLogger()
  const transport = createTransport({ kubeconfig, clock, logger, pingIntervalMs: 1e9 })
  t.teardown(() => transport.close())
  t.equal((await get(transport)).status, 401, 'the file still says the same')
  await clock.advance(1000)
  t.testdir({ token: 'two\n' })
  t.equal((await watchOf(transport)).status, 200)
  if (speaksHttp2) t.equal(server.sessions.size, 2, 'the refused watch left its place')
  t.equal((await get(transport)).status, 200)
  t.same(seen, ['Bearer one', 'Bearer one', 'Bearer two', 'Bearer two'])
  valid = 'Bearer three'
  await clock.advance(1000)
  t.testdir({ token: 'three\n' })
  const together = await Promise.all(Array.from({ length: 10 }, () => get(transport)))
  t.same(new Set(together.map(({ status }) => status)), new Set([200]), 'all who were refused wait for it')
  seen.length = 4
  valid = 'nobody'
  await clock.advance(10_000)
  t.equal((await get(transport)).status, 401)
  t.equal((await get(transport)).status, 401)
  t.equal(seen.length, 6, 'the same credentials are not tried again')
  const words = lines
    .filter((line) => !line.includes('speaks no HTTP/2'))
    .map((line) => line.split(' ').slice(0, 4).join(' '))
  const [refused, changed] = ['the cluster refuses the', 'the credentials changed: calls']
  t.same(words, [refused, changed, changed, refused], 'a refusal is logged once a minute')
})

void t.test(
  'a server under a new authority is accepted as soon as the file on disk names that',
  async (t) => {
    const other = await createAuthority()
    const pair = await other.issue('api.test')
    const server = await startServer({ pair, handler: ok })
    const dir = t.testdir({ ca: authority.ca })
    const clock = new VirtualClock()
    const kubeconfig = { source: 'test', server: server.url, caFile: `${dir}/ca`, user: {} }
    const transport = createTransport({ kubeconfig, clock, pingIntervalMs: 1e9 })
    t.teardown(() => Promise.all([transport.close(), server.close()]))
    await t.rejects(get(transport), /check certificate-authority/)
    await clock.advance(1000)
    t.testdir({ ca: other.ca })
    t.equal((await transport.request({ method: 'PUT', path: '/x', body: '{}' })).status, 200)
    t.equal((await watchOf(transport)).status, 200)
  },
)

for (const kind of ['upgrade', 'stream'] as const)
  void t.test(`a request by ${kind} that is refused without end settles`, async (t) => {
    const written = (token: string) => `${t.testdir({ token })}/token`
    function* endlessly() {
      for (const part = Buffer.alloc(16_384, ' '); ; ) yield part
    }
    let onRenewed = () => {}
    // The body of the refusal is read after the credentials were renewed.
    const logger = { ...silentLogger, info: () => void setImmediate(onRenewed) }
    const handler: Handler = (request, response) => {
      const isOld = request.headers.authorization === 'Bearer old'
      if (isOld) written('new')
      response.writeHead(isOld ? 401 : 403)
      if (isOld && request.url === '/fast') pipeline(Readable.from(endlessly()), response, () => {})
      else response.write('a part')
    }
    const { server } = await connected(t, { handler })
    const open = async (path: string, signal?: AbortSignal) => {
      const kubeconfig = kubeconfigFor(server.url, { tokenFile: written('old') })
      const clock = new VirtualClock()
      const transport = createTransport({ kubeconfig, clock, logger, pingIntervalMs: 1e9 })
      t.teardown(() => transport.close())
      const headers = kind === 'upgrade' ? { upgrade: 'x', connection: 'upgrade' } : {}
      return transport[kind]?.({ method: 'GET', path, headers, ...(signal && { signal }) })
    }
    const refused = await open('/fast')
    t.equal(refused?.status, 403, 'the new token was tried, and the first body left')
    const whileDiscarded = new AbortController()
    onRenewed = () => whileDiscarded.abort(new Error('changed my mind'))
    await t.rejects(open('/slow', whileDiscarded.signal), { message: 'changed my mind' })
    onRenewed = () => {}
    const whileRead = new AbortController()
    const unread = await open('/fast', whileRead.signal)
    whileRead.abort(new Error('read enough'))
    t.match(await endOf(unread as TransportStream), { message: 'read enough' })
  })

void t.test('closing ends what is under way, and leaves nothing open', async (t) => {
  for (const setup of [{}, { http2: false }, { plain: true }]) {
    const hang: Handler = (request, response) => {
      if (request.url !== '/hang') openWatch(request, response)
    }
    const { server, transport } = await connected(t, { handler: hang, ...setup })
    const call = endOfCall(transport.request({ method: 'PUT', path: '/hang', body: '{}' }))
    const watch = endOf(await watchOf(transport))
    await transport.close()
    t.match(await call, { message: /was closed by this program/ })
    t.match(await watch, { message: /was closed by this program/ })
    await t.rejects(get(transport), /was closed by this program/)
    await t.rejects(watchOf(transport), /was closed by this program/)
    while (server.sockets.size > 0) await once(server.sockets.values().next().value as Socket, 'close')
    await transport.close()
  }
})

void t.test(
  'a call stops waiting for a connection when it is aborted, and closing gives the connection up',
  async (t) => {
    const accepting: Socket[] = []
    const mute = createTcpServer((socket) => accepting.push(socket))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as AddressInfo
    // On a virtual clock nothing times out by itself.
    const options = { kubeconfig: kubeconfigFor(`https://127.0.0.1:${port}`), clock: new VirtualClock() }
    const transport = createTransport(options)
    const caller = new AbortController()
    const accepted = once(mute, 'connection')
    const waiting = endOfCall(transport.stream({ method: 'GET', path: '/w', signal: caller.signal }))
    await accepted
    caller.abort(new Error('changed my mind'))
    t.match(await waiting, { message: 'changed my mind' })
    const call = endOfCall(get(transport))
    await once(mute, 'connection')
    await transport.close()
    t.match(await call, { message: /was closed by this program/ })
    for (const socket of accepting) if (!socket.closed) await once(socket.resume(), 'close')
    await new Promise((resolve) => mute.close(resolve))
  },
)

void t.test('an interim answer is not taken for the answer', async (t) => {
  const handler: Handler = (_request, response) => {
    response.writeProcessing()
    response.end('real')
  }
  const { transport } = await connected(t, { handler, http2: false })
  t.match(await get(transport), { status: 200 })
  const stream = await watchOf(transport)
  t.equal(stream.status, 200)
  t.equal(await firstChunk(stream), 'real')
})

void t.test('a proxy of the kubeconfig is asked for a tunnel', async (t) => {
  const { createServer } = await import('node:http')
  const { connect } = await import('node:net')
  const { server } = await connected(t, { handler: openWatch })
  const asked: string[] = []
  const proxy = createServer().on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
    const upstream = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as { port: number }
  const transport = createTransport({
    kubeconfig: { ...kubeconfigFor(server.url), proxyUrl: `http://u:p%40@127.0.0.1:${port}` },
  })
  t.equal(await firstChunk(await watchOf(transport)), '{"type":"BOOKMARK"}\n')
  await transport.close()
  proxy.close()
  const tunnel = `127.0.0.1:${server.port} Basic ${Buffer.from('u:p@').toString('base64')}`
  t.same(asked, Array(speaksHttp2 ? 1 : 2).fill(tunnel))
  const socks = createTransport({
    kubeconfig: { ...kubeconfigFor(server.url), proxyUrl: 'socks5://127.0.0.1:1' },
  })
  await t.rejects(get(socks), /proxy-url has the scheme socks5:/)
  await socks.close()
})

void t.test('no credential shows in a log line or an error', async (t) => {
  const canary = 'c4n4ry'
  const { lines, logger } = recordingLogger()
  const { server } = await connected(t, {
    handler: (request, response) => {
      if (request.url === '/broken') request.socket.destroy()
      else response.writeHead(401).end()
    },
  })
  const users: Kubeconfig['user'][] = [
    { token: canary },
    { token: `${canary}\u0000` },
    { username: 'u', password: canary },
    { exec: execPlugin(`echo ${canary}`) },
    { exec: execPlugin(`echo ${canary}; exit 1`) },
    { keyData: Buffer.from(canary).toString('base64'), certData: Buffer.from(canary).toString('base64') },
  ]
  for (const user of users) {
    const kubeconfig = { ...kubeconfigFor(server.url, user), skipTlsVerify: true }
    const transport = createTransport({ kubeconfig, logger })
    for (const path of ['/denied', '/broken']) {
      await transport
        .request({ method: 'PUT', path, body: canary })
        .catch((error) => lines.push(allOf(error)))
      await watchOf(transport, path).catch((error) => lines.push(allOf(error)))
    }
    await transport.close()
  }
  t.ok(lines.length > users.length)
  t.same(
    lines.filter((line) => line.includes(canary)),
    [],
  )
})

function execPlugin(script: string): NonNullable<Kubeconfig['user']['exec']> {
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'sh',
    args: ['-c', script],
    env: {},
    provideClusterInfo: false,
    interactiveMode: 'Never',
    installHint: '',
  }
}

/** An error's message and stack with those of its causes. */
function allOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return `${error.stack} ${JSON.stringify(error)} ${error.cause ? allOf(error.cause) : ''}`
}

void t.test('calls start at the rate that was asked for', async (t) => {
  const clock = new VirtualClock()
  const limit = new RateLimit({ qps: 10, burst: 2, clock })
  const started: number[] = []
  const start = async (signal?: AbortSignal) => {
    await limit.acquire(signal)
    started.push(clock.now())
  }
  const gone = new AbortController()
  const calls = [start(), start(), start(), start(gone.signal), start()]
  const results = Promise.allSettled(calls)
  gone.abort(new Error('gone'))
  await clock.settle()
  const afterwards = start()
  await clock.advance(1000)
  await afterwards
  const statuses = (await results).map(({ status }) => status)
  t.same(statuses, ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  t.same(started, [0, 0, 100, 300, 300], 'the one that left gave its turn to the next')
  t.equal(new RateLimit({ clock }).acquire(), undefined, 'no limit unless asked for')
})

void t.test('the User-Agent names us, our version and the plugin', (t) => {
  const { version: published } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  t.equal(version, published)
  t.equal(formatUserAgent('my plugin (x)'), `vcluster-plugin-sdk/${version} (my-plugin--x-)`)
  t.equal(formatUserAgent(), `vcluster-plugin-sdk/${version}`)
  t.end()
})

void t.test('calls are counted and timed', async (t) => {
  const seen: unknown[] = []
  const record = { add: (labels?: object) => void seen.push(labels), set: () => {}, observe: () => {} }
  const metrics = { counter: () => record, gauge: () => record, histogram: () => record }
  const { transport } = await connected(t, { options: { metrics, cluster: 'host' } })
  await get(transport)
  t.same(seen, [{ cluster: 'host', method: 'GET', code: '200' }])
})
