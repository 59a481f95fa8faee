// Tests the rules by which the embedded API server injects faults, and the effect on clients.
import type { ClientRequest } from 'node:http'
import { type ClientHttp2Stream, connect } from 'node:http2'
import { request as httpsRequest } from 'node:https'
import t, { type Test } from 'tap'
import type { ApiServer } from '../../apiserver/api-server.js'
import type { FaultAction } from '../../apiserver/faults/fault-action.js'
import type { FaultRule } from '../../apiserver/faults/faults.js'
import { parseJson } from '../../sdk/engine/kube/json.js'
import type { KubeObject } from '../../sdk/engine/kube/object.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { configMapsPath, makeChanges, startServer, turn, until, write } from './faulty-server.js'

void t.test('the options of a rule select among the matching requests', async (t) => {
  const server = await startServer(t)
  const get = async (path = '/api/v1/namespaces') => (await server.handle({ method: 'GET', path })).status
  const several = async (count: number) => {
    const statuses: number[] = []
    for (let at = 0; at < count; at++) statuses.push(await get())
    return statuses
  }
  const refuse: FaultAction = { type: 'status', code: 503 }
  await t.test('the third and fourth', async (t) => {
    const rule = server.faults.add({ verb: 'list' }, refuse, { skip: 2, times: 2 })
    t.strictSame(await several(6), [200, 200, 503, 503, 200, 200])
    t.match(rule, { hits: 2, matches: 6 })
    rule.remove()
  })
  await t.test('a share of them, the same for the same seed', async (t) => {
    const sample = async (seed: number) => {
      const rule = server.faults.add({ resource: /^name/ }, refuse, { probability: 0.5, seed })
      const statuses = await several(40)
      rule.remove()
      return statuses.join()
    }
    const first = await sample(1)
    t.match(first, '200')
    t.match(first, '503')
    t.equal(await sample(1), first)
    t.not(await sample(2), first)
  })
  await t.test('those of a name, a user or anything else about them', async (t) => {
    server.faults.add(
      { name: 'default', user: 'admin', where: ({ headers }) => headers.via === undefined },
      refuse,
    )
    t.equal(await get('/api/v1/namespaces/default'), 503)
    t.equal(await get('/api/v1/namespaces/kube-system'), 200)
    server.faults.clear()
    t.strictSame(server.faults.rules, [])
    t.equal(await get('/api/v1/namespaces/default'), 200)
  })
})

void t.test('an injected status has the headers and details of an API server', async (t) => {
  const server = await startServer(t)
  server.faults.add({}, { type: 'status', code: 429, retryAfterSeconds: 3 })
  const { status, headers, body } = await server.handle({ method: 'GET', path: '/api' })
  t.match({ status, headers }, { status: 429, headers: { 'retry-after': '3' } })
  t.match(parseJson(body as Uint8Array), { reason: 'TooManyRequests', details: { retryAfterSeconds: 3 } })
})

void t.test('a delayed request waits for the clock', async (t) => {
  const clock = new VirtualClock()
  const server = await startServer(t, { clock })
  server.faults.add({}, { type: 'delay', delayMs: 1000 })
  let status = 0
  const answer = server.handle({ method: 'GET', path: '/api' }).then((done) => {
    status = done.status
  })
  await clock.advance(999)
  t.equal(status, 0)
  await clock.advance(1)
  await answer
  t.equal(status, 200)
})

/** The types and names of the events that a watch in process receives. */
async function openWatch(t: Test, server: ApiServer): Promise<string[]> {
  const ended = new AbortController()
  const path = `${configMapsPath}?watch=1&fieldSelector=metadata.name!=kube-root-ca.crt`
  const { body } = await server.handle({ method: 'GET', path, signal: ended.signal })
  const events: string[] = []
  const reading = (async () => {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      for (const line of Buffer.from(chunk).toString().trimEnd().split('\n')) {
        const { type, object } = parseJson(line) as { type: string; object: KubeObject }
        events.push(`${type} ${object.metadata.name}`)
      }
    }
  })()
  t.teardown(async () => {
    ended.abort()
    await reading
  })
  return events
}

void t.test('watch faults change the bytes of the stream', async (t) => {
  const server = await startServer(t)
  const bytesOf = async (action: FaultAction) => {
    const rule = server.faults.add({ verb: 'watch' }, action)
    const path = '/api/v1/namespaces?watch=1&timeoutSeconds=1&fieldSelector=metadata.name=default'
    const { body } = await server.handle({ method: 'GET', path })
    rule.remove()
    let text = ''
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString()
    } catch (error) {
      text += (error as NodeJS.ErrnoException).code
    }
    return text
  }
  const whole = await bytesOf({ type: 'delayEvents', delayMs: 0 })
  t.match(whole, /^\{"type":"ADDED".*\}\n$/)
  t.equal(await bytesOf({ type: 'duplicateEvents' }), whole + whole)
  t.equal(await bytesOf({ type: 'resetWatch' }), `${whole.slice(0, whole.length >> 1)}ECONNRESET`)
})

