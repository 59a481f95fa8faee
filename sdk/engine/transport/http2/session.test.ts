import { once } from 'node:events'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { Cancellation } from '../../time/cancellation.js'
import { Http2Error } from './http2-error.js'
import { errorCode, flag, frameType, setting } from './protocol.js'
import { call, frame, ScriptedServer, scripted, socketPair, uint32 } from './scripted-server.fixture.js'
import { Http2Session } from './session.js'
import type { WatchHandler } from './watch.js'

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** The reason that a promise rejects with. */
const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  )

/** A watch's handler that writes down what happens. */
function recording() {
  const seen: string[] = []
  const handler: WatchHandler = {
    onHeaders: (status) => void seen.push(String(status)),
    onData: (part) => void seen.push(textOf(part)),
    onEnded: () => void seen.push('ended'),
    onFailed: (error) => void seen.push(String(error)),
  }
  return { seen, handler }
}

void t.test('a request and its answer', async (t) => {
  const { session, server } = await scripted(t)
  const headers = { authorization: 'Bearer s3cret', 'content-type': 'application/json', via: ['a', 'b'] }
  const answer = session.request(call({ method: 'POST', path: '/a?b=c', headers, body: '{"ü":1}' }))
  const { streamId, fields } = await server.nextRequest()
  t.same(fields, {
    ':method': 'POST',
    ':scheme': 'https',
    ':authority': 'api.test:6443',
    ':path': '/a?b=c',
    authorization: 'Bearer s3cret',
    'content-type': 'application/json',
    via: 'b',
    'content-length': '8',
  })
  const { payload, flags } = await server.next(frameType.data)
  t.equal(textOf(payload), '{"ü":1}')
  t.equal(flags, flag.endStream)
  server.send(server.answer(streamId, 'made', { ':status': '201', 'x-one': 'a' }))
  const { status, headers: got, body } = await answer
  t.same([status, got, textOf(body)], [201, { 'x-one': 'a' }, 'made'])
})

void t.test('what one turn of the event loop sends leaves in one piece', async (t) => {
  const { session, server } = await scripted(t)
  await turn()
  const before = server.chunks
  const calls = Array.from({ length: 20 }, (_, at) =>
    session.request(call({ method: 'PUT', path: `/${at}`, body: 'x' })),
  )
  for (const _ of calls) server.send(server.answer((await server.nextRequest()).streamId))
  await Promise.all(calls)
  t.equal(server.chunks - before, 1)
})

void t.test(
  'an answer arrives in any pieces, with interim answers, trailers, padding and unknown frames',
  async (t) => {
    const { session, server } = await scripted(t)
    const answer = session.request(call())
    const { streamId } = await server.nextRequest()
    const block = server.block({ ':status': '200', 'content-length': '9', 'x-long': 'y'.repeat(100) })
    const octets = Buffer.concat([
      server.headers(streamId, { ':status': '103', link: 'x' }),
      frame(0xfa, 0xff, streamId, Buffer.from('unknown')),
      frame(
        frameType.headers,
        flag.padded | flag.priority,
        streamId,
        Buffer.concat([Buffer.from([3, 0, 0, 0, 0, 1]), block.subarray(0, 5), Buffer.alloc(3)]),
      ),
      frame(frameType.continuation, 0, streamId, block.subarray(5, 6)),
      frame(frameType.continuation, flag.endHeaders, streamId, block.subarray(6)),
      frame(frameType.priority, 0, streamId, Buffer.alloc(5)),
      frame(frameType.data, flag.padded, streamId, Buffer.from('\u0002abcd\u0000\u0000')),
      server.data(streamId, '', 0),
      server.data(streamId, 'efghi', 0),
      server.headers(streamId, { 'grpc-status': '0' }, flag.endStream),
    ])
    for (const octet of octets) server.send(Buffer.from([octet]))
    const { status, headers, body } = await answer
    t.equal(status, 200)
    t.equal(headers['x-long'], 'y'.repeat(100))
    t.equal(textOf(body), 'abcdefghi')
  },
)

void t.test('an answer that is malformed ends its stream alone', async (t) => {
  const cases: [string, (server: ScriptedServer, streamId: number) => Buffer[]][] = [
    ['no status', (s, id) => [s.headers(id, { a: 'b' }, flag.endStream)]],
    ['a status of letters', (s, id) => [s.headers(id, { ':status': 'ok' }, flag.endStream)]],
    ['status 101', (s, id) => [s.headers(id, { ':status': '101' })]],
    ['an interim answer as the last', (s, id) => [s.headers(id, { ':status': '100' }, flag.endStream)]],
    ['an unknown pseudo-header', (s, id) => [s.headers(id, { ':status': '200', ':x': '' }, flag.endStream)]],
    [
      'a pseudo-header behind others',
      (s, id) => [s.headers(id, { a: 'b', ':status': '200' }, flag.endStream)],
    ],
    ['capital letters', (s, id) => [s.headers(id, { ':status': '200', Date: 'x' }, flag.endStream)]],
    [
      'a header of HTTP/1.1',
      (s, id) => [s.headers(id, { ':status': '200', 'keep-alive': '1' }, flag.endStream)],
    ],
    ['a line break', (s, id) => [s.headers(id, { ':status': '200', a: 'b\r\nc: d' }, flag.endStream)]],
    ['a body before its headers', (s, id) => [s.data(id, 'x')]],
    ['trailers that do not end', (s, id) => [s.headers(id, { ':status': '200' }), s.headers(id, { a: 'b' })]],
    [
      'a second status',
      (s, id) => [s.headers(id, { ':status': '200' }), s.headers(id, { ':status': '200' }, flag.endStream)],
    ],
    ['a body that is too short', (s, id) => [s.answer(id, 'abc', { 'content-length': '4' })]],
    ['a body that is too long', (s, id) => [s.answer(id, 'abc', { 'content-length': '2' })]],
    ['a content-length of letters', (s, id) => [s.answer(id, 'abc', { 'content-length': '3x' })]],
    [
      'headers without a limit',
      (s, id) => [s.headers(id, { ':status': '200', big: 'x'.repeat(3000) }), ...huge(s, id)],
    ],
  ]
  for (const [title, frames] of cases) {
    const { session, server } = await scripted(t)
    const bad = failureOf(session.request(call()))
    const good = session.request(call())
    const ids = [(await server.nextRequest()).streamId, (await server.nextRequest()).streamId] as const
    server.send(...frames(server, ids[0]), server.answer(ids[1]))
    t.match(
      await bad,
      { code: 'ERR_HTTP2_STREAM_ERROR', sent: true, message: /^GET \/x at api\.test:6443: .*malformed/ },
      title,
    )
    const { streamId, payload } = await server.next(frameType.rstStream)
    t.same([streamId, payload], [ids[0], uint32(errorCode.protocolError)])
    t.equal((await good).status, 200)
    t.ok(session.isOpen)
  }
})

