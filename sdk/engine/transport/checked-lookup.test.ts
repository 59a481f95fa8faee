// Tests that connections for others do not reach addresses that are not allowed, whatever names they have.
import type { LookupAddress } from 'node:dns'
import { createServer, type LookupFunction } from 'node:net'
import { createSecureContext } from 'node:tls'
import t from 'tap'
import { systemClock } from '../time/clock.js'
import { checkedLookup, checkHost } from './checked-lookup.js'
import { dial } from './dial.js'

const addresses = (...list: string[]): LookupAddress[] => list.map((address) => ({ address, family: 4 }))

/** Resolves a name to this answer, and returns the answer of the checked lookup. */
function resolved(answer: string | LookupAddress[]): Promise<unknown> {
  const lookup: LookupFunction = (_, __, done) => done(null, answer as string, 4)
  const checked = checkedLookup((address) => !address.startsWith('169.254.'), lookup)
  return new Promise((resolve, reject) => {
    checked('name.example', {}, (error, found) => (error ? reject(error) : resolve(found)))
  })
}

void t.test('a name is refused if one of its addresses is not allowed', async (t) => {
  t.equal(await resolved('192.0.2.1'), '192.0.2.1')
  t.strictSame(await resolved(addresses('192.0.2.1', '192.0.2.2')), addresses('192.0.2.1', '192.0.2.2'))
  const message =
    'no connection to name.example (169.254.169.254): the program does not connect to this address for others'
  await t.rejects(resolved('169.254.169.254'), { message })
  await t.rejects(resolved(addresses('192.0.2.1', '169.254.169.254')), { message })
})

void t.test('a name without an address has the error of the system', async (t) => {
  const lookup: LookupFunction = (_, __, done) => done(new Error('ENOTFOUND'), '')
  const checked = checkedLookup(() => true, lookup)
  await t.rejects(new Promise((_, reject) => checked('name.example', {}, reject)), { message: 'ENOTFOUND' })
})

void t.test('an address is checked without being resolved, a name is not an address', (t) => {
  const allows = (address: string) => address !== '::1'
  t.throws(() => checkHost('::1', allows), /^no connection to ::1: /)
  t.doesNotThrow(() => checkHost('192.0.2.1', allows))
  t.doesNotThrow(() => checkHost('name.example', () => false))
  t.end()
})

void t.test('connections by name and by address are checked', async (t) => {
  const server = createServer((socket) => socket.end())
  let connections = 0
  server.on('connection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as { port: number }
  const target = (host: string, allowed: boolean) => ({
    url: new URL(`http://${host}:${port}`),
    clock: systemClock,
    signal: new AbortController().signal,
    secureContext: () => createSecureContext(),
    allowsAddress: () => allowed,
  })
  for (const host of ['127.0.0.1', 'localhost'])
    await t.rejects(dial(target(host, false), []), { message: /^no connection to (localhost|127)/ })
  t.equal(connections, 0)
  for (const host of ['127.0.0.1', 'localhost']) (await dial(target(host, true), [])).destroy()
  t.equal(connections, 2)
})
