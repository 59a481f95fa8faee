import { once } from 'node:events'
import { get } from 'node:https'
import { connect } from 'node:tls'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { makeHandshake, openConnection } from '../../certificate/late-handshake.fixture.js'
import type { TransportRequest } from '../../transport/transport.js'
import { answerAtClose } from '../late-request.fixture.js'
import { Probes } from '../probes.js'
import { MetricsReaders } from './metrics-readers.js'

const silent = { debug() {}, info() {}, warn() {}, error() {}, child: () => silent }

/** An API server that knows two tokens, and counts what it is asked. */
function reviews({ delay = Promise.resolve() as Promise<unknown>, status = 201 } = {}) {
  const asked: string[] = []
  const user = { username: 'prometheus', groups: ['monitoring'], uid: 'u1' }
  return {
    asked,
    request: async ({ path, body }: TransportRequest) => {
      asked.push(path)
      await delay
      const { spec } = JSON.parse(String(body))
      const answer = path.endsWith('tokenreviews')
        ? spec.token === 'unknown'
          ? { user: {}, error: 'invalid bearer token' }
          : { authenticated: true, user: { ...user, username: spec.token } }
        : {
            allowed:
              spec.user === 'reader' && spec.uid === 'u1' && spec.nonResourceAttributes.path === '/metrics',
          }
      return { status, headers: {}, body: Buffer.from(JSON.stringify({ status: answer })) }
    },
  }
}

void t.test('the API server decides who reads, and is asked once a minute', async (t) => {
  const clock = new VirtualClock()
  const transport = reviews()
  const readers = new MetricsReaders({ transport, clock })
  const answers = async (...tokens: string[]) =>
    Promise.all(tokens.map((token) => readers.check(`Bearer ${token}`, 'a')))
  t.strictSame(await answers('reader', 'other', 'unknown'), ['allowed', 'forbidden', 'unauthenticated'])
  t.equal(transport.asked.length, 5)
  await answers('reader', 'other', 'unknown')
  t.equal(transport.asked.length, 5, 'kept')
  await clock.advance(60_001)
  t.strictSame(await answers('reader'), ['allowed'])
  t.equal(transport.asked.length, 7, 'asked again')
  for (const header of [undefined, '', 'Bearer', 'Basic abc', 'Bearer a b'])
    t.equal(await readers.check(header, 'a'), 'unauthenticated', String(header))
  t.equal(transport.asked.length, 7, 'without a token the API server is not asked')
})

void t.test('a flood of tokens asks about ten at a time, and forgets the oldest answers', async (t) => {
  let open = (_: unknown) => {}
  const transport = reviews({ delay: new Promise((resolve) => (open = resolve)) })
  const readers = new MetricsReaders({ transport, clock: new VirtualClock() })
  const flood = Array.from({ length: 50 }, (_, n) => readers.check(`Bearer t${n}`, 'a'))
  open(undefined)
  const answers = await Promise.all(flood)
  t.equal(answers.filter((one) => one === 'busy').length, 40)
  t.equal(transport.asked.length, 20)
  for (let n = 0; n < 1200; n++) await readers.check(`Bearer u${n}`, 'a')
  const before = transport.asked.length
  await readers.check('Bearer u1199', 'a')
  t.equal(transport.asked.length, before, 'a young answer is kept')
  await readers.check('Bearer u0', 'a')
  t.equal(transport.asked.length, before + 2, 'an old one is not')
})

void t.test('a client that sends invalid tokens keeps out no reader', async (t) => {
  const clock = new VirtualClock()
  const transport = reviews()
  let open = () => {}
  let isSlow = false
  const slow = new Promise<void>((resolve) => (open = resolve))
  const request = async (sent: TransportRequest) => {
    const isReader = String(sent.body).includes('reader')
    if (isSlow && !isReader) await slow
    return transport.request(sent)
  }
  const readers = new MetricsReaders({ transport: { request }, clock })
  const check = (token: string, client: string) => readers.check(`Bearer ${token}`, client)
  t.equal(await check('reader', 'a'), 'allowed')
  for (let n = 0; n < 1200; n++) await check(`old${n}`, 'a')
  const before = transport.asked.length
  t.equal(await check('reader', 'a'), 'allowed')
  t.equal(transport.asked.length, before, 'other tokens do not displace the answer of a reader')
  await clock.advance(60_001)
  isSlow = true
  const flood = Array.from({ length: 50 }, (_, n) => check(`new${n}`, 'a'))
  t.equal(await check('reader', 'a'), 'allowed', 'a known reader, from the address of the flood')
  for (let client = 0; client < 20; client++)
    flood.push(
      ...Array.from({ length: 10 }, (_, n) => check(`new${n} ${client}`.replace(' ', '.'), `c${client}`)),
    )
  t.equal(await check('reader.', 'b'), 'forbidden', 'a new token, from another address')
  open()
  const answers = await Promise.all(flood)
  t.ok(answers.filter((answer) => answer !== 'busy').length <= 120)
})