/** Trailers with an entry of the table so often that they are larger than we take. */
function huge(server: ScriptedServer, streamId: number): Buffer[] {
  const once = server.block({ big: 'x'.repeat(3000) })
  const block = Buffer.concat(Array.from({ length: 100 }, () => once))
  return [frame(frameType.headers, flag.endHeaders | flag.endStream, streamId, block)]
}

void t.test('a server that breaks the protocol of the connection ends it, with the right code', async (t) => {
  const goaway = (streamId: number) => frame(frameType.goaway, 0, streamId, Buffer.alloc(8))
  const cases: [string, number, (server: ScriptedServer) => Buffer[]][] = [
    [
      'a frame that is too large',
      errorCode.frameSizeError,
      () => [frame(frameType.ping, 0, 0, Buffer.alloc(16_385))],
    ],
    ['DATA on stream 0', errorCode.protocolError, (s) => [s.data(0, 'x')]],
    ['DATA on a stream that was not opened', errorCode.protocolError, (s) => [s.data(99, 'x')]],
    [
      'HEADERS on a stream of the server',
      errorCode.protocolError,
      (s) => [s.headers(2, { ':status': '200' })],
    ],
    [
      'padding beyond the frame',
      errorCode.protocolError,
      () => [frame(frameType.data, flag.padded, 1, Buffer.from([9, 1]))],
    ],
    [
      'a padded frame without a length',
      errorCode.frameSizeError,
      () => [frame(frameType.data, flag.padded, 1)],
    ],
    [
      'RST_STREAM of a wrong size',
      errorCode.frameSizeError,
      () => [frame(frameType.rstStream, 0, 1, Buffer.alloc(3))],
    ],
    [
      'RST_STREAM on a stream that was not opened',
      errorCode.protocolError,
      () => [frame(frameType.rstStream, 0, 99, uint32(0))],
    ],
    [
      'SETTINGS of a wrong size',
      errorCode.frameSizeError,
      () => [frame(frameType.settings, 0, 0, Buffer.alloc(5))],
    ],
    ['SETTINGS on a stream', errorCode.protocolError, () => [frame(frameType.settings, 0, 1)]],
    [
      'an acknowledgement with settings',
      errorCode.frameSizeError,
      () => [frame(frameType.settings, flag.ack, 0, Buffer.alloc(6))],
    ],
    [
      'a window that is too large',
      errorCode.flowControlError,
      (s) => [s.settings([setting.initialWindowSize, 2 ** 31])],
    ],
    ['push', errorCode.protocolError, (s) => [s.settings([setting.enablePush, 1])]],
    ['frames that are too small', errorCode.protocolError, (s) => [s.settings([setting.maxFrameSize, 100])]],
    [
      'PUSH_PROMISE',
      errorCode.protocolError,
      (s) => [
        frame(frameType.pushPromise, flag.endHeaders, 1, Buffer.concat([uint32(2), s.block({ a: 'b' })])),
      ],
    ],
    ['PING of a wrong size', errorCode.frameSizeError, () => [frame(frameType.ping, 0, 0, Buffer.alloc(7))]],
    ['PING on a stream', errorCode.protocolError, () => [frame(frameType.ping, 0, 1, Buffer.alloc(8))]],
    ['GOAWAY on a stream', errorCode.protocolError, () => [goaway(1)]],
    ['GOAWAY that is cut', errorCode.frameSizeError, () => [frame(frameType.goaway, 0, 0, Buffer.alloc(7))]],
    [
      'WINDOW_UPDATE of a wrong size',
      errorCode.frameSizeError,
      () => [frame(frameType.windowUpdate, 0, 0, Buffer.alloc(3))],
    ],
    [
      'WINDOW_UPDATE by nothing',
      errorCode.protocolError,
      () => [frame(frameType.windowUpdate, 0, 0, uint32(0))],
    ],
    [
      'WINDOW_UPDATE by too much',
      errorCode.flowControlError,
      () => [frame(frameType.windowUpdate, 0, 0, uint32(2 ** 31 - 1))],
    ],
    ['CONTINUATION without HEADERS', errorCode.protocolError, () => [frame(frameType.continuation, 0, 1)]],
    [
      'a frame inside a header block',
      errorCode.protocolError,
      () => [frame(frameType.headers, 0, 1), frame(frameType.ping, 0, 0, Buffer.alloc(8))],
    ],
    [
      'CONTINUATION of another stream',
      errorCode.protocolError,
      () => [frame(frameType.headers, 0, 1), frame(frameType.continuation, 0, 3)],
    ],
    [
      'CONTINUATION without an end',
      errorCode.enhanceYourCalm,
      () => [
        frame(frameType.headers, 0, 1),
        ...Array.from({ length: 100 }, () => frame(frameType.continuation, 0, 1)),
      ],
    ],
    [
      'HEADERS without their priority',
      errorCode.frameSizeError,
      () => [frame(frameType.headers, flag.priority | flag.endHeaders, 1, Buffer.alloc(4))],
    ],
    [
      'PRIORITY without a stream',
      errorCode.protocolError,
      () => [frame(frameType.priority, 0, 0, Buffer.alloc(5))],
    ],
    [
      'headers that cannot be decoded',
      errorCode.compressionError,
      () => [frame(frameType.headers, flag.endHeaders, 1, Buffer.from([0x80]))],
    ],
  ]
  for (const [title, code, frames] of cases) {
    const { session, server } = await scripted(t)
    const pending = failureOf(session.request(call({ method: 'PUT', body: 'x' })))
    await server.nextRequest()
    server.send(...frames(server))
    t.match(
      await pending,
      { code: 'ERR_HTTP2_SESSION_ERROR', sent: true, message: /the server broke HTTP\/2: / },
      title,
    )
    t.equal((await server.next(frameType.goaway)).payload.readUInt32BE(4), code)
    t.match(await failureOf(session.request(call())), { code: 'ERR_HTTP2_INVALID_SESSION', sent: false })
    await session.closed
  }
})

