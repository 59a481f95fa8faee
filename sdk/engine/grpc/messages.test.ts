import t from 'tap'
import { decodeDetails, encodeDetails, formatTimeout, isGrpcType, parseTimeout } from './headers.js'
import { framedMessage, MessageReader } from './messages.js'
import { statusName } from './status.js'

const limit = 100

void t.test('messages are read from chunks of any size', async (t) => {
  const messages = ['', 'a', 'hello', 'x'.repeat(limit)]
  const bytes = Buffer.concat(messages.map((message) => framedMessage(Buffer.from(message))))
  for (const size of [1, 2, 3, 5, 6, 7, 64, bytes.length]) {
    const reader = new MessageReader(limit)
    const read: string[] = []
    for (let at = 0; at < bytes.length; at += size)
      read.push(...reader.read(bytes.subarray(at, at + size)).map(String))
    t.strictSame(read, messages, `${size} bytes at a time`)
    t.equal(reader.isWithin, false)
  }
})

void t.test('a message is read when all of it has arrived', async (t) => {
  const reader = new MessageReader(limit)
  t.strictSame(reader.read(framedMessage(Buffer.from('hello')).subarray(0, 7)), [])
  t.equal(reader.isWithin, true)
})

void t.test('a message that is too large is refused with its prefix, and a compressed one', async (t) => {
  const large = framedMessage(Buffer.alloc(limit + 1)).subarray(0, 5)
  t.throws(() => new MessageReader(limit).read(large), {
    code: 8,
    details: 'the message has 101 bytes, and at most 100 are received',
  })
  t.throws(() => new MessageReader(limit).read(Buffer.from([1, 0, 0, 0, 1, 9])), { code: 12 })
})

void t.test('the time to read a message grows with its size only', async (t) => {
  const joined: number[] = []
  const { concat } = Buffer
  Buffer.concat = (list, length) => {
    joined.push(length ?? 0)
    return concat(list, length)
  }
  t.teardown(() => {
    Buffer.concat = concat
  })
  const bytes = framedMessage(Buffer.alloc(10_000))
  const reader = new MessageReader(10_000)
  for (let at = 0; at < bytes.length; at += 10) reader.read(bytes.subarray(at, at + 10))
  t.strictSame(joined, [10_005], 'its chunks are joined once')
})

void t.test('details are encoded as gRPC wants it', async (t) => {
  for (const [details, value] of [
    ['plain text: "1 of 2"', 'plain text: "1 of 2"'],
    ['100 %', '100 %25'],
    ['  spaces at the ends ', '%20%20spaces at the ends%20'],
    ['', ''],
    ['x', 'x'],
    [' ', '%20'],
    ['größer\nals ½', 'gr%C3%B6%C3%9Fer%0Aals %C2%BD'],
  ] as const) {
    t.equal(encodeDetails(details), value)
    t.equal(decodeDetails(value), details)
  }
  t.equal(decodeDetails('100 %, 5 %zz'), '100 %, 5 %zz', 'what is not encoded stays')
  const many = ' '.repeat(1_000_000)
  t.equal(encodeDetails(`ü${many}x `), `%C3%BC${many}x%20`, 'a million spaces take little time')
})

void t.test('time limits are read and written in the units of gRPC', async (t) => {
  for (const [value, ms] of [
    ['10S', 10_000],
    ['250m', 250],
    ['2M', 120_000],
    ['1H', 3_600_000],
    ['5000u', 5],
    ['', undefined],
    ['10', undefined],
    ['123456789m', undefined],
  ] as const)
    t.equal(parseTimeout(value), ms)
  t.equal(parseTimeout(undefined), undefined)
  t.equal(formatTimeout(0.2), '1m')
  t.equal(formatTimeout(99_999_999), '99999999m')
  t.equal(formatTimeout(1e8), '100000S')
})

void t.test('the type of gRPC has suffixes', async (t) => {
  for (const type of ['application/grpc', 'application/grpc+proto', 'application/grpc; charset=utf-8'])
    t.equal(isGrpcType(type), true, type)
  for (const type of ['application/grpc-web', 'text/html', '', undefined]) t.equal(isGrpcType(type), false)
})

void t.test('a code that gRPC does not have is unknown', async (t) => {
  t.equal(statusName(14), 'UNAVAILABLE')
  t.equal(statusName(99), 'UNKNOWN')
})
