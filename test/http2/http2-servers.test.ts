// Tries the SDK's HTTP/2 client with the servers of others: Node's, Go's, nghttp2's and a real kube-apiserver.
import { once } from 'node:events'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { Cancellation } from '../../sdk/engine/time/cancellation.js'
import { systemClock } from '../../sdk/engine/time/clock.js'
import type { Http2Call } from '../../sdk/engine/transport/http2/call.js'
import { ReadBuffer } from '../../sdk/engine/transport/http2/read-buffer.js'
import { Http2Session } from '../../sdk/engine/transport/http2/session.js'
import { loadKubeconfig } from '../../sdk/engine/transport/load-kubeconfig.js'
import { createAuthority } from '../../sdk/engine/transport/local-server.fixture.js'
import { missingAssets, startRealCluster } from '../real/real-cluster.js'
import {
  findNghttpd,
  missingGo,
  type RunningServer,
  startGoServer,
  startNghttpd,
  startNodeServer,
} from './servers.js'

const authority = await createAuthority()
const pair = await authority.issue('api.test')
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString()

interface Identity {
  ca: string | Buffer
  cert?: string | Buffer
  key?: string | Buffer
}

/** A session with a server on a port of this machine; it ends with the test. */
async function connected(
  test: Test,
  port: number,
  identity: Identity = { ca: authority.ca },
): Promise<Http2Session> {
  const readBuffer = new ReadBuffer()
  const options = { host: '127.0.0.1', port, ...identity, ALPNProtocols: ['h2'], onread: readBuffer }
  const socket = connectTls(options)
  await once(socket, 'secureConnect')
  test.equal(socket.alpnProtocol, 'h2')
  const session = await Http2Session.open({
    socket,
    readBuffer,
    clock: systemClock,
    authority: `127.0.0.1:${port}`,
    signal: new Cancellation(),
  })
  test.teardown(() => session.destroy(new Error('the test is over')))
  return session
}

function call(path: string, changes: Partial<Http2Call> = {}): Http2Call {
  return { method: 'GET', path, headers: {}, signal: new Cancellation(), ...changes }
}

/** Reads a watch until it has had so many parts, and says how it ended. */
function reading(session: Http2Session, path: string, parts: number): Promise<unknown> {
  let seen = 0
  return new Promise((resolve) => {
    const watch = session.watch(call(path), {
      onHeaders: () => {},
      onData: (part) => {
        watch.take(part.length)
        seen += 1
        if (seen === parts) watch.cancel(`cancelled after ${parts}`)
      },
      onEnded: () => resolve('ended'),
      onFailed: resolve,
    })
  })
}