void t.test('a first frame that is not SETTINGS ends the connection', async (t) => {
  const [client, end] = socketPair()
  const server = new ScriptedServer(end)
  const opening = Http2Session.open({
    socket: client,
    clock: new VirtualClock(),
    authority: 'a',
    signal: new Cancellation(),
  })
  server.send(server.settingsAck())
  await t.rejects(opening, /a first frame that is not SETTINGS/)
  t.equal((await server.next(frameType.goaway)).payload.readUInt32BE(4), errorCode.protocolError)
})

void t.test('a server must send its settings and accept ours in time', async (t) => {
  const open = (clock: VirtualClock) => {
    const [client, end] = socketPair()
    const opening = Http2Session.open({ socket: client, clock, authority: 'a', signal: new Cancellation() })
    return { server: new ScriptedServer(end), opening, client }
  }
  const clock = new VirtualClock()
  const silent = open(clock)
  const halfway = open(clock)
  halfway.server.send(halfway.server.settings())
  const session = await halfway.opening
  const refused = failureOf(silent.opening)
  const pending = failureOf(session.request(call()))
  await clock.advance(10_000)
  t.match(await refused, { message: /no HTTP\/2 settings within 10000 ms/ })
  t.match(await pending, { message: /did not accept our HTTP\/2 settings within 10000 ms/ })
  t.equal((await halfway.server.next(frameType.goaway)).payload.readUInt32BE(4), errorCode.settingsTimeout)
})

void t.test('a session that is still being opened can be given up', async (t) => {
  const [client] = socketPair()
  const signal = new Cancellation()
  const opening = Http2Session.open({ socket: client, clock: new VirtualClock(), authority: 'a', signal })
  signal.abort(new Error('closed'))
  await t.rejects(opening, { message: 'closed' })
  const [other] = socketPair()
  await t.rejects(Http2Session.open({ socket: other, clock: new VirtualClock(), authority: 'a', signal }), {
    message: 'closed',
  })
  t.ok(other.destroyed)
})

void t.test('settings are accepted, and PINGs answered', async (t) => {
  const { server } = await scripted(t)
  t.equal((await server.next(frameType.settings)).flags, 0)
  server.send(
    server.settings([setting.headerTableSize, 100], [0x99, 1]),
    frame(frameType.ping, 0, 0, Buffer.from('12345678')),
  )
  t.equal((await server.next(frameType.settings)).flags, flag.ack, 'the first ones')
  t.equal((await server.next(frameType.settings)).flags, flag.ack)
  const { flags, payload } = await server.next(frameType.ping)
  t.same([flags, textOf(payload)], [flag.ack, '12345678'])
})

void t.test('a request waits for a stream where the server allows no more', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.maxConcurrentStreams, 2]] })
  const calls = Array.from({ length: 4 }, (_, at) => session.request(call({ path: `/${at}` })))
  t.equal(session.free('call'), -2)
  const first = await server.nextRequest()
  await server.nextRequest()
  await turn()
  t.equal(server.ofType(frameType.headers).length, 2)
  server.send(server.answer(first.streamId))
  const third = await server.nextRequest()
  t.equal(third.fields[':path'], '/2')
  server.send(server.settings([setting.maxConcurrentStreams, 3]))
  const fourth = await server.nextRequest()
  t.equal(fourth.fields[':path'], '/3')
  for (const streamId of [3, third.streamId, fourth.streamId]) server.send(server.answer(streamId))
  await Promise.all(calls)
})

