import { deepEqual } from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type FieldList, HeaderDecoder } from './header-decoder.js'
import { HeaderEncoder, type Indexing } from './header-encoder.js'
import type { HeaderField } from './header-field.js'
import { decodeHuffman } from './huffman.js'

const bytesOf = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex')

/** Collects the fields of a block as `name: value`. */
function decoded(decoder: HeaderDecoder, block: Uint8Array): string[] {
  const fields: string[] = []
  const list: FieldList = { add: ({ name, value }: HeaderField) => void fields.push(`${name}: ${value}`) }
  decoder.decode(block, list)
  return fields
}

function encoded(encoder: HeaderEncoder, fields: readonly (readonly [string, string, Indexing?])[]): string {
  encoder.begin()
  for (const [name, value, indexing = 'indexed'] of fields) encoder.add(name, value, indexing)
  return Buffer.from(encoder.end()).toString('hex')
}

void t.test('fields are written as in RFC 7541, C.2', (t) => {
  const one = (...field: [string, string, Indexing?]) => encoded(new HeaderEncoder(), [field])
  t.equal(one('custom-key', 'custom-header'), '400a637573746f6d2d6b65790d637573746f6d2d686561646572')
  t.equal(one(':path', '/sample/path', 'unindexed'), '040c2f73616d706c652f70617468')
  t.equal(one('password', 'secret', 'never'), '100870617373776f726406736563726574')
  t.equal(one(':method', 'GET'), '82')
  t.end()
})

const requests = [
  [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':path', '/'],
    [':authority', 'www.example.com'],
  ],
  [
    [':method', 'GET'],
    [':scheme', 'http'],
    [':path', '/'],
    [':authority', 'www.example.com'],
    ['cache-control', 'no-cache'],
  ],
  [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/index.html'],
    [':authority', 'www.example.com'],
    ['custom-key', 'custom-value'],
  ],
] as const

void t.test('requests on one connection are written and read as in RFC 7541, C.3', (t) => {
  const blocks = [
    '828684410f7777772e6578616d706c652e636f6d',
    '828684be58086e6f2d6361636865',
    '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
  ]
  const encoder = new HeaderEncoder()
  const decoder = new HeaderDecoder()
  for (const [at, block] of blocks.entries()) {
    const request = requests[at] ?? []
    t.equal(encoded(encoder, request), block)
    t.same(
      decoded(decoder, bytesOf(block)),
      request.map(([name, value]) => `${name}: ${value}`),
    )
  }
  t.end()
})

void t.test('requests with Huffman codes are read as in RFC 7541, C.4', (t) => {
  const blocks = [
    '828684418cf1e3c2e5f23a6ba0ab90f4ff',
    '828684be5886a8eb10649cbf',
    '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
  ]
  const decoder = new HeaderDecoder()
  for (const [at, block] of blocks.entries())
    t.same(
      decoded(decoder, bytesOf(block)),
      requests[at]?.map(([name, value]) => `${name}: ${value}`),
    )
  t.end()
})

const responses = [
  [
    ':status: 302',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:21 GMT',
    'location: https://www.example.com',
  ],
  [
    ':status: 307',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:21 GMT',
    'location: https://www.example.com',
  ],
  [
    ':status: 200',
    'cache-control: private',
    'date: Mon, 21 Oct 2013 20:13:22 GMT',
    'location: https://www.example.com',
    'content-encoding: gzip',
    'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
  ],
]

/** A change of the table to 256 octets, which the responses of the RFC assume. */
const smallTable = '3fe101'

void t.test('answers that evict entries are read as in RFC 7541, C.5 and C.6', (t) => {
  const plain = [
    '4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d',
    '4803333037c1c0bf',
    '88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31',
  ]
  const huffman = [
    '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3',
    '4883640effc1c0bf',
    '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
  ]
  for (const blocks of [plain, huffman]) {
    const decoder = new HeaderDecoder()
    for (const [at, block] of blocks.entries())
      t.same(decoded(decoder, bytesOf((at === 0 ? smallTable : '') + block)), responses[at])
  }
  t.end()
})

