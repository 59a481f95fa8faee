import t, { type Test } from 'tap'
import { silentLogger } from '../observe/logger.js'
import { Cancellation } from '../time/cancellation.js'
import { systemClock } from '../time/clock.js'
import { startServer } from './local-server.fixture.js'
import { NodeConnections } from './node-connections.js'

/** Connections to a server over plain HTTP, and a call on them. */
async function connected(test: Test) {
  const server = await startServer({ handler: (_request, response) => void response.end('{}') })
  test.teardown(() => server.close())
  const url = new URL(server.url)
  const target = { url, clock: systemClock, signal: new AbortController().signal, secureContext: unused }
  const connections = new NodeConnections({ target, logger: silentLogger })
  const call = (signal = new Cancellation()) =>
    connections.request({ method: 'GET', path: '/', headers: {}, signal, beforeSend: () => {} })
  return { connections, call, server }
}

function unused(): never {
  throw new Error('plain HTTP needs no certificate')
}

void t.test('a call ends with its signal while the client is imported', async (t) => {
  const { call, connections } = await connected(t)
  const signal = new Cancellation()
  const outcome = call(signal)
  signal.abort(new Error('enough'))
  await t.rejects(outcome, { message: 'enough' })
  await connections.destroy(new Error('the end'))
})

void t.test('connections that are ended while their client is imported take no call', async (t) => {
  const { call, connections, server } = await connected(t)
  const during = call()
  await Promise.all([t.rejects(during), connections.destroy(new Error('the end'))])
  await t.rejects(call())
  t.equal(server.connections(), 0)
})

void t.test('connections that were never used have nothing to end', async (t) => {
  const { call, connections, server } = await connected(t)
  await connections.retire()
  await connections.destroy(new Error('the end'))
  await t.rejects(call())
  t.equal(server.connections(), 0)
})