void t.test('calls and watches that wait take turns, and some streams are never a watch', async (t) => {
  const { session, server } = await scripted(t, {
    settings: [[setting.maxConcurrentStreams, 3]],
    reservedForCalls: 1,
  })
  const ask = (path: string) => {
    const signal = new Cancellation()
    if (path.startsWith('/w')) session.watch(call({ path, signal }), recording().handler)
    else session.request(call({ path, signal })).catch(() => {})
    return signal
  }
  const signals = ['/w1', '/w2', '/w3', '/c1', '/c2', '/c3'].map(ask)
  const seen: string[] = []
  const next = async () => {
    const { streamId, fields } = await server.nextRequest()
    seen.push(String(fields[':path']))
    return streamId
  }
  await next()
  await next()
  const c1 = await next()
  t.same(seen, ['/w1', '/w2', '/c1'], 'the third watch leaves a stream to calls')
  t.equal(session.free('watch'), -3)
  server.send(server.answer(c1))
  const c2 = await next()
  signals[0]?.abort(new Error('enough'))
  await next()
  server.send(server.answer(c2))
  await next()
  t.same(seen.slice(3), ['/c2', '/w3', '/c3'])
})

void t.test(
  'a request that waits can be aborted, and one that failed lets the next one through',
  async (t) => {
    const { session, server } = await scripted(t, { settings: [[setting.maxConcurrentStreams, 1]] })
    const signal = new Cancellation()
    const refuse = () => {
      throw new Error('not the leader')
    }
    const first = session.request(call())
    const aborted = failureOf(session.request(call({ signal })))
    const refused = Array.from({ length: 20_000 }, () =>
      failureOf(session.request(call({ beforeSend: refuse }))),
    )
    const last = session.request(call({ path: '/last' }))
    signal.abort(new Error('changed my mind'))
    t.match(await aborted, { message: 'changed my mind' })
    server.send(server.answer((await server.nextRequest()).streamId))
    await first
    t.match(new Set((await Promise.all(refused)).map(String)), new Set(['Error: not the leader']))
    const { streamId, fields } = await server.nextRequest()
    t.equal(fields[':path'], '/last', 'nothing of the others left')
    server.send(server.answer(streamId))
    await last
  },
)

/** A permission to send that ends during a test. */
function permission() {
  let isGiven = true
  const beforeSend = () => {
    if (!isGiven) throw new Error('not the leader')
  }
  const end = () => {
    isGiven = false
  }
  return { beforeSend, end }
}

void t.test(
  'a write that was allowed when it began is asked about again before its octets leave',
  async (t) => {
    const { session, server } = await scripted(t)
    const { beforeSend, end } = permission()
    const write = { method: 'PUT', body: 'x' }
    await turn()
    const before = server.frames.length
    const other = failureOf(session.request(call({ ...write, path: '/other' })))
    const read = failureOf(session.request(call({ beforeSend })))
    const refused = failureOf(session.request(call({ ...write, beforeSend })))
    const withoutBody = failureOf(session.request(call({ method: 'DELETE', beforeSend })))
    // As in a process that is suspended in the middle of a turn of its event loop.
    end()
    t.match(await refused, { message: 'not the leader' })
    for (const one of [other, read, withoutBody])
      t.match(await one, { sent: false, code: 'ERR_HTTP2_SESSION_ERROR' }, 'the caller may repeat it')
    await turn()
    t.equal(server.frames.length, before, 'nothing left')
  },
)

void t.test('nothing leaves with a request that waits for the stream of a refused one', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.maxConcurrentStreams, 3]] })
  const { beforeSend, end } = permission()
  const before = server.frames.length
  const body = 'x'.repeat(16_384)
  const writes = Array.from({ length: 3 }, () =>
    failureOf(session.request(call({ method: 'PUT', body, beforeSend }))),
  )
  // Its headers do not fit into the buffer that has the writes.
  const waiting = failureOf(session.request(call({ path: `/${'~'.repeat(16_300)}` })))
  end()
  t.match(await writes[0], { message: 'not the leader' })
  for (const one of [...writes.slice(1), waiting]) t.match(await one, { sent: false })
  await turn()
  t.equal(server.frames.length, before, 'nothing left')
})

void t.test('settings are accepted before they are followed', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.initialWindowSize, 10]] })
  const write = session.request(call({ method: 'PUT', body: 'x'.repeat(15) }))
  const { streamId } = await server.nextRequest()
  await server.next(frameType.data)
  const before = server.frames.length
  server.send(server.settings([setting.initialWindowSize, 100]))
  await server.next(frameType.data)
  t.same(
    server.frames.slice(before).map(({ type }) => type),
    [frameType.settings, frameType.data],
  )
  server.send(server.answer(streamId))
  t.equal((await write).status, 200)
})

void t.test('a write that its caller gave up ends the connection only if it may not be sent', async (t) => {
  const { session, server } = await scripted(t)
  const { beforeSend: gate, end } = permission()
  /** A write whose time is up before its octets leave. */
  const givenUp = () => {
    const signal = new Cancellation()
    const beforeSend = () => {
      if (signal.aborted) throw new Error('the time is up')
    }
    const failed = failureOf(session.request(call({ method: 'PUT', body: 'x', signal, gate, beforeSend })))
    signal.abort(new Error('enough'))
    return failed
  }
  t.match(await givenUp(), { message: 'enough' })
  await server.next(frameType.rstStream)
  t.ok(session.isOpen)
  const before = server.frames.length
  const refused = givenUp()
  end()
  t.match(await refused, { message: 'enough' })
  await turn()
  t.equal(server.frames.length, before, 'nothing left')
  t.notOk(session.isOpen)
})

void t.test('reads are not asked about again', async (t) => {
  const { session, server } = await scripted(t)
  const { beforeSend, end } = permission()
  const read = session.request(call({ beforeSend }))
  end()
  server.send(server.answer((await server.nextRequest()).streamId))
  t.equal((await read).status, 200)
})