void t.test('a header block that makes no sense is an error, and no hang', (t) => {
  const blocks: [string, string, RegExp][] = [
    ['the index 0', '80', /index 0/],
    ['an index beyond both tables', 'be', /index 62/],
    ['the name of such an entry', '7e0161', /index 62/],
    ['a string that is cut', '400a6375', /beyond its header block/],
    ['a field that is cut', '40', /ends inside/],
    ['an integer that is cut', '7fff', /ends inside/],
    ['an integer that is too large', '7fffffffffffffffff01', /too large/],
    ['an integer without an end', `7f${'80'.repeat(100)}`, /too large/],
    ['a table that is larger than allowed', '3fe21f', /where 4096 are allowed/],
    ['a change of the table behind a field', '8220', /after a header field/],
    ['padding of a whole octet', '408207ff01ff', /padding/],
    ['padding that is not all ones', '40821800', /padding/],
    ['the code of the end of a string', '4084ffffffff', /Huffman code/],
  ]
  for (const [title, block, expected] of blocks)
    t.throws(
      () => decoded(new HeaderDecoder(), bytesOf(block)),
      { name: 'CompressionError', message: expected },
      title,
    )
  t.end()
})

void t.test('a table of size 0 is empty, and may grow again', (t) => {
  const decoder = new HeaderDecoder()
  t.same(decoded(decoder, bytesOf('400161016282')), ['a: b', ':method: GET'])
  t.same(decoded(decoder, bytesOf('be')), ['a: b'])
  t.same(decoded(decoder, bytesOf('203fe11f82')), [':method: GET'])
  t.throws(() => decoded(decoder, bytesOf('be')), /index 62/)
  t.end()
})

void t.test('a field that is larger than the table empties it', (t) => {
  const decoder = new HeaderDecoder()
  decoded(decoder, bytesOf('3f214001610162'))
  t.same(decoded(decoder, bytesOf(`4001617f01${'78'.repeat(128)}`)), [`a: ${'x'.repeat(128)}`])
  t.throws(() => decoded(decoder, bytesOf('be')), /index 62/)
  t.end()
})

void t.test('every octet has a Huffman code that is read back', (t) => {
  // Appendix B in a few samples: the shortest code, one of each longer kind, and the longest.
  const samples: [string, string][] = [
    ['0', '07'],
    ['aaaa', '18c63f'],
    ['!', 'fe3f'],
    ['\\', 'fffe1f'],
    ['\u0080', 'fffe6f'],
    ['\u00ff', 'fffffbbf'],
    ['\n', 'fffffff3'],
  ]
  for (const [text, hex] of samples) {
    const bytes = bytesOf(hex)
    t.equal(decodeHuffman(bytes, 0, bytes.length), text, JSON.stringify(text))
  }
  t.end()
})

const name = fc.stringMatching(/^[a-z-]{1,12}$/)
const value = fc.stringMatching(/^[\x20-\xff]{0,60}$/)
const indexing = fc.constantFrom<Indexing>('indexed', 'unindexed', 'never')
const field = fc.tuple(
  fc.oneof(name, fc.constantFrom(':path', 'content-type', 'authorization')),
  value,
  indexing,
)
const block = fc.record({ size: fc.option(fc.nat(6000)), fields: fc.array(field, { maxLength: 30 }) })

void t.test('encoded headers decode to the same headers, with any size of the table', (t) => {
  const property = fc.property(fc.array(block, { maxLength: 20 }), (blocks) => {
    const encoder = new HeaderEncoder()
    const decoder = new HeaderDecoder()
    for (const { size, fields } of blocks) {
      if (size !== null) encoder.setTableSize(size)
      const read = decoded(decoder, bytesOf(encoded(encoder, fields)))
      deepEqual(
        read,
        fields.map(([name, value]) => `${name}: ${value}`),
      )
    }
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 300 }))
  t.end()
})

void t.test('credentials are in no table', (t) => {
  const encoder = new HeaderEncoder()
  const first = encoded(encoder, [['authorization', 'Bearer x', 'never']])
  t.equal(first, `1f08${'08'}${Buffer.from('Bearer x').toString('hex')}`)
  t.equal(encoded(encoder, [['authorization', 'Bearer x', 'never']]), first)
  t.end()
})
