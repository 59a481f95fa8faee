// Tests that programs which fail, hang, flood or lie end alone: calls fail with a sentence, and another program goes
// on.
import { EventEmitter, once } from 'node:events'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { context, programText, setUp } from './run-programs.fixture.js'

/** The code and message of the error of an install. */
async function failureOf(t: Test, text: string, options: Parameters<typeof setUp>[2] = {}): Promise<string> {
  const { open, metaData } = setUp(t, text, options)
  return await open()
    .then((session) => session.call('install', context(), metaData))
    .then(
      () => 'no failure',
      (error: Error & { code?: string }) => `${error.code ?? error.name}: ${error.message}`,
    )
}

void t.test('a program that cannot be loaded is refused with one sentence', async (t) => {
  const complete = 'install() {}, uninstall() {}, sleep() {}, resume() {}'
  const table: [text: string, message: RegExp][] = [
    [
      'throw new Error("no database")',
      /^INVALID_PROGRAM: program sha256-.{12}… cannot be loaded: no database$/,
    ],
    [
      'export const x = 1',
      /^INVALID_PROGRAM: .*neither a default export made by defineProgram nor a function/,
    ],
    ['export default {', /^INVALID_PROGRAM: .*cannot be loaded: .*nexpected/],
    [
      'import "left-pad"\nexport const newManager = () => {}',
      /^INVALID_PROGRAM: .*; a program is one file, with all its imports in it$/,
    ],
    [
      'import "./other.mjs"\nexport const newManager = () => {}',
      /^INVALID_PROGRAM: .*all its imports in it$/,
    ],
    [
      'export const newManager = () => ({ install() {}, resume() {} })',
      /^INVALID_PROGRAM: .*no method uninstall, sleep;/,
    ],
    ['export const newManager = () => undefined', /no method install, uninstall, sleep, resume;/],
    ['export const newManager = () => { throw new Error("no key") }', /^Error: no key$/],
    [
      `export default { name: 'shop', version: '2.0.0', sdk: '>=99', newManager: () => ({ ${complete} }) }`,
      /^INVALID_PROGRAM: program shop 2\.0\.0 needs the SDK in version >=99, this is \d.*; build it for this version$/,
    ],
    [
      `export default { name: 'shop', sdk: 'newest', newManager: () => ({ ${complete} }) }`,
      /^INVALID_PROGRAM: program shop: sdk is not a range of versions: "newest"/,
    ],
    [
      `export default { newManager: () => ({ ${complete} }), config: { parse() { throw new Error('app: required') } } }`,
      /^PermanentError: the configuration does not fit program without a name: app: required; correct it in the Module$/,
    ],
    [
      'process.exit(7)',
      /^PROGRAM_ENDED: .*ended during its start: it exited with 7; a program must not call/,
    ],
    [programText('', 'setTimeout(() => { throw new Error("late") })'), /no failure|late/],
  ]
  for (const [text, message] of table) t.match(await failureOf(t, text), message, text)
})

void t.test('a program that loops while it is loaded, or in newManager, is ended in time', async (t) => {
  const table: [text: string, afterMs: number, message: RegExp][] = [
    ['console.log("begun"); for (;;);', 10_000, /ended during its start: it was not loaded within 10 s;/],
    [
      'console.log("begun"); setInterval(() => {}, 1e6); await new Promise(() => {})',
      10_000,
      /not loaded within 10 s/,
    ],
    [
      'export const newManager = () => { console.log("begun"); for (;;); }',
      30_000,
      /newManager did not end within 30 s$/,
    ],
  ]
  for (const [text, afterMs, message] of table) {
    const clock = new VirtualClock()
    const { open, lines } = setUp(t, text, { clock })
    let ended = false
    const failed = t.rejects(open(), { code: 'PROGRAM_ENDED', message }).finally(() => {
      ended = true
    })
    while (!lines.some((line) => line.startsWith('info begun'))) await clock.settle()
    await clock.advance(afterMs - 1)
    t.notOk(ended, text)
    await clock.advance(1)
    await failed
  }
})