void t.test('the end of a body that waited for the server is asked about, too', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.initialWindowSize, 10]] })
  const { beforeSend, end } = permission()
  const write = failureOf(session.request(call({ method: 'PUT', body: 'x'.repeat(15), beforeSend })))
  const { streamId } = await server.nextRequest()
  end()
  server.send(frame(frameType.windowUpdate, 0, streamId, uint32(100)))
  t.match(await write, { message: 'not the leader' })
  await turn()
  t.same(
    server.ofType(frameType.data).filter(({ flags }) => flags & flag.endStream),
    [],
    'the server never had the whole request, so it does not act on it',
  )
})

void t.test(
  'a request that is aborted resets its stream, and what still comes on it is ignored',
  async (t) => {
    const { session, server } = await scripted(t)
    const signal = new Cancellation()
    const aborted = failureOf(session.request(call({ signal })))
    const { streamId } = await server.nextRequest()
    signal.abort(new Error('enough'))
    t.match(await aborted, { message: 'enough' })
    const reset = await server.next(frameType.rstStream)
    t.same([reset.streamId, reset.payload], [streamId, uint32(errorCode.cancel)])
    const next = session.request(call())
    const second = await server.nextRequest()
    // The next answer refers to what these headers put into the table.
    server.send(server.headers(streamId, { ':status': '200', 'x-one': 'a' }), server.data(streamId, 'late'))
    server.send(server.answer(second.streamId, 'ok', { 'x-one': 'a' }))
    t.same((await next).headers, { 'x-one': 'a' })
    t.match(await failureOf(session.request(call({ signal }))), { message: 'enough' }, 'before it began')
  },
)

void t.test('a frame behind the end of its stream is a mistake of that stream alone', async (t) => {
  const { session, server } = await scripted(t)
  const answered = session.request(call())
  const { streamId } = await server.nextRequest()
  server.send(
    server.answer(streamId),
    server.data(streamId, 'more'),
    frame(frameType.windowUpdate, 0, streamId, uint32(1)),
  )
  t.equal((await answered).status, 200)
  const reset = await server.next(frameType.rstStream)
  t.same([reset.streamId, reset.payload], [streamId, uint32(errorCode.streamClosed)])
  t.ok(session.isOpen)
})

void t.test('a stream that the server resets says whether its request may be repeated', async (t) => {
  const { session, server } = await scripted(t)
  for (const [code, sent] of [
    [errorCode.refusedStream, false],
    [errorCode.cancel, true],
    [errorCode.noError, true],
    [errorCode.enhanceYourCalm, true],
  ] as const) {
    const reset = failureOf(session.request(call({ method: 'PUT', path: '/x?y=z', body: 'x' })))
    const { streamId } = await server.nextRequest()
    server.send(frame(frameType.rstStream, 0, streamId, uint32(code)))
    const error = await reset
    t.match(error, {
      sent,
      code: 'ERR_HTTP2_STREAM_ERROR',
      message: /^PUT \/x at api\.test:6443: the stream was reset by the server/,
    })
    t.match(error, { message: sent ? /may have reached the server/ : /did not reach the server/ })
  }
  await failureOf(Promise.reject(new Error('no frame follows')))
  t.equal(server.ofType(frameType.rstStream).length, 0)
})

void t.test(
  'after three resets with ENHANCE_YOUR_CALM in a row the session takes no more requests',
  async (t) => {
    const { session, server } = await scripted(t)
    const running = session.request(call())
    const { streamId: first } = await server.nextRequest()
    const reset = async () => {
      const failed = failureOf(session.request(call()))
      const { streamId } = await server.nextRequest()
      server.send(frame(frameType.rstStream, 0, streamId, uint32(errorCode.enhanceYourCalm)))
      t.match(await failed, { sent: true })
    }
    for (let at = 0; at < 2; at++) await reset()
    const answered = session.request(call())
    server.send(server.answer((await server.nextRequest()).streamId))
    await answered
    for (let at = 0; at < 2; at++) await reset()
    t.ok(session.isOpen, 'an answer came in between')
    await reset()
    t.notOk(session.isOpen)
    server.send(server.answer(first))
    t.equal((await running).status, 200)
  },
)

void t.test('a server that resets everything at once ends what it resets alone', async (t) => {
  const { session, server } = await scripted(t)
  for (let round = 0; round < 200; round++) {
    const reset = Array.from({ length: 50 }, () => failureOf(session.request(call())))
    for (const _ of reset) {
      const { streamId } = await server.nextRequest()
      server.send(frame(frameType.rstStream, 0, streamId, uint32(errorCode.refusedStream)))
    }
    await Promise.all(reset)
  }
  t.equal(session.size, 0)
  t.ok(session.isOpen)
})

void t.test(
  'after GOAWAY streams above the last one may be repeated, the others end, and then the connection',
  async (t) => {
    const { session, server } = await scripted(t, { settings: [[setting.maxConcurrentStreams, 3]] })
    let draining = 0
    session.onDraining(() => draining++)
    const calls = Array.from({ length: 4 }, () => session.request(call({ method: 'PUT', body: 'x' })))
    const failed = calls.slice(2).map(failureOf)
    for (let at = 0; at < 3; at++) await server.nextRequest()
    server.send(frame(frameType.goaway, 0, 0, Buffer.concat([uint32(2 ** 31 - 1), uint32(0)])))
    t.match(await failed[1], { sent: false, code: 'ERR_HTTP2_GOAWAY_SESSION' }, 'the one that waited')
    server.send(
      frame(
        frameType.goaway,
        0,
        0,
        Buffer.concat([uint32(3), uint32(errorCode.noError), Buffer.from('bye')]),
      ),
    )
    t.match(await failed[0], {
      sent: false,
      code: 'ERR_HTTP2_GOAWAY_SESSION',
      message: /did not reach the server/,
    })
    t.equal(session.isOpen, false)
    t.equal(draining, 1)
    t.match(await failureOf(session.request(call())), { sent: false, code: 'ERR_HTTP2_INVALID_SESSION' })
    server.send(server.answer(1), server.answer(3))
    t.same(
      (await Promise.all(calls.slice(0, 2))).map(({ status }) => status),
      [200, 200],
    )
    await session.closed
  },
)

