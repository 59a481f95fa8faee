import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { freePort } from '../../../../simulator/free-ports.js'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import type { Caller } from '../../../engine/kube/caller.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import { noMetrics } from '../../../engine/observe/metrics.js'
import { systemClock } from '../../../engine/time/clock.js'
import { createTransport } from '../../../engine/transport/create-transport.js'
import { type InterceptContext, Interceptor } from '../../hook/interceptor.js'
import { Interceptors } from '../../hook/interceptors.js'
import { watchParent } from './parent.js'
import { serveInterceptors } from './serve-interceptors.js'

type Handle = (request: Request, ctx: InterceptContext) => Response | Promise<Response>

class Answering extends Interceptor {
  readonly #answer: Handle

  constructor(name: string, answer: Handle) {
    super(name, [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }])
    this.#answer = answer
  }

  override handle(request: Request, ctx: InterceptContext) {
    return this.#answer(request, ctx)
  }
}

const passAs =
  (as: Caller): Handle =>
  (request, ctx) =>
    ctx.forward(request, { as })
const pass = passAs({ user: 'ann' })

/** An API server that answers as a test says. */
async function apiServer(t: Test, answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** Interceptors behind a port, as vcluster sees them. */
async function served(t: Test, handlers: Record<string, Handle>, url = 'http://127.0.0.1:1') {
  const user = { impersonate: { user: 'of-the-kubeconfig', groups: ['c'], extra: {} } }
  const virtual = createTransport({ kubeconfig: { source: 'a test', server: url, user } })
  const observed = { logger: silentLogger, metrics: noMetrics, clock: systemClock }
  const all = Object.entries(handlers).map(([name, answer]) => new Answering(name, answer))
  const interceptors = new Interceptors({ interceptors: all, virtual, ...observed })
  const port = await freePort()
  const server = await serveInterceptors({ port, interceptors, logger: silentLogger })
  t.teardown(() => Promise.all([server.close(), virtual.close()]))
  return { port, server, interceptors }
}

type Headers = Record<string, string | string[]>
const nameHeader = 'Vcluster-Plugin-Handler-Name'

/** Sends a request as vcluster's proxy does and resolves with the head of its answer. */
async function ask(port: number, path = '/', { method = 'GET', headers = {} as Headers, body = '' } = {}) {
  const sent = httpRequest({
    port,
    host: '127.0.0.1',
    path,
    method,
    headers: { [nameHeader]: 'mine', ...headers },
  })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { sent, answer, status: answer.statusCode, body: () => text(answer) }
}

void t.test('the interceptor that vcluster has named last answers', async (t) => {
  const says = (word: string) => (request: Request) => Response.json([word, request.headers.get(nameHeader)])
  const { port } = await served(t, { mine: says('mine'), spoofed: says('spoofed') })
  const { body } = await ask(port, '/', { headers: { [nameHeader]: ['spoofed', 'mine'] } })
  t.strictSame(JSON.parse(await body()), ['mine', null], 'and does not see the header')
  t.equal((await ask(port, '/', { headers: { [nameHeader]: ['mine', 'none'] } })).status, 404)
})

void t.test('a request arrives as it was sent, and an answer as it was given', async (t) => {
  const echo: Handle = async (request) => {
    const { pathname, search, host } = new URL(request.url)
    const seen = { method: request.method, target: pathname + search, host, body: await request.text() }
    const headers = { 'x-seen': JSON.stringify(seen), 'set-cookie': 'a=b', connection: 'close' }
    return new Response(request.headers.get('x-many'), { status: 201, headers })
  }
  const { port } = await served(t, { mine: echo })
  const headers = { host: 'api.example.com', 'x-many': ['a', 'b'] }
  const sent = await ask(port, '/a%2Fb//c?d=%20e', { method: 'POST', headers, body: 'body' })
  t.match(sent, { status: 201 })
  t.strictSame(JSON.parse(String(sent.answer.headers['x-seen'])), {
    method: 'POST',
    target: '/a%2Fb//c?d=%20e',
    host: 'api.example.com',
    body: 'body',
  })
  t.strictSame(sent.answer.headers['set-cookie'], ['a=b'])
  t.equal(await sent.body(), 'a, b')
})

void t.test('a path that would be another one to the interceptor is refused', async (t) => {
  const { port } = await served(t, { mine: () => new Response('reached') })
  for (const path of ['/api/v1/pods/../secrets', '/a/%2e%2e/b', '/a\\b', '/.', 'http://x/y'])
    t.equal((await ask(port, path)).status, 400, path)
  t.equal((await ask(port, '/', { method: 'TRACE' })).status, 400)
  t.equal((await ask(port, '/', { headers: { host: 'a b' } })).status, 400)
})

void t.test('a watch is passed on event by event, and ends when its client does', async (t) => {
  let left = () => {}
  const gone = new Promise<void>((resolve) => {
    left = resolve
  })
  const seen: IncomingMessage[] = []
  let happen = (_event: string) => {}
  const { url } = await apiServer(t, (request, response) => {
    seen.push(request)
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders()
    response.once('close', left)
    happen = (event) => response.write(event)
  })
  const { port } = await served(t, { mine: passAs({ user: 'ann', groups: ['a', 'b'] }) }, url)
  const watch = await ask(port, '/api/v1/pods?watch=true', { headers: { authorization: 'Bearer x' } })
  happen('one\n')
  t.equal(String((await once(watch.answer, 'data'))[0]), 'one\n', 'while the answer goes on')
  watch.sent.destroy()
  await gone
  t.match(seen[0]?.headersDistinct, {
    'impersonate-user': ['ann'],
    'impersonate-group': ['a', 'b'],
    'accept-encoding': undefined,
    authorization: undefined,
  })
})

void t.test('the signal of a request aborts when its caller leaves', async (t) => {
  let heard = (_reason: unknown) => {}
  const reason = new Promise<unknown>((resolve) => {
    heard = resolve
  })
  let reached = () => {}
  const asked = new Promise<void>((resolve) => {
    reached = resolve
  })
  const wait: Handle = ({ signal }) => {
    reached()
    return new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        heard(signal.reason)
        reject(signal.reason)
      }),
    )
  }
  const { port } = await served(t, { mine: wait })
  const sent = httpRequest({ port, host: '127.0.0.1', headers: { [nameHeader]: 'mine' } }).end()
  sent.on('error', () => {})
  await asked
  sent.destroy()
  t.match(await reason, { message: 'the caller has gone' })
})