void t.test('memory is limited, inside and outside of the heap', async (t) => {
  const heap = programText('install() { const all = []; for (;;) all.push(new Array(1000).fill({})) }')
  t.match(await failureOf(t, heap, { memoryMb: 32 }), /needed more than 32 MiB of memory; make it need less/)
  const buffers = programText(`async install() {
    const all = []
    for (;;) { all.push(Buffer.alloc(1 << 20, 1)); await new Promise((resolve) => setTimeout(resolve, 10)) }
  }`)
  const failure = await failureOf(t, buffers, { memoryMb: 32 })
  const [, usedMb = '0'] = /it used (\d+) MiB of memory, more than 224/.exec(failure) ?? []
  t.ok(Number(usedMb) > 224 && Number(usedMb) < 700, failure)
})

void t.test('an error outside of a call ends the process, and says which', async (t) => {
  const table: [methods: string, message: RegExp][] = [
    [
      'async install() { Promise.reject(new Error("forgotten")); await new Promise((r) => setTimeout(r, 1e6)) }',
      /ended during install: an error outside of a call: forgotten$/,
    ],
    [
      'install() { return new Promise(() => setTimeout(() => { throw new RangeError("late\\nline") })) }',
      /an error outside of a call: late\\nline$/,
    ],
    [
      `install() {
        process.exit = process.reallyExit = () => {}
        process.prependListener('uncaughtException', () => setInterval(() => {}, 1e6))
        return new Promise(() => setTimeout(() => { throw new Error("and goes on") }))
      }`,
      /an error outside of a call: and goes on$/,
    ],
    ['install() { process.abort() }', /it was killed by SIGABRT$/],
    ['install() { process.exitCode = 0; process.reallyExit(0) }', /it exited with 0;/],
  ]
  for (const [methods, message] of table) t.match(await failureOf(t, programText(methods)), message, methods)
})

void t.test('a program cannot read, write, start, signal or see what belongs to the operator', async (t) => {
  const text = programText(
    `async install(ctx, metaData) {
      const attempt = async (name, action) => {
        try { metaData.set(name, String(await action())) } catch (error) { metaData.set(name, error.code ?? error.message) }
      }
      const [fs, child, threads, net, os] = await Promise.all(['fs', 'child_process', 'worker_threads', 'net', 'os'].map((name) => import('node:' + name)))
      await attempt('environment', () => JSON.stringify(process.env))
      await attempt('token', () => fs.readFileSync('/var/run/secrets/kubernetes.io/serviceaccount/token'))
      await attempt('file', () => fs.readFileSync('/etc/passwd'))
      await attempt('environment of the operator', () => fs.readFileSync('/proc/' + process.ppid + '/environ'))
      await attempt('folder', () => fs.readdirSync('.'))
      await attempt('write', () => fs.writeFileSync('/tmp/written-by-a-program', ''))
      await attempt('own file', () => fs.appendFileSync(new URL(import.meta.url), '//'))
      await attempt('process', () => child.execFileSync('/bin/true'))
      await attempt('replace', () => (process.execve ?? child.execFileSync)('/bin/true', ['true']))
      await attempt('thread', () => new threads.Worker('1', { eval: true }))
      await attempt('addon', () => process.dlopen({ exports: {} }, '/tmp/addon.node'))
      await attempt('wasi', async () => new (await import('node:wasi')).WASI({ version: 'preview1' }))
      await attempt('inspector', async () => (await import('node:inspector')).open(0))
      await attempt('database', async () => new (await import('node:sqlite')).DatabaseSync('/tmp/written-by-a-program.db'))
      await attempt('signal', () => process.kill(process.ppid, 0))
      await attempt('signal by import', async () => (await import('node:process')).kill(process.ppid, 0))
      await attempt('flags', async () => (await import('node:v8')).setFlagsFromString('--max-old-space-size=9999'))
      await attempt('binding', () => process.binding('fs'))
      await attempt('require', async () => (await import('node:module')).createRequire(import.meta.url)(process.execPath))
      await attempt('socket', () => new Promise((resolve, reject) => {
        const server = net.createServer().once('error', reject).listen(0, '127.0.0.1', () => server.close(() => resolve('open')))
      }))
    }`,
  )
  const { open, metaData } = setUp(t, text)
  await (await open()).call('install', context(), metaData)
  const { environment, socket, database, ...others } = metaData.toJSON()
  t.equal(environment, '{}')
  t.match(database, /ERR_UNKNOWN_BUILTIN_MODULE|No such built-in module/)
  // Node 25 asks the permission model about sockets too. Before, a NetworkPolicy is what limits them.
  t.equal(socket, process.allowedNodeEnvironmentFlags.has('--allow-net') ? 'ERR_ACCESS_DENIED' : 'open')
  for (const [name, result] of Object.entries(others))
    t.match(result, /^ERR_ACCESS_DENIED$|^ERR_DLOPEN_DISABLED$/, `${name}: ${result}`)
  t.equal(Object.keys(others).length, 17)
})