void t.test('a body leaves as the windows allow, and a large one does not hold up the others', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.initialWindowSize, 10]] })
  const body = '0123456789'.repeat(3)
  const answer = session.request(call({ method: 'PUT', body }))
  const small = session.request(call({ method: 'PUT', body: Buffer.from('small') }))
  const first = await server.nextRequest()
  t.equal(textOf((await server.next(frameType.data)).payload), body.slice(0, 10))
  const second = await server.nextRequest()
  t.equal(textOf((await server.next(frameType.data)).payload), 'small')
  server.send(server.answer(second.streamId))
  t.equal((await small).status, 200)
  server.send(frame(frameType.windowUpdate, 0, first.streamId, uint32(5)))
  t.equal((await server.next(frameType.data)).payload.length, 5)
  server.send(server.settings([setting.initialWindowSize, 5]))
  server.send(
    frame(frameType.windowUpdate, 0, first.streamId, uint32(5)),
    frame(frameType.ping, 0, 0, Buffer.alloc(8)),
  )
  await server.next(frameType.ping)
  t.equal(server.ofType(frameType.data).length, 3, 'the window is below zero, then at zero')
  server.send(server.settings([setting.initialWindowSize, 1000]))
  const last = await server.next(frameType.data)
  t.same([last.payload.length, last.flags], [15, flag.endStream])
  server.send(server.answer(first.streamId))
  await answer
})

void t.test('large bodies take turns, a frame each, inside the window of the connection', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.initialWindowSize, 2 ** 20]] })
  const body = Buffer.alloc(100_000, 'x')
  for (let at = 0; at < 2; at++) session.request(call({ method: 'PUT', body })).catch(() => {})
  const order: number[] = []
  let bytes = 0
  while (bytes < 65_535) {
    const { streamId, payload } = await server.next(frameType.data)
    order.push(streamId)
    bytes += payload.length
  }
  t.equal(bytes, 65_535)
  server.send(frame(frameType.windowUpdate, 0, 0, uint32(134_465)))
  while (bytes < 200_000) {
    const { streamId, payload } = await server.next(frameType.data)
    order.push(streamId)
    bytes += payload.length
  }
  t.same(order.slice(4, 8), [1, 3, 1, 3], 'one after the other')
})

void t.test('an answer before the end of its request is whole, and the rest is not sent', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.initialWindowSize, 1]] })
  const refused = session.request(call({ method: 'POST', body: 'too large' }))
  const { streamId } = await server.nextRequest()
  server.send(server.answer(streamId, 'no', { ':status': '413' }))
  t.equal((await refused).status, 413)
  t.equal((await server.next(frameType.rstStream)).streamId, streamId)
  server.send(
    frame(frameType.windowUpdate, 0, streamId, uint32(100)),
    frame(frameType.ping, 0, 0, Buffer.alloc(8)),
  )
  await server.next(frameType.ping)
  t.equal(server.ofType(frameType.data).length, 1)
})

void t.test('an answer that is larger than wanted is not read to its end', async (t) => {
  const { session, server } = await scripted(t)
  const ask = () => failureOf(session.request(call({ maxBytes: 3, path: '/large?x' })))
  const announced = ask()
  server.send(
    server.headers((await server.nextRequest()).streamId, { ':status': '200', 'content-length': '4' }),
  )
  const expected = { code: 'ANSWER_TOO_LARGE', message: 'GET /large: the answer has more than 3 bytes' }
  t.match(await announced, expected)
  const grown = ask()
  const { streamId } = await server.nextRequest()
  server.send(
    server.headers(streamId, { ':status': '200' }),
    server.data(streamId, 'ab', 0),
    server.data(streamId, 'cd', 0),
  )
  t.match(await grown, expected)
  t.equal((await server.next(frameType.rstStream)).payload.readUInt32BE(), errorCode.cancel)
  t.equal((await server.next(frameType.rstStream)).streamId, streamId)
  const right = session.request(call({ maxBytes: 3 }))
  server.send(server.answer((await server.nextRequest()).streamId, 'abc'))
  t.equal(textOf((await right).body), 'abc')
})

void t.test(
  'a watch is delivered as it arrives, and a reader that takes nothing stops its own stream alone',
  async (t) => {
    const { session, server } = await scripted(t)
    const { seen, handler } = recording()
    let bytes = 0
    const watch = session.watch(call(), {
      ...handler,
      onData: (part) => {
        bytes += part.length
      },
    })
    const { streamId } = await server.nextRequest()
    const megabyte = Array.from({ length: 64 }, () => server.data(streamId, 'x'.repeat(16_384), 0))
    server.send(server.headers(streamId, { ':status': '200' }), ...megabyte)
    const other = session.request(call())
    server.send(server.answer((await server.nextRequest()).streamId))
    t.equal((await other).status, 200, 'the other one goes on')
    t.equal(bytes, 1024 * 1024)
    const updates = () =>
      server.frames.filter(({ type, streamId }) => type === frameType.windowUpdate && streamId > 0)
    t.equal(updates().length, 0)
    watch.take(1024 * 1024)
    t.equal((await server.next(frameType.windowUpdate)).payload.readUInt32BE() > 0, true)
    await turn()
    t.same(
      updates().map(({ payload }) => payload.readUInt32BE()),
      [1024 * 1024],
      'in one update',
    )
    server.send(server.data(streamId, 'y'))
    while (seen.length < 2) await turn()
    t.same(seen, ['200', 'ended'])
    watch.take(1)
    watch.cancel(new Error('too late'))
    t.same(seen, ['200', 'ended'])
  },
)