/** The error code with which a client's request ends, or `closed`. */
function outcomeOf(request: ClientRequest | ClientHttp2Stream): Promise<string | undefined> {
  return new Promise((resolve) => {
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    request.once('close', () => resolve('closed'))
    request.end()
  })
}

void t.test('a broken connection is a broken socket', async (t) => {
  const server = await startServer(t)
  const url = await server.listen()
  const rule = server.faults.add({ path: '/version' }, { type: 'reset', when: 'after' })
  const insecure = { rejectUnauthorized: false, agent: false } as const
  t.equal(await outcomeOf(httpsRequest(`${url}/version`, insecure)), 'ECONNRESET')
  const session = connect(url, insecure)
  t.teardown(() => session.close())
  t.equal(await outcomeOf(session.request({ ':path': '/version' })), 'ERR_HTTP2_STREAM_ERROR')
  t.equal(session.destroyed, false, 'the rest of the HTTP/2 connection lives on')
  rule.remove()
  server.faults.add({ path: '/version' }, { type: 'reset', when: 'before', wholeConnection: true })
  const broken = new Promise((resolve) => session.once('close', resolve))
  session.on('error', () => undefined)
  t.equal(await outcomeOf(session.request({ ':path': '/version' })), 'ECONNRESET')
  await broken
})

void t.test('a coalescing watch sends the result of several events', async (t) => {
  const clock = new VirtualClock()
  const server = await startServer(t, { clock })
  await write(server, 'POST', 'again', '1')
  const rule: FaultRule = server.faults.add({ verb: 'watch' }, { type: 'coalesceEvents', windowMs: 100 })
  const events = await openWatch(t, server)
  await clock.advance(100)
  t.strictSame(events.splice(0), ['ADDED again'])
  await makeChanges(server)
  await write(server, 'DELETE', 'again')
  await write(server, 'POST', 'again', '2')
  await clock.advance(99)
  t.strictSame(events, [])
  await clock.advance(1)
  t.strictSame(events.splice(0), ['ADDED a', 'ADDED c', 'MODIFIED again'])
  rule.remove()
})

void t.test('a delayed watch sends the events of each delay together', async (t) => {
  const clock = new VirtualClock()
  const server = await startServer(t, { clock })
  const rule = server.faults.add({ verb: 'watch' }, { type: 'delayEvents', delayMs: 100 })
  const events = await openWatch(t, server)
  await write(server, 'POST', 'a')
  await clock.advance(99)
  t.strictSame(events, [])
  await write(server, 'POST', 'b')
  await clock.advance(1)
  t.strictSame(events.splice(0), ['ADDED a'])
  await clock.advance(100)
  t.strictSame(events.splice(0), ['ADDED b'])
  t.match(rule, { matches: 1, hits: 1 })
  rule.remove()
})

void t.test('a cut watch breaks after its time, and continues if the rule is removed before', async (t) => {
  const clock = new VirtualClock()
  const server = await startServer(t, { clock })
  const path = '/api/v1/namespaces?watch=1&fieldSelector=metadata.name=default'
  const linesOf = async () => {
    const { body } = await server.handle({ method: 'GET', path })
    return (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
  }
  const rule = server.faults.add({ verb: 'watch' }, { type: 'cutWatch', afterMs: 1000 })
  const [lines, others] = [await linesOf(), await linesOf()]
  await lines.next()
  const broken = t.rejects(lines.next(), { code: 'ECONNRESET', wholeConnection: false })
  await clock.advance(1000)
  await broken
  await others.return?.()
  const living = await linesOf()
  await living.next()
  rule.remove()
  const next = living.next()
  await clock.advance(1000)
  const changed = { metadata: { labels: { changed: 'yes' } } }
  const headers = { 'content-type': 'application/merge-patch+json' }
  const patch = { method: 'PATCH', path: '/api/v1/namespaces/default', headers }
  await server.handle({ ...patch, body: Buffer.from(JSON.stringify(changed)) })
  t.match(Buffer.from((await next).value).toString(), '"MODIFIED"')
  await living.return?.()
})

void t.test('a stalled watch continues when the rule is removed', async (t) => {
  const server = await startServer(t)
  const rule = server.faults.add({ verb: 'watch' }, { type: 'stallWatch', afterEvents: 1 })
  const events = await openWatch(t, server)
  await makeChanges(server)
  await until(() => events.length > 0)
  await turn()
  t.strictSame(events, ['ADDED a'])
  rule.remove()
  await until(() => events.includes('MODIFIED c'))
  t.equal(events.length, 6, 'nothing was lost')
})