void t.test('floods of output and log lines are cut, and cost the operator a bounded time', async (t) => {
  const text = programText(`
    install() { for (let line = 0; line < 20_000; line++) logger.info({ line }, 'x'.repeat(10_000)) },
    async resume() {
      for (let line = 0; line < 20_000; line++) console.log('\\u001b[2J' + 'y'.repeat(50))
      process.stdout.write('z'.repeat(3_000_000))
    }`)
  const { open, metaData, lines, runner } = setUp(t, text)
  const session = await open()
  const startMs = performance.now()
  const operator = process.cpuUsage()
  await session.call('install', context(), metaData)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await session.call('resume', context(), metaData)
  while (!lines.some((line) => /y{9}/.test(line))) await new Promise((resolve) => setImmediate(resolve))
  await runner.close()
  const seconds = Math.ceil((performance.now() - startMs) / 1_000)
  const { user } = process.cpuUsage(operator)
  const written = lines.filter((line) => /x{9}|y{9}|z{9}/.test(line))
  t.ok(written.length > 0 && written.length <= 100 * (seconds + 1), `${written.length} lines in ${seconds} s`)
  t.ok(written.every((line) => line.length < 4_400 && !line.includes('\u001b')))
  for (const one of [/x{4096}… \(10000 characters\)/, /\\u001b\[2Jy{50} /])
    t.ok(
      written.some((line) => one.test(line)),
      String(one),
    )
  t.ok(lines.some((line) => /^warn dropped log lines of the program: more than 100 in one second/.test(line)))
  t.comment(`${written.length} lines, ${Math.round(user / 1_000)} ms of processor time, ${seconds} s`)
})

void t.test('forged messages end the process that sent them', async (t) => {
  const forge = (bytes: string) =>
    programText(
      `install() { fs.writeSync(3, ${bytes}); return new Promise((r) => setTimeout(r, 1e6)) }`,
      "import fs from 'node:fs'",
    )
  const line = (message: object) => forge(JSON.stringify(`${JSON.stringify(message)}\n`))
  const table: [text: string, message: RegExp][] = [
    [line({ type: 'result', id: 4_711 }), /it sent a result for 4711, which the operator has not issued$/],
    [line({ type: 'save', id: 1, call: 99, metaData: '{}' }), /it sent a save for 99, which/],
    [
      line({ type: 'request', id: 1, manager: 99, method: 'get', args: [] }),
      /it sent a request for 99, which/,
    ],
    [
      line({ type: 'log', manager: 99, level: 'info', message: 'of another Module', fields: {} }),
      /it sent a log for 99, which/,
    ],
    [
      line({ type: 'request', id: 1, manager: 1, method: 'constructor', args: [] }),
      /a message with a wrong method/,
    ],
    [line({ type: '__proto__' }), /a message with an unknown type/],
    [line({ type: 'result', id: -1 }), /a message with a wrong id/],
    [
      line({ type: 'ready', protocol: 1, permissions: [{ group: '', resource: 'secrets' }] }),
      /it sent a mistake in its permissions: permissions\.0\.verbs is required; correct them in defineProgram/,
    ],
    [line([]), /a message with a wrong shape|an unknown type/],
    [
      programText(
        `install() { for (const type of ['log', 'request']) say(type); return new Promise((r) => setTimeout(r, 1e6)) }`,
        `import fs from 'node:fs'
        const deep = '['.repeat(1e6) + ']'.repeat(1e6)
        const say = (type) => { for (let rest = Buffer.from('{"type":"' + type + '","id":1,"manager":1,"method":"get","level":"info","message":"","args":[' + deep + '],"fields":{"deep":' + deep + '}}\\n'); rest.length > 0;) try { rest = rest.subarray(fs.writeSync(3, rest)) } catch {} }`,
      ),
      /ended during install: it sent /,
    ],
    [
      programText(
        `install() { fs.closeSync(3); return new Promise((r) => setTimeout(r, 1e6)) }`,
        "import fs from 'node:fs'",
      ),
      /it closed its connection$|an error outside of a call/,
    ],
    [forge('"hello\\n"'), /it sent a message that is not JSON/],
    [forge('"\\n".repeat(60_000)'), /it sent a message that is not JSON/],
    [
      programText(
        `install() { const part = Buffer.alloc(65_536, 65); const write = () => fs.write(3, part, () => write()); write(); return new Promise(() => {}) }`,
        "import fs from 'node:fs'",
      ),
      /it sent a message of more than 8388608 bytes/,
    ],
  ]
  for (const [text, message] of table) t.match(await failureOf(t, text), message)
})

void t.test('requests that share a number end their process, and end with it', async (t) => {
  const text = programText(
    `install() {
      for (let time = 0; time < 500; time++) for (let rest = request; rest.length > 0;)
        try { rest = rest.subarray(fs.writeSync(3, rest)) } catch {}
      return new Promise((r) => setTimeout(r, 1e6))
    }`,
    `import fs from 'node:fs'
    const message = { type: 'request', id: 1, manager: 1, method: 'wait', args: [{ apiVersion: 'v1', kind: 'Pod' }, {}] }
    const request = Buffer.from(JSON.stringify(message) + '\\n')`,
  )
  const { open, metaData, cluster } = setUp(t, text)
  const signals: (AbortSignal | undefined)[] = []
  cluster.wait = (_, { signal }) => {
    signals.push(signal)
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const session = await open()
  const message = /it sent two requests with the number 1$/
  await t.rejects(session.call('install', context(), metaData), { code: 'PROGRAM_ENDED', message })
  t.strictSame(
    signals.map((signal) => signal?.aborted),
    [true],
  )
})

void t.test('messages of the right shape change only their own call', async (t) => {
  const text = `import fs from 'node:fs'
    const say = (message) => {
      for (let rest = Buffer.from(JSON.stringify(message) + '\\n'); rest.length > 0;)
        try { rest = rest.subarray(fs.writeSync(3, rest)) } catch {}
    }
    const newManager = ({ cluster }) => ({
      async install() {
        say({ type: 'ready', protocol: 1, name: 'other', permissions: [{ group: '*', resource: '*', verbs: ['*'] }] })
        say({ type: 'result', id: 1, error: { name: 'Error', message: 'twice' } })
        say({ type: 'save', id: 900, call: 1, metaData: '{"forged":true}' })
        say({ type: 'result', id: 2, metaData: '{"__proto__":{"polluted":true}}' })
        await new Promise((resolve) => setTimeout(resolve, 1e6))
      },
      async sleep() {
        say({ type: 'log', manager: 1, level: 'info', message: 'm', fields: JSON.parse('{"__proto__":{"polluted":1}}') })
        await cluster.get(JSON.parse('{"apiVersion":"v1","kind":"Secret","__proto__":{"polluted":1}}'))
      },
      async resume() {
        const get = () => cluster.get({ apiVersion: 'v1', kind: 'ConfigMap' })
        await Promise.all(Array.from({ length: 500 }, get))
        throw new Error('all were answered')
      },
      upgrade() {
        const args = [{ apiVersion: 'v1', kind: 'ConfigMap' }]
        for (let id = 1000; id < 1500; id++) say({ type: 'request', id, manager: 1, method: 'get', args })
        throw new Error('all were sent')
      },
      uninstall() {},
    })
    export default { name: 'shop', version: '1.0.0', permissions: [{ group: '', resource: 'configmaps', verbs: ['get'] }], newManager }`
  const { open, metaData, calls, cluster } = setUp(t, text)
  const session = await open()
  await t.rejects(session.call('install', context(), metaData), { message: /named __proto__/ })
  t.strictSame(metaData.toJSON(), {})
  await t.rejects(session.call('sleep', context(), metaData), {
    message:
      "ApiError: program shop 1.0.0 may not get secrets: add { group: '', resource: 'secrets', verbs: ['get'] } to permissions in its defineProgram",
  })
  t.equal(({} as { polluted?: unknown }).polluted, undefined)
  t.strictSame(calls, [])
  let [running, most] = [0, 0]
  const counted = (answered: () => Promise<unknown>) => async () => {
    most = Math.max(most, ++running)
    await answered()
    running--
    return undefined
  }
  const isFull = new EventEmitter()
  const full = once(isFull, 'full')
  cluster.get = counted(() => {
    if (running === 64) isFull.emit('full')
    return full
  })
  await t.rejects(session.call('resume', context(), metaData), { message: 'all were answered' })
  t.equal(most, 64, 'the code of the process sends 64 requests at a time')
  cluster.get = counted(() => new Promise((resolve) => setTimeout(resolve, 20)))
  await t.rejects(session.call('upgrade', context(), metaData), { message: 'all were sent' })
  while (most <= 64 || running > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  t.ok(most > 64 && most <= 128, `${most} requests at a time`)
})

void t.test('a flood of valid messages costs the operator a bounded time', async (t) => {
  const text = programText(
    `install() { for (let rest = part;;) try { rest = rest.subarray(fs.writeSync(3, rest)); if (rest.length === 0) rest = part } catch {} }`,
    `import fs from 'node:fs'
    const line = JSON.stringify({ type: 'log', manager: 1, level: 'info', message: 'm', fields: {} })
    const part = Buffer.from((line + '\\n').repeat(500))`,
  )
  const { open, metaData, lines, runner } = setUp(t, text)
  const session = await open()
  const ended = t.rejects(session.call('install', context(), metaData), { code: 'PROGRAM_ENDED' })
  const [before, beganMs] = [process.cpuUsage(), performance.now()]
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const { user, system } = process.cpuUsage(before)
  const tookMs = performance.now() - beganMs
  await runner.close()
  await ended
  const share = Math.round((user + system) / 10 / tookMs)
  // A busy machine makes the time longer, so both are compared with it. One second may have 100 lines and a warning.
  t.ok(share < 50, `${share} % of a processor`)
  t.ok(lines.length <= 101 * (tookMs / 1_000 + 2), `${lines.length} lines in ${Math.round(tookMs)} ms`)
  t.comment(`${share} % of a processor, ${lines.length} lines`)
})

void t.test('a program that ends does not disturb another one', async (t) => {
  const good = setUp(
    t,
    programText(
      'async install(ctx, metaData) { await new Promise((r) => setTimeout(r, 300)); metaData.set("done", true) }',
    ),
  )
  const working = (await good.open()).call('install', context(), good.metaData)
  t.match(await failureOf(t, programText('install() { process.exit(1) }')), /PROGRAM_ENDED/)
  await working
  t.strictSame(good.metaData.toJSON(), { done: true })
})