void t.test('a server that sends more than the window allows is stopped', async (t) => {
  const { session, server } = await scripted(t)
  const { seen, handler } = recording()
  session.watch(call(), { ...handler, onData: () => {} })
  const { streamId } = await server.nextRequest()
  const frames = Array.from({ length: 65 }, () => server.data(streamId, 'x'.repeat(16_384), 0))
  server.send(server.headers(streamId, { ':status': '200' }), ...frames)
  t.equal((await server.next(frameType.rstStream)).payload.readUInt32BE(), errorCode.flowControlError)
  t.match(seen, ['200', /more than the window allows/])
  t.ok(session.isOpen)
})

void t.test('the window of the connection is given back in large steps', async (t) => {
  const { session, server } = await scripted(t)
  const answer = session.request(call())
  const { streamId } = await server.nextRequest()
  const part = server.data(streamId, 'x'.repeat(16_000), 0)
  server.send(server.headers(streamId, { ':status': '200' }))
  for (let at = 0; at < 1100; at++) {
    server.send(part)
    if (at % 20 === 0) await turn()
  }
  server.send(server.data(streamId, 'end'))
  t.equal((await answer).body.length, 1100 * 16_000 + 3)
  const updates = server.frames.filter((each) => each.type === frameType.windowUpdate && each.streamId === 0)
  t.equal(updates.length, 1 + 2, 'one at the beginning, then one for each half')
})

void t.test('a watch that is cancelled, or whose reader throws, resets its stream', async (t) => {
  const { session, server } = await scripted(t)
  const { seen, handler } = recording()
  const watch = session.watch(call(), handler)
  const { streamId } = await server.nextRequest()
  watch.cancel(new Error('enough'))
  t.equal((await server.next(frameType.rstStream)).streamId, streamId)
  const throwing = recording()
  session.watch(call(), {
    ...throwing.handler,
    onData: () => {
      throw new Error('a line is too long')
    },
  })
  const second = await server.nextRequest()
  server.send(server.headers(second.streamId, { ':status': '200' }), server.data(second.streamId, 'x'))
  t.equal((await server.next(frameType.rstStream)).payload.readUInt32BE(), errorCode.cancel)
  t.same([seen, throwing.seen], [['Error: enough'], ['200', 'Error: a line is too long']])
  t.ok(session.isOpen)
})

void t.test('a connection that went silent is found, whatever waits then', async (t) => {
  const silent: Error[] = []
  const { session, server, clock, client } = await scripted(t, {
    idleMs: 1e9,
    onSilent: (error) => silent.push(error),
  })
  for (let beat = 0; beat < 5; beat++) {
    await clock.advance(10_000)
    const { payload } = await server.next(frameType.ping)
    server.send(frame(frameType.ping, flag.ack, 0, payload))
    await turn()
    await turn()
  }
  const call1 = failureOf(session.request(call({ method: 'PUT', body: 'x' })))
  const startMs = clock.now()
  await clock.advance(17_000)
  t.match(await call1, {
    code: 'SILENT_CONNECTION',
    sent: true,
    message: /went silent: no answer to a PING within 6000 ms/,
  })
  t.ok(clock.now() - startMs <= 17_000)
  t.equal(silent.length, 1)
  t.ok(client.destroyed)
})

void t.test(
  'a PING whose answer waits behind others does not count as silence, and a PING can be requested',
  async (t) => {
    const { session, server, clock } = await scripted(t, { pingIntervalMs: 1e9 })
    session.watch(call(), recording().handler)
    const { streamId } = await server.nextRequest()
    server.send(server.headers(streamId, { ':status': '200' }))
    await turn()
    session.probe()
    session.probe()
    await server.next(frameType.ping)
    for (let at = 0; at < 5; at++) {
      server.send(server.data(streamId, 'x', 0))
      await turn()
      await turn()
      await clock.advance(6000)
    }
    t.ok(session.isOpen)
    t.equal(server.ofType(frameType.ping).length, 1)
    await clock.advance(8000)
    t.notOk(session.isOpen)
  },
)

void t.test('a session that is not used ends', async (t) => {
  const { session, server, clock } = await scripted(t, { pingIntervalMs: 1e9 })
  await clock.advance(29_000)
  const used = session.request(call())
  server.send(server.answer((await server.nextRequest()).streamId))
  await used
  await clock.advance(29_000)
  t.ok(session.isOpen)
  await clock.advance(31_000)
  t.notOk(session.isOpen)
  t.equal((await server.next(frameType.goaway)).payload.readUInt32BE(4), errorCode.noError)
  await session.closed
  t.equal(clock.pending, 0, 'no timer is left')
})

void t.test('a connection that breaks ends everything, and says what may have arrived', async (t) => {
  const { session, server, client } = await scripted(t, { settings: [[setting.maxConcurrentStreams, 2]] })
  const sent = failureOf(session.request(call({ method: 'PUT', path: '/sent?a=b', body: 'x' })))
  await server.nextRequest()
  const unsent = failureOf(session.request(call({ path: '/unsent' })))
  const waiting = failureOf(session.request(call({ path: '/waiting' })))
  client.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }))
  t.match(await sent, {
    name: 'Http2Error',
    sent: true,
    code: 'ECONNRESET',
    message: 'PUT /sent at api.test:6443: read ECONNRESET (unanswered, it may have reached the server)',
  })
  t.match(await unsent, { sent: false, code: 'ECONNRESET' }, 'it had not left the buffer')
  t.match(await waiting, { sent: false, message: /did not reach the server/ })
  await session.closed
})

