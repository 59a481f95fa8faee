import { deepEqual, equal } from 'node:assert/strict'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { Cancellation } from '../../time/cancellation.js'
import { AnswerTooLarge } from './call.js'
import { FrameParser } from './frame-parser.js'
import { HeaderEncoder } from './hpack/header-encoder.js'
import { Http2Error } from './http2-error.js'
import { flag, frameType, setting } from './protocol.js'
import { ReadBuffer } from './read-buffer.js'
import { call, frame, uint32 } from './scripted-server.fixture.js'
import { Http2Session } from './session.js'

/** How often each property is tried; more with FUZZ_RUNS. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 1500)

function blockOf(fields: Record<string, string>): Buffer {
  const encoder = new HeaderEncoder()
  encoder.begin()
  for (const name in fields) encoder.add(name, fields[name] ?? '', 'unindexed')
  return Buffer.from(encoder.end())
}

const streamId = fc.constantFrom(0, 1, 1, 3, 3, 5, 7, 9, 2, 2 ** 31 - 1)
const flags = fc.constantFrom(
  0,
  flag.endHeaders,
  flag.endHeaders | flag.endStream,
  flag.endStream,
  flag.padded,
  0xff,
)
const block = fc.constantFrom(
  blockOf({ ':status': '200' }),
  blockOf({ ':status': '200', 'content-length': '3' }),
  blockOf({ ':status': '103' }),
  blockOf({ ':status': '429', 'retry-after': '1' }),
  blockOf({ 'grpc-status': '0' }),
  Buffer.from('40016101623fe11f', 'hex'),
)
const number = fc.constantFrom(0, 1, 7, 8, 100, 65_535, 2 ** 30, 2 ** 31 - 1, 2 ** 32 - 1).map(uint32)
const settings = fc
  .array(
    fc.tuple(fc.constantFrom(1, 2, 3, 4, 5, 6, 8, 99), fc.constantFrom(0, 1, 100, 16_384, 65_535, 2 ** 31)),
  )
  .map((pairs) => Buffer.concat(pairs.flatMap(([id, value]) => [uint32(id).subarray(2), uint32(value)])))
const anyPayload = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))
const types = fc.constantFrom(...Object.values(frameType), 0x20)
const id = streamId

/** Frames that mostly make sense, and some that never do. */
const anyFrame = fc.oneof(
  fc.tuple(flags, id, block).map(([flags, id, bytes]) => frame(frameType.headers, flags, id, bytes)),
  fc.tuple(flags, id, anyPayload).map(([flags, id, bytes]) => frame(frameType.data, flags, id, bytes)),
  fc.tuple(id, number).map(([id, bytes]) => frame(frameType.rstStream, 0, id, bytes)),
  fc.tuple(id, number).map(([id, bytes]) => frame(frameType.windowUpdate, 0, id, bytes)),
  fc.tuple(number, number).map(([last, code]) => frame(frameType.goaway, 0, 0, Buffer.concat([last, code]))),
  fc.tuple(flags, settings).map(([flags, bytes]) => frame(frameType.settings, flags & 1, 0, bytes)),
  fc.tuple(flags, id, block).map(([flags, id, bytes]) => frame(frameType.continuation, flags, id, bytes)),
  fc.constant(frame(frameType.ping, 0, 0, Buffer.alloc(8))),
  fc.tuple(types, flags, id, anyPayload).map((parts) => frame(...parts)),
)

/** A frame as it is, cut, or with one octet changed. */
const piece = fc.oneof(
  { weight: 12, arbitrary: anyFrame },
  { weight: 1, arbitrary: fc.tuple(anyFrame, fc.nat(30)).map(([bytes, cut]) => bytes.subarray(0, cut)) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyFrame, fc.nat(50), fc.nat(255)).map(([bytes, at, octet]) => {
      const changed = Buffer.from(bytes)
      changed[at % bytes.length] = octet
      return changed
    }),
  },
)

const octets = fc.array(piece, { minLength: 1, maxLength: 30 }).map((pieces) => Buffer.concat(pieces))
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 10 })

