// Tests the connection to a process that does not keep to the protocol.
import { Duplex } from 'node:stream'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { type FromChild, maxMessageBytes } from './messages.js'
import { ProgramChannel } from './program-channel.js'

const log = `${JSON.stringify({ type: 'log', manager: 1, level: 'info', message: 'm', fields: {} })}\n`

/** A channel whose other end is a test: it reads only what the test takes. */
function setUp() {
  const clock = new VirtualClock()
  const messages: FromChild[] = []
  const violations: string[] = []
  const stream = new Duplex({ read() {}, write() {} })
  const channel: ProgramChannel = new ProgramChannel(stream, clock, {
    onMessage: (message) => void messages.push(message),
    onViolation: (why) => void violations.push(why),
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return { clock, messages, violations, stream, channel, turn }
}
const abort = (reason: string) => ({ type: 'abort', id: 1, reason }) as const

void t.test('a process that does not read its messages is ended before they take all memory', async (t) => {
  const { channel, violations, stream } = setUp()
  const reason = 'x'.repeat(maxMessageBytes / 2)
  let sent = 0
  while (violations.length === 0 && sent < 20) {
    channel.send(abort(reason))
    sent++
  }
  t.strictSame(violations, ['did not read its messages'])
  t.equal(sent, 8, '32 MiB wait at most')
  t.ok(stream.destroyed)
  t.doesNotThrow(() => channel.send(abort('later')))
})

void t.test(
  'a message that is too long for the process is refused, and costs the process nothing',
  async (t) => {
    const { channel, violations, stream } = setUp()
    t.throws(() => channel.send(abort('x'.repeat(maxMessageBytes))), {
      name: 'RangeError',
      message: /^83886\d\d bytes for a program; at most 8388608 are permitted$/,
    })
    t.equal(stream.writableLength, 0)
    t.strictSame(violations, [])
  },
)

void t.test('a process that closes its connection has a second to end', async (t) => {
  const { clock, violations, stream, turn } = setUp()
  stream.destroy()
  await turn()
  await clock.advance(999)
  t.strictSame(violations, [])
  await clock.advance(1)
  t.strictSame(violations, ['closed its connection'])
})

void t.test('2048 messages a second are read; then the process waits', async (t) => {
  const { clock, messages, stream, turn } = setUp()
  for (let chunk = 0; chunk < 40; chunk++) stream.push(log.repeat(128))
  for (let second = 1; second <= 2; second++) {
    for (let turns = 0; turns < 100; turns++) await turn()
    t.ok(messages.length >= 2_048 * second, `${messages.length} messages`)
    t.ok(messages.length <= (2_048 + 128) * second, `${messages.length} messages`)
    t.ok(stream.isPaused())
    await clock.advance(1_000)
  }
})

void t.test('a message that is longer than the limit is a violation before it has ended', async (t) => {
  const { messages, violations, stream, turn } = setUp()
  const part = Buffer.alloc(maxMessageBytes / 2, 65)
  for (const chunk of [part, part, Buffer.from('A')]) {
    t.strictSame(violations, [])
    stream.push(chunk)
    await turn()
  }
  t.strictSame([messages, violations], [[], ['sent a message of more than 8388608 bytes']])
})

void t.test('nothing that comes after a violation is taken', async (t) => {
  const { channel, messages, violations, stream, turn } = setUp()
  stream.push(`${log}{"type":"unknown"}\n${log}`)
  await turn()
  t.equal(messages.length, 1, 'what came before it')
  t.match(violations, [/^sent a message with an unknown type/])
  t.ok(stream.destroyed)
  channel.close()
  t.equal(violations.length, 1)
})

void t.test('the rest of a chunk is dropped if a message ends the process', async (t) => {
  const stream = new Duplex({ read() {}, write() {} })
  let taken = 0
  const channel: ProgramChannel = new ProgramChannel(stream, new VirtualClock(), {
    onMessage: () => {
      taken++
      channel.close()
    },
    onViolation: () => t.fail('it was closed'),
  })
  stream.push(log.repeat(3))
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(taken, 1)
})