/** Asks for another protocol and resolves with the head of the answer and what is left to talk over. */
async function askUpgrade(t: Test, port: number, method = 'POST') {
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  const head = [
    `${method} /api/v1/namespaces/default/pods/a/exec?command=ls HTTP/1.1`,
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: SPDY/3.1',
    `${nameHeader}: mine`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  return { socket, until: (text: string) => until(socket, text) }
}

async function until(socket: Socket, wanted: string): Promise<string> {
  let all = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    all += chunk
    if (all.includes(wanted)) return all
  }
  throw new Error(`the connection ended after: ${all}`)
}

void t.test('an upgrade is passed on, and bytes go both ways until one end is gone', async (t) => {
  const { server, url } = await apiServer(t, () => t.fail('an upgrade must not arrive as a plain request'))
  let far: Duplex | undefined
  server.on('upgrade', (request, socket) => {
    far = socket
    t.match(request, { method: 'POST', url: '/api/v1/namespaces/default/pods/a/exec?command=ls' })
    t.match(request.headers, { upgrade: 'SPDY/3.1', 'impersonate-user': 'ann' })
    t.notOk(request.headers['impersonate-group'], 'and is in no group of the kubeconfig')
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-A: b\r\n\r\nearly',
    )
    socket.on('data', (data: Buffer) => socket.write(`echo ${data}`))
  })
  const { port } = await served(t, { mine: pass }, url)
  const { socket, until } = await askUpgrade(t, port)
  t.match(await until('early'), /^HTTP\/1\.1 101 .*\r\nupgrade: SPDY\/3\.1\r\n/s)
  socket.write('hello')
  t.equal(await until('hello'), 'echo hello')
  far?.destroy()
  await once(socket, 'close')
})

void t.test('an upgrade may be refused by the API server, or answered by the interceptor', async (t) => {
  const { url } = await apiServer(t, (_, response) => response.writeHead(403).end('no'))
  const passing = await served(t, { mine: pass }, url)
  const refused = await askUpgrade(t, passing.port, 'GET')
  t.match(await refused.until('no'), /^HTTP\/1\.1 403 /)
  const answering = await served(t, { mine: () => new Response('not here', { status: 400 }) })
  const answered = await askUpgrade(t, answering.port)
  t.match(await answered.until('not here'), /^HTTP\/1\.1 400 /)
  await once(answered.socket, 'close')
})

void t.test('closing ends what is under way, on both sides', async (t) => {
  const { server, url } = await apiServer(t, () => {})
  const far = new Promise<Duplex>((resolve) => {
    server.on('upgrade', (_, socket) => {
      socket.write('HTTP/1.1 101 OK\r\nUpgrade: a\r\nConnection: Upgrade\r\n\r\n')
      socket.resume().once('end', () => socket.end())
      resolve(socket)
    })
  })
  const forever = () => new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('a')) }))
  const answer: Handle = (request, ctx) => (request.method === 'GET' ? forever() : pass(request, ctx))
  const { port, server: interceptors } = await served(t, { mine: answer }, url)
  const tunnel = await askUpgrade(t, port)
  await tunnel.until('101')
  const { answer: endless } = await ask(port)
  endless.on('error', () => {})
  const all = [tunnel.socket, endless, await far]
  const ends = all.map((end) => new Promise((resolve) => end.once('close', resolve)))
  await interceptors.close()
  await Promise.all(ends)
})

void t.test('a port that is taken is named', async (t) => {
  const { port, interceptors } = await served(t, {})
  const second = serveInterceptors({ port, interceptors, logger: silentLogger })
  await t.rejects(second, {
    code: 'CANNOT_LISTEN',
    message: new RegExp(`127\\.0\\.0\\.1:${port}, the port that vcluster`),
  })
})

void t.test('a process that got another parent knows that its own has ended', async (t) => {
  const clock = new VirtualClock()
  let parent = 100
  const reasons: string[] = []
  const watch = () => watchParent({ parentId: () => parent, clock, onGone: (reason) => reasons.push(reason) })
  watch()
  await clock.advance(1000)
  t.strictSame(reasons, [])
  parent = 1
  await clock.advance(200)
  t.strictSame(reasons, ['the vcluster process has ended'])
  t.equal(clock.pending, 0)
  watch()()
  t.equal(clock.pending, 0, 'a watch that was left looks no more')
})