/** The cases that every server must pass whose paths are those of the servers here. */
async function tryServer(t: Test, { port }: RunningServer): Promise<void> {
  await t.test(
    'many calls at once, more than the server allows streams, each with its own answer',
    async (t) => {
      const session = await connected(t, port)
      const headers = { authorization: 'Bearer s3cret', 'x-ü': 'no' }
      t.match(await session.request(call('/echo', { headers })).catch((error: unknown) => error), {
        sent: false,
      })
      const answers = await Promise.all(
        Array.from({ length: 1000 }, (_, at) => {
          const headers = { authorization: 'Bearer s3cret', 'x-at': String(at % 70), 'x-latin': 'caf\u00e9' }
          return session.request(
            call(`/echo?${at}`, { method: 'PUT', headers, body: `${at} ${'ü'.repeat(at)}` }),
          )
        }),
      )
      const different = answers.filter(({ body }, at) => textOf(body) !== `${at} ${'ü'.repeat(at)}`)
      t.equal(different.length, 0)
      t.match(answers[77]?.headers, {
        'x-method': 'PUT',
        'x-protocol': 'HTTP/2.0',
        'echo-x-at': '7',
        'echo-authorization': 'Bearer s3cret',
      })
      t.equal(session.size, 0)
    },
  )
  await t.test('every octet of a header value comes back, by whatever code', async (t) => {
    const session = await connected(t, port)
    const octets = Array.from({ length: 256 - 32 }, (_, at) => String.fromCharCode(at + 32)).filter(
      (each) => each !== '\u007f',
    )
    const headers = Object.fromEntries(octets.map((octet, at) => [`x-o${at}`, `a${octet.repeat(3)}b`]))
    const answer = await session.request(call('/echo', { headers }))
    const wrong = octets.filter(
      (octet, at) => !sameText(answer.headers[`echo-x-o${at}`], `a${octet.repeat(3)}b`),
    )
    t.same(wrong, [])
  })
  await t.test('large bodies in both directions, while small calls go on', async (t) => {
    const session = await connected(t, port)
    const body = Buffer.alloc(20_000_000, 'x')
    const echo = session.request(call('/echo', { method: 'POST', body }))
    const large = session.request(call('/large?bytes=30000000'))
    const small = await Promise.all(
      Array.from({ length: 50 }, () => session.request(call('/echo', { method: 'POST', body: 's' }))),
    )
    t.equal(small.filter(({ status, body }) => status === 200 && textOf(body) === 's').length, 50)
    t.equal((await large).body.length, 30_000_000)
    t.ok(body.equals((await echo).body))
    t.match(
      await session.request(call('/large?bytes=1000', { maxBytes: 999 })).catch((error: unknown) => error),
      { code: 'ANSWER_TOO_LARGE' },
    )
  })
  await t.test('watches, trailers, resets and the end of a connection', async (t) => {
    const session = await connected(t, port)
    const ends = await Promise.all(Array.from({ length: 20 }, () => reading(session, '/stream', 5)))
    t.same(new Set(ends), new Set(['cancelled after 5']))
    const { status, body, headers } = await session.request(call('/trailers'))
    t.same([status, textOf(body), headers['x-sum']], [200, 'body', undefined])
    t.match(await reading(session, '/abort', 99), { code: 'ERR_HTTP2_STREAM_ERROR', sent: true })
    t.match(await session.request(call('/abort')).catch((error: unknown) => error), {
      message: /GET \/abort at .*reset/,
    })
    const signal = new Cancellation()
    const aborted = session.request(call('/stream', { signal })).catch((error: unknown) => error)
    setTimeout(() => signal.abort('enough'), 50)
    t.equal(await aborted, 'enough')
    const slow = session.request(call('/echo', { method: 'PUT', body: 'x' }))
    session.probe()
    t.equal((await slow).status, 200)
    t.equal(textOf((await session.request(call('/close'))).body), 'closing')
    await session.closed
    t.notOk(session.isOpen)
  })
  await t.test('a reader that takes nothing stops its stream alone', async (t) => {
    const session = await connected(t, port)
    let bytes = 0
    const watch = session.watch(call('/large?bytes=5000000'), {
      onHeaders: () => {},
      onData: (part) => {
        bytes += part.length
      },
      onEnded: () => t.fail('it ended'),
      onFailed: () => {},
    })
    for (let at = 0; at < 30; at++)
      t.equal((await session.request(call('/large?bytes=100000'))).body.length, 100_000)
    t.equal(bytes, 1024 * 1024)
    watch.cancel('enough')
  })
}

/** Header values travel as octets; some servers read them as UTF-8 and some as Latin-1. */
function sameText(found: string | undefined, sent: string): boolean {
  return found === sent || Buffer.from(found ?? '', 'latin1').toString('utf8') === sent
}

void t.test("Node's server", async (t) => {
  const server = await startNodeServer(pair)
  t.teardown(() => server.stop())
  await tryServer(t, server)
})

void t.test("Go's server", { skip: missingGo, timeout: 180_000 }, async (t) => {
  const dir = t.testdir({ ...pair })
  const server = await startGoServer({ cert: `${dir}/cert`, key: `${dir}/key` })
  t.teardown(() => server.stop())
  await tryServer(t, server)
})

