import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { createTransport } from './create-transport.js'
import { createAuthority, type Pair } from './local-server.fixture.js'
import { secureContextOf } from './secure-context.js'

const authority = await createAuthority()
const server = await authority.issue('server')
const client = await authority.issue('me')

/** The subjects of the certificates that a client sends; OpenSSL leaves out those that come again. */
async function sentBy(t: Test, { cert, key }: Pair): Promise<string[]> {
  const listener = createServer({ ...server, requestCert: true, rejectUnauthorized: false })
  t.teardown(() => listener.close())
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const secureContext = secureContextOf({ ca: authority.ca, cert, key }, 'a kubeconfig')
  const socket = connect({ host: '127.0.0.1', port, secureContext })
  const [accepted] = (await once(listener, 'secureConnection')) as [TLSSocket]
  const leaf = accepted.getPeerCertificate(true)
  socket.destroy()
  const issuer = leaf.issuerCertificate as typeof leaf.issuerCertificate | undefined
  return [leaf, issuer].flatMap((one) => (one === undefined ? [] : [String(one.subject.CN)]))
}

void t.test('a client certificate is sent without its authority, which servers have', async (t) => {
  t.same(await sentBy(t, client), ['me'])
})

void t.test('a chain in the client certificate is sent as it is', async (t) => {
  t.same(await sentBy(t, { ...client, cert: `${client.cert}\n${authority.ca}` }), ['me', 'test-ca'])
})

/** One DER element with content of less than 64 KiB. */
function element(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const head = Buffer.from([tag, 0x82, content.length >> 8, content.length & 0xff])
  return Buffer.concat([content.length < 0x80 ? Buffer.from([tag, content.length]) : head, content])
}

/** An odd number of a length in bytes, as DER. */
function odd(bytes: number): Buffer {
  const number = randomBytes(bytes)
  number[bytes - 1] = (number[bytes - 1] ?? 0) | 1
  number[0] = 0xff
  return element(0x02, Buffer.concat([Buffer.alloc(1), number]))
}

const fields = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const

/**
 * An RSA key of random numbers, which OpenSSL takes as it takes a real one. `lengths` replaces the lengths in bytes
 * that numbers have in a key of this size.
 */
function rsaKey(bits: number, lengths: Partial<Record<(typeof fields)[number], number>> = {}): string {
  const [whole, half] = [bits / 8, Math.ceil(bits / 16)]
  const usual = { n: whole, e: 3, d: whole, p: half, q: half, dp: half, dq: half, qi: half, ...lengths }
  const numbers = fields.map((field) => odd(usual[field]))
  const der = element(0x30, element(0x02, Buffer.alloc(1)), ...numbers)
  return `-----BEGIN RSA PRIVATE KEY-----\n${der.toString('base64')}\n-----END RSA PRIVATE KEY-----\n`
}

const pkcs8 = { type: 'pkcs8', format: 'pem' } as const

void t.test('a client key that would sign for long is refused and not quoted', async (t) => {
  const dsa = generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }).privateKey
  const refused: [key: string, why: string][] = [
    [rsaKey(8200), 'is an RSA key of 8200 bits, more than the limit of 8192'],
    [
      rsaKey(1024, { p: 2000 }),
      'is an RSA key with more than two primes, or with numbers that do not fit its size',
    ],
    [
      rsaKey(1024, { dp: 2000 }),
      'is an RSA key with more than two primes, or with numbers that do not fit its size',
    ],
    [
      rsaKey(1024, { d: 2000 }),
      'is an RSA key with more than two primes, or with numbers that do not fit its size',
    ],
    [
      rsaKey(1024, { e: 128 }),
      'is an RSA key with more than two primes, or with numbers that do not fit its size',
    ],
    [dsa.export(pkcs8).toString(), 'is of type dsa, which TLS does not sign with'],
  ]
  for (const [key, why] of refused) {
    const error = t.throws(() => secureContextOf({ ca: authority.ca, key }, 'Secret a/b')) as Error
    t.match(error.message, `client-key of Secret a/b ${why}; use an RSA key of 2048 to 4096 bits, an EC key`)
    t.notMatch(error.stack, key.slice(40, 80))
  }
})

void t.test('client keys of the usual types and sizes are used', (t) => {
  const used = [
    rsaKey(8192),
    generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pkcs8),
    generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey.export(pkcs8),
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export(pkcs8),
    generateKeyPairSync('ed25519').privateKey.export(pkcs8),
    generateKeyPairSync('ed448').privateKey.export(pkcs8),
  ]
  for (const key of used)
    t.doesNotThrow(() => secureContextOf({ ca: authority.ca, key: key.toString() }, 'a kubeconfig'))
  t.end()
})

void t.test('a client key that is refused is refused for each call', async (t) => {
  const keyData = Buffer.from(rsaKey(8200)).toString('base64')
  const user = { certData: Buffer.from(client.cert).toString('base64'), keyData }
  const kubeconfig = { source: 'Secret a/b', server: 'https://127.0.0.1:1', user }
  const transport = createTransport({ kubeconfig })
  t.teardown(() => transport.close())
  for (let call = 0; call < 3; call++)
    await t.rejects(transport.request({ method: 'GET', path: '/version' }), {
      name: 'NetworkError',
      message: /client-key of Secret a\/b is an RSA key of 8200 bits/,
    })
})