/** Cuts octets into chunks of these sizes, again and again. */
function* chunked(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

void t.test('frames are the same, however the octets are cut', (t) => {
  const parsed = (chunks: Iterable<Buffer>) => {
    const seen: string[] = []
    let data = ''
    const parser = new FrameParser({
      onFrameHeader: () => {},
      onFrame: ({ type, flags, streamId }, payload) =>
        void seen.push(`${type} ${flags} ${streamId} ${Buffer.from(payload).toString('hex')}`),
      onData: ({ flags, streamId }, part, isLast) => {
        data += Buffer.from(part).toString('hex')
        if (isLast) seen.push(`data ${flags} ${streamId} ${data}`)
        if (isLast) data = ''
      },
    })
    try {
      for (const chunk of chunks) parser.push(chunk)
    } catch (error) {
      seen.push(String(error))
    }
    return seen
  }
  const property = fc.property(octets, sizes, (bytes, sizes) =>
    deepEqual(parsed(chunked(bytes, sizes)), parsed([bytes])),
  )
  t.doesNotThrow(() => fc.assert(property, { numRuns }))
  t.end()
})

/** A session whose socket swallows what is written, with octets fed to its read buffer. */
async function fed() {
  const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, callback) => callback() })
  socket.on('error', () => {})
  const readBuffer = new ReadBuffer()
  const clock = new VirtualClock()
  const signal = new Cancellation()
  const opening = Http2Session.open({
    socket,
    readBuffer,
    clock,
    authority: 'a',
    signal,
    settingsTimeoutMs: 1e6,
  })
  const feed = (bytes: Uint8Array) => {
    readBuffer.buffer.set(bytes)
    readBuffer.callback(bytes.length)
  }
  const limit = Buffer.concat([uint32(setting.maxConcurrentStreams).subarray(2), uint32(4)])
  feed(frame(frameType.settings, 0, 0, limit))
  return { session: await opening, socket, clock, feed }
}

/** Requests of all kinds, and how each of them ended. */
function ask(session: Http2Session) {
  const ends = new Map<string, unknown>()
  const signals = [new Cancellation(), new Cancellation()]
  const [first = new Cancellation(), second = new Cancellation()] = signals
  const keep = (name: string) => (end: unknown) => {
    equal(ends.has(name), false, `${name} ended twice`)
    ends.set(name, end)
  }
  const calls = {
    get: call(),
    put: call({ method: 'PUT', body: 'x'.repeat(70_000), signal: first }),
    small: call({ method: 'POST', body: '{}', maxBytes: 5 }),
  }
  for (const [name, each] of Object.entries(calls)) session.request(each).then(keep(name), keep(name))
  for (const name of ['watch', 'other']) {
    const watch = session.watch(call({ signal: second }), {
      onHeaders: () => {},
      onData: (part) => watch.take(part.length),
      onEnded: () => keep(name)('ended'),
      onFailed: keep(name),
    })
  }
  return { ends, signals, expected: Object.keys(calls).length + 2 }
}

void t.test(
  'whatever a server sends, every request ends once, and the session in a clean state',
  async (t) => {
    const abortAt = fc.array(fc.nat(40), { minLength: 2, maxLength: 2 })
    const property = fc.asyncProperty(octets, sizes, abortAt, async (bytes, sizes, abortAt) => {
      const { session, socket, clock, feed } = await fed()
      const { ends, signals, expected } = ask(session)
      let step = 0
      for (const chunk of chunked(bytes, sizes)) {
        for (const [at, signal] of signals.entries())
          if (abortAt[at] === step) signal.abort(new Error('aborted'))
        feed(chunk)
        step += 1
      }
      await clock.settle()
      // Nothing more comes.
      socket.push(null)
      await clock.settle()
      await clock.settle()
      await clock.advance(2000)
      equal(ends.size, expected, `ended: ${[...ends.keys()]}`)
      for (const end of ends.values()) equal(isExpected(end), true, String(end))
      deepEqual([session.size, session.isOpen, clock.pending], [0, false, 0])
      await session.closed
    })
    await t.resolves(fc.assert(property, { numRuns }))
  },
)

function isExpected(end: unknown): boolean {
  if (end instanceof Http2Error || end instanceof AnswerTooLarge || end === 'ended') return true
  return end instanceof Error ? end.message === 'aborted' : typeof end === 'object'
}

void t.test('bytes that are not frames end a session', async (t) => {
  const property = fc.asyncProperty(
    fc.uint8Array({ minLength: 100, maxLength: 400 }),
    sizes,
    async (bytes, sizes) => {
      const { session, socket, clock, feed } = await fed()
      const { ends, expected } = ask(session)
      for (const chunk of chunked(Buffer.from(bytes), sizes)) feed(chunk)
      socket.destroy()
      await clock.settle()
      await clock.settle()
      deepEqual([ends.size, session.size, session.isOpen], [expected, 0, false])
    },
  )
  await t.resolves(fc.assert(property, { numRuns: numRuns / 3 }))
})