void t.test('a reader stays one while the API server cannot be asked', async (t) => {
  const clock = new VirtualClock()
  let isDown = false
  const transport = reviews()
  const request = async (sent: TransportRequest) => {
    if (isDown) throw new Error('down')
    return transport.request(sent)
  }
  const readers = new MetricsReaders({ transport: { request }, clock })
  t.equal(await readers.check('Bearer reader', 'a'), 'allowed')
  await clock.advance(60_001)
  isDown = true
  await t.rejects(readers.check('Bearer reader', 'a'), { message: 'down' })
  await t.rejects(readers.check('Bearer reader', 'a'), { message: 'down' })
  isDown = false
  t.equal(await readers.check('Bearer reader', 'a'), 'allowed')
})

void t.test('a refusal of the API server admits no reader, and is not kept', async (t) => {
  const transport = reviews({ status: 403 })
  const readers = new MetricsReaders({ transport, clock: new VirtualClock() })
  await t.rejects(readers.check('Bearer reader', 'a'), /the API server refused a TokenReview with status 403/)
  await t.rejects(readers.check('Bearer reader', 'a'), /TokenReview/)
  t.equal(transport.asked.length, 2)
})

/** The answer of a page, whose certificate is not verified. */
function read(url: string, token?: string): Promise<{ status: number | undefined; body: string }> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    get(url, { headers, rejectUnauthorized: false, agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode, body }))
    }).on('error', reject)
  })
}

/** Serves the probes of a program; answers their addresses. */
async function serve(t: Test, env: Record<string, string>) {
  const urls: Record<string, string> = {}
  const info = (facts: { url?: string; port?: number }) => {
    if (facts.url !== undefined) urls.plain = facts.url
    if (facts.port !== undefined) urls.secure = `https://127.0.0.1:${facts.port}`
  }
  const probes = new Probes(env)
  const program = { name: 'mine', logger: { ...silent, info } as never, clock: new VirtualClock() }
  await probes.serve({ live: () => [], ready: () => [] }, program)
  t.teardown(() => probes.close())
  return { probes, program, urls }
}

void t.test('metrics by HTTPS are for readers, and the plain address keeps the probes', async (t) => {
  const env = { METRICS_ADDRESS: '0.0.0.0:0', SECURE_METRICS_ADDRESS: '127.0.0.1:0' }
  const { probes, program, urls } = await serve(t, env)
  const page = `${urls.secure}/metrics`
  t.match(await read(page, 'reader'), { status: 503 }, 'before the cluster is known')
  await probes.admitReaders(reviews(), program)
  t.match(await read(page, 'reader'), { status: 200, body: /process_cpu/ })
  t.match(await read(page, 'other'), { status: 403, body: /nonResourceURL/ })
  t.match(await read(page), { status: 401 })
  t.match(await read(`${urls.secure}/livez`, 'reader'), { status: 404 })
  const plain = urls.plain?.replace('0.0.0.0', '127.0.0.1')
  t.equal((await fetch(`${plain}/metrics`)).status, 404)
  t.equal((await fetch(`${plain}/livez`)).status, 200)
})

void t.test('the metrics close although a client has not made its handshake yet', async (t) => {
  const { probes, urls } = await serve(t, { SECURE_METRICS_ADDRESS: '127.0.0.1:0' })
  const socket = await openConnection(Number(new URL(urls.secure ?? '').port))
  await read(`${urls.secure}/metrics`)
  const ended = once(socket, 'close')
  const closed = probes.close()
  // A handshake that begins in time may succeed; the connection ends in any case.
  await makeHandshake(socket).catch(() => {})
  await Promise.all([closed, ended])
})

void t.test('a request that arrives as the server closes is answered', async (t) => {
  const { probes, program, urls } = await serve(t, { SECURE_METRICS_ADDRESS: '127.0.0.1:0' })
  await probes.admitReaders(reviews(), program)
  const port = Number(new URL(urls.secure ?? '').port)
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  const request = 'GET /metrics HTTP/1.1\r\nhost: a\r\nauthorization: Bearer reader\r\n\r\n'
  t.match(await answerAtClose(socket, request, () => probes.close()), /HTTP\/1\.1 200 /)
})

void t.test('loopback keeps the metrics', async (t) => {
  const { urls } = await serve(t, { SECURE_METRICS_ADDRESS: '127.0.0.1:0' })
  t.equal((await fetch(`${urls.plain}/metrics`)).status, 200)
})

void t.test('an address that is none is refused', async (t) => {
  await t.rejects(serve(t, { SECURE_METRICS_ADDRESS: 'here' }), {
    code: 'INVALID_ADDRESS',
    message: /SECURE_METRICS_ADDRESS must be/,
  })
})