const nghttpd = findNghttpd()

void t.test("nghttp2's server", { skip: nghttpd.missing }, async (t) => {
  const dir = t.testdir({ ...pair, htdocs: { 'large.json': 'y'.repeat(300_000), small: 'z' } })
  const variants = [
    [],
    ['--padding=100', '--trailer', 'x-sum: 42', '--no-content-length'],
    ['--window-bits=10', '--connection-window-bits=16', '--max-concurrent-streams=3'],
    ['--header-table-size=0', '--encoder-header-table-size=0'],
    ['--header-table-size=100', '--encoder-header-table-size=200', '--early-response'],
  ]
  for (const args of variants) {
    const server = await startNghttpd(nghttpd.program, ['-d', `${dir}/htdocs`, ...args], {
      cert: `${dir}/cert`,
      key: `${dir}/key`,
    })
    const session = await connected(t, server.port)
    const bodies = Array.from({ length: 200 }, (_, at) => `${at} `.repeat(at * 10))
    const early = args.includes('--early-response')
    const echoes = await Promise.all(
      bodies.map((body, at) =>
        session.request(call('/upload', { method: 'POST', body, headers: { 'x-at': String(at) } })),
      ),
    )
    t.equal(
      echoes.filter(({ body }, at) => textOf(body) !== bodies[at]).length,
      0,
      `echoes with ${args.join(' ')}`,
    )
    const files = await Promise.all(
      Array.from({ length: 50 }, (_, at) => session.request(call(at % 2 ? '/small' : '/large.json'))),
    )
    t.same(new Set(files.map(({ body }) => body.length)), new Set([300_000, 1]))
    t.equal((await session.request(call('/missing'))).status, 404)
    t.equal(session.size, 0, early ? 'also where answers come early' : 'nothing is left')
    await session.drain()
    await server.stop()
  }
})

void t.test('a real kube-apiserver', { skip: missingAssets(), timeout: 600_000 }, async (t) => {
  // Of 50 requests one makes the server end its connection, as is recommended for clusters with several API
  // servers.
  const cluster = await startRealCluster({ apiserverArgs: ['--goaway-chance=0.02'] })
  t.teardown(() => cluster.stop())
  const { caData = '', user } = await loadKubeconfig({ text: cluster.kubeconfig })
  const decoded = (text = '') => Buffer.from(text, 'base64')
  const identity = { ca: decoded(caData), cert: decoded(user.certData), key: decoded(user.keyData) }
  const port = Number(new URL(cluster.url).port)
  const path = '/api/v1/namespaces/default/configmaps'
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  let session = await connected(t, port, identity)
  let sessions = 1
  const made = new Set<number>()
  const make = async (at: number) => {
    const body = JSON.stringify({ metadata: { name: `cm-${at}` }, data: { payload: 'x'.repeat(at) } })
    const answer = await session
      .request(call(path, { method: 'POST', headers, body }))
      .catch((error: unknown) => error)
    if (!(answer instanceof Error)) return made.add(at)
    t.match(answer, { sent: false }, 'a request that the server did not begin')
    return undefined
  }
  while (made.size < 2000) {
    if (!session.isOpen) {
      session = await connected(t, port, identity)
      sessions += 1
    }
    const missing = Array.from({ length: 2000 }, (_, at) => at).filter((at) => !made.has(at))
    await Promise.all(missing.slice(0, 100).map(make))
  }
  t.ok(sessions > 2, `${sessions} connections`)
  if (!session.isOpen) session = await connected(t, port, identity)
  const list = await session.request(call(path, { headers }))
  const { items } = JSON.parse(textOf(list.body)) as { items: { metadata: { name: string } }[] }
  t.equal(items.filter(({ metadata }) => metadata.name.startsWith('cm-')).length, 2000, 'each is there once')
})
