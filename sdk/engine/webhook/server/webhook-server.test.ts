import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { followCertificateFiles } from '../../certificate/certificate-files.js'
import { makeHandshake, openConnection } from '../../certificate/late-handshake.fixture.js'
import {
  issueCertificate,
  isUsable,
  renewalTime,
  withoutExpired,
} from '../../certificate/serving-certificate.js'
import { silentLogger } from '../../observe/logger.js'
import { systemClock } from '../../time/clock.js'
import { certificateOf, certificateSecret } from '../certificate/certificate-secret.js'
import { admissionLimits, conversionLimits, conversionLimitsFor } from './body-limits.js'
import { ServedCertificate } from './served-certificate.js'
import { type ReviewHandler, WebhookServer } from './webhook-server.js'

const names = { dnsNames: [], addresses: ['127.0.0.1'] }
const day = 86_400_000
const issue = (now = new Date()) => issueCertificate(names, { now, lifeMs: 90 * day })
const certificate = issue()

async function serve(t: Test, answer: ReviewHandler, maxConnections?: number) {
  const lines: unknown[] = []
  const logger = {
    ...silentLogger,
    warn: (fields: object, message: string) => void lines.push({ ...fields, message }),
  }
  const handlers = new Map([
    ['/validate/caches', { limits: admissionLimits, answer }],
    ['/convert/caches', { limits: conversionLimits, answer }],
  ])
  const server = new WebhookServer({
    host: '127.0.0.1',
    port: 0,
    cure: 'take another',
    handlers,
    logger,
    clock: systemClock,
    drainMs: 50,
    maxConnections,
  })
  await server.listen()
  t.teardown(() => server.close())
  return { server, lines }
}

interface Call {
  path?: string
  method?: string
  body?: string
  headers?: Record<string, string>
}