void t.test('a connection that the server closes ends everything', async (t) => {
  const { session, server } = await scripted(t)
  const pending = failureOf(session.request(call()))
  await server.nextRequest()
  server.socket.end()
  t.match(await pending, {
    sent: true,
    code: 'ERR_HTTP2_SESSION_ERROR',
    message: /the server closed the connection/,
  })
  await session.closed
})

void t.test('a session drains: what is under way ends well, what comes is turned away', async (t) => {
  const { session, server } = await scripted(t)
  const running = session.request(call())
  const { streamId } = await server.nextRequest()
  const drained = session.drain()
  t.match(await failureOf(session.request(call())), { sent: false })
  server.send(server.answer(streamId))
  t.equal((await running).status, 200)
  await server.next(frameType.goaway)
  await drained
})

void t.test(
  'a server that does not read is not fed, and one that makes us answer without reading is left',
  async (t) => {
    const [client, end] = socketPair()
    const server = new ScriptedServer(end)
    const opening = Http2Session.open({
      socket: client,
      clock: new VirtualClock(),
      authority: 'a',
      signal: new Cancellation(),
    })
    server.send(
      server.settings([setting.initialWindowSize, 2 ** 30]),
      server.settingsAck(),
      frame(frameType.windowUpdate, 0, 0, uint32(2 ** 30)),
    )
    const session = await opening
    await turn()
    // Writes no longer come back.
    client._write = () => {}
    const body = Buffer.alloc(10_000_000)
    const fed = failureOf(session.request(call({ method: 'PUT', body })))
    for (let at = 0; at < 10; at++) await turn()
    t.ok(client.writableLength < 1_000_000, `${client.writableLength} bytes wait`)
    const later = failureOf(session.request(call()))
    const pings = Buffer.concat(
      Array.from({ length: 1000 }, () => frame(frameType.ping, 0, 0, Buffer.alloc(8))),
    )
    for (let at = 0; at < 1000 && session.isOpen; at++) {
      server.send(pings)
      await turn()
    }
    t.match(await fed, { sent: true, message: /does not read what it makes us send/ })
    t.match(await later, { sent: false }, 'what came later did not leave')
    client.destroy()
  },
)

void t.test('a request that HTTP/2 cannot carry is not sent, and its values are in no error', async (t) => {
  const { session, server } = await scripted(t, { settings: [[setting.maxHeaderListSize, 2000]] })
  const canary = 'c4n4ry'
  const cases: [string, Parameters<typeof call>[0], RegExp][] = [
    [
      'a line break',
      { headers: { authorization: `${canary}\r\nx: y` } },
      /header authorization has a character/,
    ],
    ['a zero', { headers: { authorization: `${canary}\0` } }, /header authorization has a character/],
    ['more than an octet', { headers: { 'x-user': `${canary}€` } }, /header x-user has a character/],
    ['a capital letter', { headers: { Accept: canary } }, /forbids the header "Accept"/],
    ['a pseudo-header', { headers: { ':path': canary } }, /forbids the header ":path"/],
    ['a header of HTTP/1.1', { headers: { connection: canary } }, /forbids the header "connection"/],
    ['a space in the path', { path: `/a b?${canary}` }, /its path has a character/],
    ['a path that is not one', { path: `x?${canary}` }, /its path has a character/],
    ['a method of two words', { method: 'GET x' }, /its method has a character/],
    ['headers that are too large', { headers: { authorization: canary.repeat(500) } }, /takes 2000/],
  ]
  for (const [title, changes, expected] of cases) {
    const error = await failureOf(session.request(call(changes)))
    t.match(error, { sent: false, code: 'ERR_HTTP2_INVALID_REQUEST', message: expected }, title)
    t.notOk(error instanceof Http2Error && error.stack?.includes(canary))
  }
  await turn()
  t.equal(server.ofType(frameType.headers).length, 0)
})

void t.test('headers that are larger than a frame leave in several', async (t) => {
  const { session, server } = await scripted(t)
  const long = 'x'.repeat(20_000)
  session.request(call({ headers: { 'x-a': long, 'x-b': long } })).catch(() => {})
  const blocks = [
    await server.next(frameType.headers),
    await server.next(frameType.continuation),
    await server.next(frameType.continuation),
  ]
  t.same(
    blocks.map(({ flags }) => flags),
    [flag.endStream, 0, flag.endHeaders],
  )
  t.ok(blocks.every(({ payload }) => payload.length <= 16_384))
})

void t.test('a callback that aborts another request does no harm', async (t) => {
  const { session, server } = await scripted(t)
  const signal = new Cancellation()
  const other = failureOf(session.request(call({ signal })))
  await server.nextRequest()
  session.watch(call(), { ...recording().handler, onHeaders: () => signal.abort(new Error('by the watch')) })
  const { streamId } = await server.nextRequest()
  server.send(server.headers(streamId, { ':status': '200' }), server.answer(1))
  t.match(await other, { message: 'by the watch' })
  t.ok(session.isOpen)
})

void t.test('ending a session ends its socket', async (t: Test) => {
  const { session, client } = await scripted(t)
  const closed = once(client, 'close')
  const pending = failureOf(session.request(call()))
  session.destroy(new Error('closed by this program'))
  session.destroy(new Error('twice'))
  t.match(await pending, { message: /closed by this program/ })
  client.destroy()
  await closed
})
