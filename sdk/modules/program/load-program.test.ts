// Tests that programs are loaded from servers, ConfigMaps and files within their limits, and never past a digest.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { AllowList } from './allow-list.js'
import { digestOf, parseDigest } from './digest.js'
import { type LoadOptions, loadProgram, type ProgramSource } from './load-program.js'
import { programOfConfigMap } from './program-of-config-map.js'
import { unpackProgram } from './unpack-program.js'

const program = 'export const newManager = () => ({})\n'
const programDigest = digestOf(Buffer.from(program))
const nothingAllowed = new AllowList({ allow: [] })

async function serve(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The base64 character after another one: as the last one of a digest, it has a bit that no byte has. */
function nextCharacter(character = ''): string {
  const all = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  return all[all.indexOf(character) + 1] ?? ''
}

/** The code and message of the error. */
async function refusal(source: ProgramSource, options: Partial<LoadOptions> = {}): Promise<string> {
  return await loadProgram(source, { allowList: nothingAllowed, requireDigest: false, ...options }).then(
    () => 'loaded',
    (error: Error & { code?: string }) => `${error.code} ${error.message}`,
  )
}

void t.test('a digest has one of four forms and the length of its algorithm', async (t) => {
  const hex = createHash('sha512').update(program).digest('hex')
  const base64 = createHash('sha512').update(program).digest('base64')
  t.strictSame(parseDigest(`sha512:${hex.toUpperCase()}`), parseDigest(`sha512-${base64}`))
  const sha256 = createHash('sha256').update(program).digest('hex')
  const wrong = [
    `sha256:${sha256}0`,
    '',
    'md5:00',
    hex,
    `sha256:${hex}`,
    `sha512-${base64.slice(0, -4)}`,
    `sha512-${base64.slice(0, -3)}${nextCharacter(base64.at(-3))}==`,
    `${programDigest} `,
    'sha256:0',
  ]
  for (const text of wrong) t.throws(() => parseDigest(text), { code: 'INVALID_DIGEST' }, text)
})

void t.test('a program with the right digest is loaded; any other content is refused', async (t) => {
  const url = `${await serve(t, (_request, response) => response.end(program))}/app.mjs`
  const allowList = new AllowList({ allow: [url] })
  const loaded = await loadProgram({ url, digest: programDigest }, { allowList })
  t.strictSame(loaded, { content: Buffer.from(program), digest: programDigest })
  const other = digestOf(Buffer.from('other'))
  const message = await refusal({ url, digest: other }, { allowList })
  t.match(message, /^DIGEST_MISMATCH /)
  t.ok(message.includes(programDigest) && message.includes(other), message)
  t.match(await refusal({ url }, { allowList, requireDigest: true }), /^MISSING_DIGEST .*needs a digest/)
  t.equal((await loadProgram({ url }, { allowList, requireDigest: false })).digest, programDigest)
  const byDefault = loadProgram({ url: `${url}?token=secret` }, { allowList })
  const sentence = `${url}: a program from a server needs a digest; set digest next to the URL`
  await t.rejects(
    byDefault,
    { code: 'MISSING_DIGEST', message: sentence },
    'without what may be a credential',
  )
})

void t.test('a URL begins with an allowed one, by whole segments after normalising', async (t) => {
  const list = new AllowList({ allow: ['https://programs.example/stable', 'https://other.example/'] })
  const allowed = ['https://programs.example/stable', 'HTTPS://Programs.Example:443/stable/a.mjs?x=1#y']
  for (const url of allowed) t.doesNotThrow(() => list.check(url), url)
  const refused = [
    'http://programs.example/stable/a.mjs',
    'https://programs.example/stable2/a.mjs',
    'https://programs.example.evil/stable/a.mjs',
    'https://programs.example:444/stable/a.mjs',
    'https://programs.example/stable/../a.mjs',
    'https://programs.example/stable/%2e%2e/a.mjs',
    'https://programs.example/stable/..%2fa.mjs',
    'https://programs.example@evil.example/stable/a.mjs',
    'https://user:secret@programs.example/stable/a.mjs',
    'data:text/javascript,0',
    'programs.example/stable/a.mjs',
  ]
  for (const url of refused) t.throws(() => list.check(url), { code: 'PROGRAM_NOT_ALLOWED' }, url)
  for (const entry of ['programs.example', 'file:///', 'https://a:b@c/', 'https://c/?x'])
    t.throws(() => new AllowList({ allow: [entry] }), { code: 'PROGRAM_NOT_ALLOWED' }, entry)
})

void t.test(
  'a name that resolves to an internal address is refused unless its network is listed',
  async (t) => {
    const { port } = new URL(await serve(t, (_request, response) => response.end(program)))
    const url = `http://programs.example:${port}/app.mjs`
    const resolveTo = (...addresses: string[]) => ({ resolve: async () => addresses })
    const allowList = new AllowList({ allow: [url] })
    const internal = [
      '127.0.0.1',
      '169.254.169.254',
      '10.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      'fe80::1',
      'fd00::1',
      '::',
    ]
    for (const address of internal) {
      const message = await refusal({ url }, { allowList, ...resolveTo('192.0.2.1', address) })
      t.match(message, /^PROGRAM_NOT_ALLOWED .*resolves to .* add its network/, address)
    }
    t.doesNotThrow(() => allowList.checkAddresses(new URL(url), ['93.184.215.14', '2606:2800:21f::1']))
    const listed = new AllowList({ allow: [url], networks: ['127.0.0.0/8'] })
    t.equal(await refusal({ url }, { allowList: listed, ...resolveTo('127.0.0.1') }), 'loaded')
    for (const network of ['10.0.0.0', '10.0.0.0/33', 'x/8', '10.0.0.0/8/8'])
      t.throws(
        () => new AllowList({ allow: [], networks: [network] }),
        { code: 'PROGRAM_NOT_ALLOWED' },
        network,
      )
  },
)

void t.test('each internal network is refused from its first address to its last', async (t) => {
  const list = new AllowList({ allow: [] })
  const isRefused = (address: string) => {
    try {
      list.checkAddresses(new URL('https://programs.example/'), [address])
      return false
    } catch {
      return true
    }
  }
  const internal = [
    ...['0.0.0.0', '0.255.255.255', '10.0.0.0', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
    ...['127.0.0.0', '127.255.255.255', '169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.255'],
    ...['192.0.0.0', '192.0.0.255', '192.168.0.0', '192.168.255.255', '198.18.0.0', '198.19.255.255'],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.0', '255.255.255.255'],
    ...['::', '::1', '64:ff9b::', '64:ff9b::a00:1', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ...['2002::', '2002:a00:1::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ...['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'fe80::', 'fec0::', 'feff:ffff::'],
    ...['ff00::', 'ff02::1', 'ffff::', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:192.168.1.1'],
  ]
  for (const address of internal) t.ok(isRefused(address), address)
  const others = [
    ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
    ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
    ...['64:ff9a::', '64:ff9b:2::', '2001:db8::', '2003::', '2606:2800:21f::1', 'fbff::', 'fe00::'],
  ]
  for (const address of others) t.notOk(isRefused(address), address)
})

void t.test('a download has 30 seconds, wants plain content, and closes what redirects', async (t) => {
  const times: number[] = []
  const { timeout } = AbortSignal
  AbortSignal.timeout = (ms) => {
    times.push(ms)
    return timeout.call(AbortSignal, ms)
  }
  t.teardown(() => Object.assign(AbortSignal, { timeout }))
  let closed: Promise<void> | undefined
  const encodings: (string | undefined)[] = []
  const origin = await serve(t, (request, response) => {
    encodings.push(request.headers['accept-encoding'] as string)
    if (request.url === '/b') return void response.end(program)
    closed = new Promise((resolve) => void response.on('close', resolve))
    // The body of a redirect that never ends.
    response.writeHead(302, { location: '/b' }).write('x')
  })
  const options = { allowList: new AllowList({ allow: [origin] }), requireDigest: false }
  t.equal((await loadProgram({ url: `${origin}/a` }, options)).digest, programDigest)
  t.strictSame(times, [30_000], 'for all redirects together')
  t.strictSame(encodings, ['identity', 'identity'])
  t.ok(closed)
  await closed
})

void t.test('each wrong answer of a server has a sentence of its own', async (t) => {
  let endlessBytes = 0
  const origin = await serve(t, (request, response) => {
    if (request.url === '/404') response.writeHead(404).end(program)
    else if (request.url === '/html')
      response.setHeader('content-type', 'text/html; charset=utf-8').end(program)
    else if (request.url === '/page') response.end('\n<!DOCTYPE html><html></html>')
    else if (request.url === '/large')
      response.writeHead(200, { 'content-length': 9 * 1024 * 1024 }).write(program)
    else if (request.url === '/endless') {
      const more = () => {
        do endlessBytes += 65_536
        while (response.write(Buffer.alloc(65_536, 32)))
      }
      response.on('drain', more)
      more()
    } else if (request.url === '/zip-bomb') response.end(gzipSync(Buffer.alloc(9 * 1024 * 1024)))
    else if (request.url === '/damaged') response.end(gzipSync(program).subarray(0, 20))
    else if (request.url === '/binary') response.end(Buffer.from([0xff, 0xfe, 0x00]))
    else if (request.url === '/cut')
      response.writeHead(200, { 'content-length': 100 }).write('a', () => response.destroy())
    else if (request.url?.startsWith('/loop')) response.writeHead(302, { location: '/loop' }).end()
    else if (request.url === '/off')
      response.writeHead(302, { location: 'https://evil.example/a?token=1' }).end()
    else if (request.url === '/metadata')
      response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    else if (request.url === '/empty') response.end()
    // The path /silent gets no answer.
  })
  const allowList = new AllowList({ allow: [`${origin}/`] })
  const cases: Record<string, RegExp> = {
    '/404': /^PROGRAM_UNREACHABLE http:\S+\/404: the server answered/,
    '/html': /^INVALID_PROGRAM .*web page \(text\/html\)/,
    '/page': /^INVALID_PROGRAM .*the content is a web page/,
    '/large': /^PROGRAM_TOO_LARGE .*larger than 8388608 bytes/,
    '/endless': /^PROGRAM_TOO_LARGE /,
    '/zip-bomb': /^PROGRAM_TOO_LARGE /,
    '/damaged': /^INVALID_PROGRAM .*gzip content is damaged/,
    '/binary': /^INVALID_PROGRAM .*not UTF-8/,
    '/cut': /^PROGRAM_UNREACHABLE .*aborted/,
    '/loop': /^PROGRAM_UNREACHABLE .*more than 3 redirects/,
    '/off': /^PROGRAM_NOT_ALLOWED .*\/off redirects to https:\/\/evil.example\/a: the URL begins with none/,
    '/metadata': /^PROGRAM_NOT_ALLOWED .*redirects to http:\/\/169.254.169.254\/latest: /,
    '/empty': /^INVALID_PROGRAM .*empty/,
  }
  for (const [path, expected] of Object.entries(cases))
    t.match(await refusal({ url: origin + path }, { allowList }), expected, path)
  t.ok(endlessBytes < 32 * 1024 * 1024, `${endlessBytes} bytes were sent`)
  const late = await refusal({ url: `${origin}/silent?token=1` }, { allowList, timeoutMs: 50 })
  t.match(late, /^PROGRAM_UNREACHABLE http:\S+\/silent: the download took longer than 50 ms$/)
  const unresolved = new AllowList({ allow: ['http://programs.example/'] })
  const never = { allowList: unresolved, timeoutMs: 50, resolve: () => new Promise<never>(() => {}) }
  t.match(await refusal({ url: 'http://programs.example/' }, never), /longer than 50 ms/)
  const stopped = { allowList, signal: AbortSignal.abort(new Error('stopped')) }
  t.equal(await refusal({ url: `${origin}/silent` }, stopped), 'undefined stopped')
})

void t.test('the header Authorization goes to the first origin only', async (t) => {
  const seen: unknown[] = []
  const second = await serve(t, (request, response) => {
    seen.push(['second', request.headers.authorization])
    response.end(program)
  })
  const first = await serve(t, (request, response) => {
    seen.push([request.url, request.headers.authorization])
    response.writeHead(307, { location: request.url === '/a' ? '/b' : `${second}/c` }).end()
  })
  const allowList = new AllowList({ allow: [first, second] })
  const source = { url: `${first}/a`, authorization: 'Bearer secret', digest: programDigest }
  t.equal((await loadProgram(source, { allowList })).digest, programDigest)
  t.strictSame(seen, [
    ['/a', 'Bearer secret'],
    ['/b', 'Bearer secret'],
    ['second', undefined],
  ])
})

void t.test('a ConfigMap has a program as text, as bytes, packed, or in parts', async (t) => {
  const packed = gzipSync(program)
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  const metadata = { namespace: 'team', name: 'programs' }
  const load = (content: object, key?: string) => ({
    configMap: { metadata, ...content },
    key,
    digest: programDigest,
  })
  const parts = { 'plugin.0': base64(packed.subarray(0, 10)), 'plugin.1': base64(packed.subarray(10)) }
  const good = [
    load({ data: { plugin: program } }),
    load({ binaryData: { 'app.mjs': base64(Buffer.from(program)) } }, 'app.mjs'),
    load({ binaryData: { plugin: base64(packed) } }),
    load({ binaryData: parts, data: { 'plugin.md': 'about it' } }),
  ]
  for (const source of good) t.equal(await refusal(source), 'loaded')
  const missing = await refusal(load({ data: { other: '', toString: '' } }, 'constructor'))
  t.match(
    missing,
    /^INVALID_PROGRAM ConfigMap team\/programs, key constructor: missing; the keys are other, toString$/,
  )
  const gap = await refusal(load({ binaryData: { 'plugin.0': '', 'plugin.2': '' } }))
  t.match(gap, /^INVALID_PROGRAM ConfigMap team\/programs, key plugin.1: missing; the program has 3 parts/)
  t.match(await refusal(load({ data: { plugin: program }, binaryData: parts })), /both the key and parts/)
  t.match(await refusal(load({ data: { plugin: program } }), { limitBytes: 10 }), /^PROGRAM_TOO_LARGE /)
  // Each of the two steps has the limit: parts are not joined, and content is not read as text, beyond it.
  const { configMap } = load({ binaryData: parts })
  const tooLarge = { code: 'PROGRAM_TOO_LARGE' }
  t.throws(() => programOfConfigMap(configMap, 'plugin', packed.length - 1), tooLarge)
  t.strictSame(programOfConfigMap(configMap, 'plugin', packed.length), packed)
  await t.rejects(unpackProgram('a', Buffer.from(program), program.length - 1), tooLarge)
  t.equal((await unpackProgram('a', Buffer.from(program), program.length)).toString(), program)
})

void t.test('a file is read below its folder and never through a link', async (t) => {
  const root = t.testdir({ 'secret.mjs': program, programs: { 'app.mjs': program } })
  const folder = join(root, 'programs')
  symlinkSync(join(root, 'secret.mjs'), join(folder, 'link.mjs'))
  symlinkSync(root, join(folder, 'up'))
  mkdirSync(join(folder, 'folder'))
  // A sparse file of 3 GiB, which Node refuses to read.
  writeFileSync(join(folder, 'large.mjs'), '')
  truncateSync(join(folder, 'large.mjs'), 3 * 1024 ** 3)
  execFileSync('mkfifo', [join(folder, 'pipe.mjs')])
  const base = pathToFileURL(`${folder}/`).href
  t.equal(await refusal({ url: `${base}app.mjs`, digest: programDigest }, { folder }), 'loaded')
  const cases: Record<string, RegExp> = {
    '../secret.mjs': /^PROGRAM_NOT_ALLOWED .*not below the folder/,
    '%2e%2e/secret.mjs': /^PROGRAM_NOT_ALLOWED .*not below the folder/,
    '..%2fsecret.mjs': /^PROGRAM_NOT_ALLOWED .*not the URL of a local file/,
    'link.mjs': /^PROGRAM_NOT_ALLOWED .*contains a link/,
    'up/secret.mjs': /^PROGRAM_NOT_ALLOWED .*contains a link/,
    folder: /^PROGRAM_NOT_ALLOWED .*not a regular file/,
    'pipe.mjs': /^PROGRAM_NOT_ALLOWED .*not a regular file/,
    'large.mjs': /^PROGRAM_TOO_LARGE /,
    'absent.mjs': /^PROGRAM_UNREACHABLE .*cannot be read/,
  }
  for (const [path, expected] of Object.entries(cases))
    t.match(await refusal({ url: base + path }, { folder, limitBytes: 60 }), expected, path)
  t.match(await refusal({ url: `${base}app.mjs` }), /^PROGRAM_NOT_ALLOWED .*set programs.folder/)
  t.match(await refusal({ url: 'file://server/app.mjs' }, { folder }), /^PROGRAM_NOT_ALLOWED /)
})