function call(port: number, { path = '/validate/caches', method = 'POST', body = '{}', headers }: Call = {}) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path,
      method,
      agent: false as const,
      ca: [...certificate.authorities],
      headers: { 'content-type': 'application/json', ...headers },
    }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('end', () => resolve({ status: response.statusCode, text }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

const isOpen = (port: number) =>
  openConnection(port).then(
    (socket) => Boolean(socket.destroy()),
    () => false,
  )

void t.test(
  'a certificate that has expired is logged with its end, and the server is not ready',
  async (t) => {
    const { server, lines } = await serve(t, () => ({}))
    const expired = issue(new Date('2020-01-01T00:00:00Z'))
    server.use(expired)
    const said =
      'the certificate of the webhooks has expired on 2020-03-31T00:00:00.000Z: API servers refuse it; renew tls.crt and tls.key'
    t.equal(server.problem, said)
    t.strictSame(lines, [{ names: 'IP Address:127.0.0.1', message: said }])
    server.use(certificate)
    t.equal(server.problem, undefined)
  },
)

void t.test('a client that refuses the certificate is logged once for a certificate, with the cure', (t) => {
  const served = new ServedCertificate(certificate.certificate)
  const alert = (code: string) => served.refusalBy(Object.assign(new Error('x'), { code }))
  t.equal(alert('ECONNRESET'), undefined)
  t.match(
    alert('ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE'),
    /^a client refuses the certificate of the webhooks: put its authority \(CN=webhooks .*\) into each caBundle, or issue one for the name that API servers call \(this one has IP Address:127\.0\.0\.1\)$/,
  )
  t.equal(alert('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE'), undefined, 'once')
  const other = new ServedCertificate(certificate.certificate)
  t.ok(other.refusalBy(Object.assign(new Error('x'), { code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' })))
  t.end()
})

void t.test('a server is ready when it has a certificate, and answers by path', async (t) => {
  const { server } = await serve(t, (review) => ({ seen: review }))
  t.equal(server.problem, 'the webhooks have no certificate yet')
  await t.rejects(call(server.port))
  server.use(certificate)
  t.equal(server.problem, undefined)
  t.same(await call(server.port, { body: '{"big":12345678901234567890}' }), {
    status: 200,
    text: '{"seen":{"big":12345678901234567890}}',
  })
  t.equal((await call(server.port, { path: '/other' })).status, 404)
})

void t.test('requests of another method, type or size, and other protocols, are refused', async (t) => {
  const { server } = await serve(t, () => ({}))
  server.use(certificate)
  t.equal((await call(server.port, { method: 'GET', body: '' })).status, 405)
  t.equal((await call(server.port, { headers: { 'content-type': 'text/plain' } })).status, 415)
  t.equal((await call(server.port, { body: '{' })).status, 400)
  const length = { 'content-length': String(8 * 1024 * 1024) }
  t.equal((await call(server.port, { headers: length, body: '' }).catch(() => ({ status: 413 }))).status, 413)
  t.equal((await call(server.port, { headers: { long: 'x'.repeat(20_000) } })).status, 431)
  const socket = connect({
    port: server.port,
    host: '127.0.0.1',
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
  })
  await new Promise((resolve) => socket.once('error', resolve).once('secureConnect', resolve))
  t.not(socket.alpnProtocol, 'h2')
  socket.destroy()
})

void t.test(
  'an error of user code is a 500, and no content of the object is answered or logged',
  async (t) => {
    const { server, lines } = await serve(t, () => {
      throw new RangeError('password is hunter2')
    })
    server.use(certificate)
    const { status, text } = await call(server.port)
    t.same([status, text], [500, 'the webhook failed: RangeError\n'])
    t.match(lines, [
      { path: '/validate/caches', error: { type: 'RangeError', frames: [/webhook-server\.test/] } },
    ])
    t.notMatch(JSON.stringify(lines), /hunter2/)
    await call(server.port, { body: '{"password": hunter2}' })
    t.notMatch(JSON.stringify(lines), /hunter2/)
  },
)

void t.test('an error of user code is not answered, whatever its type and its lines', async (t) => {
  const { server, lines } = await serve(t, () => {
    throw new SyntaxError('password is hunter2\n    at hunter2')
  })
  server.use(certificate)
  t.same(await call(server.port), { status: 500, text: 'the webhook failed: SyntaxError\n' })
  t.match(lines, [{ error: { type: 'SyntaxError', frames: [/webhook-server\.test/] } }])
  t.notMatch(JSON.stringify(lines), /hunter2/)
})

void t.test(
  'bodies of more than 64 MiB at a time are refused, and those that are answered do not count',
  async (t) => {
    const held: (() => void)[] = []
    const { server } = await serve(t, async () => {
      await new Promise<void>((resolve) => held.push(resolve))
      return {}
    })
    server.use(certificate)
    const body = `{"a":"${'x'.repeat(6 * 1024 * 1024)}"}`
    const first = Array.from({ length: 10 }, () => call(server.port, { body }))
    while (held.length < 10) await wait(5)
    // The server may close the connection before it was sent everything.
    const refused = () =>
      call(server.port, { body }).then(
        ({ status }) => status,
        () => 503,
      )
    let answered: number | undefined | 'not yet' = 'not yet'
    void refused().then((status) => {
      answered = status
    })
    while (answered === 'not yet' && held.length < 11) await wait(5)
    t.equal(answered, 503)
    const small = call(server.port)
    while (held.length < 11) await wait(5)
    for (const answer of held.splice(0)) answer()
    t.same(
      (await Promise.all([...first, small])).map(({ status }) => status),
      Array.from({ length: 11 }, () => 200),
    )
    const again = call(server.port, { body }).then(
      ({ status }) => status,
      () => 503,
    )
    while (held.length < 1) {
      const status = await Promise.race([again, wait(5)])
      if (status !== undefined) break
    }
    held[0]?.()
    t.equal(await again, 200)
  },
)

void t.test('a server that stops is not ready at once, still answers, and then closes', async (t) => {
  const { server } = await serve(t, () => ({}))
  server.use(certificate)
  server.drain()
  t.equal(server.problem, 'the webhooks are about to stop')
  t.equal((await call(server.port)).status, 200)
  const { port } = server
  await server.close()
  await t.rejects(call(port), { code: 'ECONNREFUSED' })
})

void t.test('a server closes although a client keeps a connection without requests', async (t) => {
  const { server } = await serve(t, () => ({}))
  server.use(certificate)
  const socket = connect({ host: '127.0.0.1', port: server.port, ca: [...certificate.authorities] })
  await once(socket, 'secureConnect')
  const closed = once(socket, 'close')
  await server.close()
  await closed
})

void t.test('a request that arrives as the server closes is answered', async (t) => {
  const { server } = await serve(t, () => ({ answered: true }))
  server.use(certificate)
  const socket = connect({ port: server.port, host: '127.0.0.1', ca: [...certificate.authorities] })
  await new Promise((resolve) => socket.once('secureConnect', resolve))
  const answer = new Promise<string>((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      text += part
    })
    socket.once('error', reject).once('close', () => resolve(text))
  })
  const headers = 'host: a\r\ncontent-type: application/json\r\ncontent-length: 2'
  setTimeout(() => {
    socket.write(`POST /validate/caches HTTP/1.1\r\n${headers}\r\n\r\n{}`)
    // The drain of the server begins later and takes as long: it ends before Node reads again.
    for (const end = performance.now() + 20; performance.now() < end; );
  }, 50)
  await server.close()
  t.match(await answer, /^HTTP\/1\.1 200 [\s\S]*\{"answered":true\}/)
})

void t.test('a server closes although a client has not made its handshake yet', async (t) => {
  const { server } = await serve(t, () => ({}))
  server.use(certificate)
  const { port } = server
  const socket = await openConnection(port)
  await call(port)
  const closed = server.close()
  while (await isOpen(port)) await wait(1)
  await t.rejects(makeHandshake(socket))
  await closed
})

void t.test(
  'connections that send nothing make room for others, one that is answered does not',
  async (t) => {
    let answer = () => {}
    const { server } = await serve(t, () => new Promise((resolve) => (answer = () => resolve({}))), 20)
    server.use(certificate)
    const slow = call(server.port)
    await wait(100)
    const first = answer
    const silent = await Promise.all(Array.from({ length: 110 }, () => openConnection(server.port)))
    const again = call(server.port)
    while (answer === first) await wait(5)
    answer()
    t.equal((await again).status, 200)
    first()
    t.equal((await slow).status, 200)
    for (const socket of silent) socket.destroy()
  },
)

/** A connection that sends most of a large body, and then waits. */
async function sendSlowly(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  const size = 7_000_000
  socket.write(
    `POST /validate/caches HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${size}\r\n\r\n`,
  )
  socket.write('"'.padEnd(size - 1, 'x'))
  return socket
}

void t.test('ten slow connections keep no valid review out', async (t) => {
  const { server } = await serve(t, () => ({}))
  server.use(certificate)
  const sockets = await Promise.all(Array.from({ length: 10 }, () => sendSlowly(server.port)))
  await wait(1_500)
  const body = `{"a":"${'x'.repeat(3_000_000)}"}`
  for (let at = 0; at < 10; at++) t.equal((await call(server.port, { body })).status, 200)
  for (const socket of sockets) socket.destroy()
})

void t.test('a review of many values is refused before it is parsed', async (t) => {
  let calls = 0
  const { server } = await serve(t, () => ({ calls: ++calls }))
  server.use(certificate)
  const keys = Array.from({ length: 400_000 }, (_, at) => `"k${at}":1`).join(',')
  const before = process.cpuUsage()
  const { status, text } = await call(server.port, { body: `{${keys}}` })
  const { user } = process.cpuUsage(before)
  t.same([status, calls], [413, 0])
  t.match(text, /the review has more than 201000 values; store less in one object/)
  t.ok(user < 1_500_000, `${user / 1_000} ms`)
})

void t.test('a conversion takes lists of many values and of more than 7 MiB', async (t) => {
  const { server } = await serve(t, (review) => (review as { objects: unknown[] }).objects.length)
  server.use(certificate)
  const object = { spec: { text: 'x'.repeat(10_000), list: Array.from({ length: 400 }, (_, at) => at) } }
  const body = JSON.stringify({ objects: Array.from({ length: 1_000 }, () => object) })
  t.ok(body.length > 8 * 1024 * 1024)
  t.same(await call(server.port, { path: '/convert/caches', body }), { status: 200, text: '1000' })
  const refused = await call(server.port, { body }).catch(({ code }) => ({ status: code }))
  t.match(String(refused.status), /^(413|ECONNRESET|EPIPE)$/)
  t.equal((await call(server.port)).status, 500, 'it goes on: this body has no objects')
})

void t.test('the limits of a conversion fit the memory of the program', async (t) => {
  const mebibyte = 2 ** 20
  const limitsOf = (heap: number) => conversionLimitsFor(heap * mebibyte)
  t.match(limitsOf(64), { bytes: 7 * mebibyte, values: 167_772 })
  t.match(limitsOf(300), { bytes: 25 * mebibyte, values: 786_432 })
  t.match(limitsOf(4096), { bytes: 32 * mebibyte, values: 2_000_000 })
})

void t.test('the values of all reviews that are answered at a time are limited', async (t) => {
  const held: (() => void)[] = []
  const { server } = await serve(t, async () => {
    await new Promise<void>((resolve) => held.push(resolve))
    return {}
  })
  server.use(certificate)
  const body = `[${'{},'.repeat(conversionLimits.values - 2)}{}]`
  const first = call(server.port, { path: '/convert/caches', body })
  while (held.length < 1) await wait(5)
  const second = call(server.port, { path: '/convert/caches', body })
  const small = call(server.port)
  while (held.length < 2) await wait(5)
  held[1]?.()
  t.equal((await small).status, 200, 'a small one does not wait')
  t.equal(held.length, 2, 'a large one waits')
  held[0]?.()
  t.equal((await first).status, 200)
  while (held.length < 3) await wait(5)
  held[2]?.()
  t.equal((await second).status, 200)
})

void t.test('commas and brackets in texts do not count as values', async (t) => {
  const { server } = await serve(t, () => 'read')
  server.use(certificate)
  const body = JSON.stringify({ text: ',[{\\"'.repeat(100_000), next: '\\' })
  t.equal((await call(server.port, { body })).status, 200)
  const values = JSON.stringify({ text: '\\', list: Array.from({ length: 202_000 }, () => 1) })
  t.equal((await call(server.port, { body: values })).status, 413)
  const empty = JSON.stringify(Array.from({ length: 150_000 }, () => ({})))
  t.equal((await call(server.port, { body: empty })).status, 200, 'an empty object is one value')
})

void t.test('two servers cannot have one port', async (t) => {
  const { server } = await serve(t, () => ({}))
  const options = {
    host: '127.0.0.1',
    port: server.port,
    cure: 'take another',
    handlers: new Map(),
    logger: silentLogger,
    clock: systemClock,
  }
  await t.rejects(new WebhookServer(options).listen(), {
    code: 'CANNOT_LISTEN',
    message:
      /^cannot listen on port \d+ for webhooks: another program listens there \(EADDRINUSE\); take another$/,
  })
})

void t.test(
  'a certificate is renewed after two thirds of its life, and its authority expires with it',
  async (t) => {
    const now = new Date('2030-01-01T00:00:00Z')
    const made = issue(now)
    t.ok(isUsable(made, names, now))
    t.ok(Math.abs(renewalTime(made.certificate) - (now.getTime() + 60 * day)) < 3_600_000)
    t.notOk(isUsable(made, { dnsNames: ['a.b.svc'], addresses: [] }, now))
    t.notOk(isUsable(made, names, new Date(now.getTime() + 91 * day)))
    t.notOk(isUsable({ ...made, key: certificate.key }, names, now))
    t.notOk(isUsable({ certificate: 'x', key: 'y' }, names, now))
    t.same(withoutExpired(made.authorities, new Date(now.getTime() + 89 * day)), made.authorities)
    t.same(withoutExpired(made.authorities, new Date(now.getTime() + 91 * day)), [])
  },
)

void t.test('a Secret holds a certificate with all its authorities; a broken one holds none', async (t) => {
  const both = { ...certificate, authorities: [...issue().authorities, ...certificate.authorities] }
  const secret = certificateSecret({ namespace: 'a', name: 'b' }, both)
  t.same(certificateOf(secret), both)
  for (const part of ['tls.crt', 'tls.key', 'ca.crt'])
    t.equal(certificateOf({ ...secret, data: { ...secret.data, [part]: '' } }), undefined)
  t.equal(
    certificateOf({ ...secret, data: { ...secret.data, 'ca.crt': secret.data?.['tls.crt'] ?? '' } }),
    undefined,
  )
  t.equal(certificateOf(undefined), undefined)
})

void t.test('files are read again when they change, and a half-written pair is not served', async (t) => {
  const folder = t.testdir()
  const later: (() => void)[] = []
  const clock = {
    ...systemClock,
    schedule: (_: number, callback: () => void) => {
      later.push(callback)
      return () => {}
    },
  }
  const served: string[] = []
  const stop = new AbortController()
  const use = (pair: { certificate: string; key: string }) => {
    if (!isUsable(pair, names, new Date())) throw new Error('mismatch')
    served.push(pair.certificate)
  }
  const followed = followCertificateFiles({ folder, use, logger: silentLogger, clock, signal: stop.signal })
  const next = async () => {
    while (later.length === 0) await wait(1)
    later.shift()?.()
    while (later.length === 0) await wait(1)
  }
  const other = issue()
  await next()
  t.same(served, [])
  writeFileSync(join(folder, 'tls.crt'), certificate.certificate)
  writeFileSync(join(folder, 'tls.key'), certificate.key)
  await next()
  writeFileSync(join(folder, 'tls.crt'), other.certificate)
  await next()
  t.same(served, [certificate.certificate])
  writeFileSync(join(folder, 'tls.key'), other.key)
  await next()
  t.same(served, [certificate.certificate, other.certificate])
  stop.abort()
  await followed
})
