// Tests the life of a program's process: its start, calls in both directions, metadata, aborts and its end.
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { context, programText, setUp } from './run-programs.fixture.js'
import { startedProcesses } from './started-processes.fixture.js'

void t.test('calls, metadata, logs and requests travel', async (t) => {
  const text = programText(`
    async install(ctx, metaData) {
      logger.info({ app: config.app, module: 'forged' }, 'installing\\nok')
      console.log('printed')
      metaData.set('attempt', ctx.attempt)
      metaData.set('before', metaData.get('known') ?? 'nothing')
      await metaData.save()
      const made = await cluster.apply([{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: module.name } }], { signal: ctx.signal })
      metaData.set('made', made.length)
      let rounds = 0
      await ctx.until(() => ++rounds === 3, { everyMs: 1, timeoutMs: 10_000 })
      return 'ignored'
    },
    check() { return true }`)
  const { open, metaData, stored, lines, calls } = setUp(t, text)
  metaData.set('known', 'before')
  const session = await open('default', 'shop', { app: 'web' })
  t.equal(await session.call('install', context(), metaData), undefined)
  t.strictSame(metaData.toJSON(), { known: 'before', attempt: 1, before: 'before', made: 1 })
  t.strictSame(stored, ['{"known":"before","attempt":1,"before":"before"}'], 'a checkpoint')
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'shop' } }
  t.strictSame(calls, [['apply', [deployment]]])
  t.equal(await session.call('check', context(), metaData), true)
  const logged = lines.find((line) => line.startsWith('info installing')) ?? ''
  t.match(logged, /^info installing\\nok \{"program":".*","module":"shop","namespace":"default","said":/)
  t.ok(
    lines.some((line) => line.startsWith('info printed ') && line.includes('"stream":"stdout"')),
    `${lines}`,
  )
})

void t.test('a program that names no versions of the SDK runs, and is reported once', async (t) => {
  const methods = 'install() {}, uninstall() {}, sleep() {}, resume() {}'
  const withRange = `export default { name: 'shop', version: '1.0.0', sdk: '*', newManager: () => ({ ${methods} }) }`
  const advice = /^warn the program does not name the versions of the SDK .*; add sdk to defineProgram, /
  for (const [text, count] of [
    [withRange, 0],
    [withRange.replace("sdk: '*', ", ''), 1],
    [programText(''), 1],
  ] as const) {
    const { open, lines } = setUp(t, text)
    await open('first')
    await open('second')
    t.equal(lines.filter((line) => advice.test(line)).length, count, text)
  }
})

void t.test('a program that is loaded again is not reported again', async (t) => {
  const advised = new Set<string>()
  const warnings: string[] = []
  for (let i = 0; i < 2; i++) {
    const { open, lines, runner } = setUp(t, programText(''), { advised })
    await open()
    await runner.close()
    warnings.push(...lines.filter((line) => line.startsWith('warn the program does not name the versions')))
  }
  t.equal(warnings.length, 1, warnings.join('\n'))
})

void t.test('what a manager throws arrives, with the metadata of the failed call', async (t) => {
  const text = programText(`
    install(ctx, metaData) { metaData.set('made', 'half'); throw new TypeError('no room\\n' + 'x'.repeat(5000)) },
    sleep() { throw Object.assign(new Error('never'), { name: 'PermanentError' }) },
    resume() { throw 'a text' },
    async uninstall(ctx, metaData) { metaData.set('large', 'x'.repeat(100_000)) }`)
  const { open, metaData } = setUp(t, text)
  const session = await open()
  const error: Error = await session.call('install', context(), metaData).then(
    () => t.fail('it did not fail'),
    (thrown) => thrown,
  )
  t.match(error.message, /^TypeError: no room\\nxxx/)
  t.ok(error.message.length < 4_200, String(error.message.length))
  t.strictSame(metaData.toJSON(), { made: 'half' })
  await t.rejects(session.call('sleep', context(), metaData), { name: 'PermanentError', message: 'never' })
  await t.rejects(session.call('resume', context(), metaData), { name: 'Error', message: 'a text' })
  await t.rejects(session.call('uninstall', context(), metaData), { message: /more than the limit of 65536/ })
  await t.rejects(session.call('upgrade', context(), metaData), { message: /has no method upgrade/ })
})

void t.test(
  'an aborted call gets the reason; one that goes on is killed after 10 s, and the next call starts again',
  async (t) => {
    const clock = new VirtualClock()
    const text = programText(`
    install: (ctx) => new Promise((resolve, reject) => {
      ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))
      ctx.logger.info({}, 'waiting')
    }),
    sleep: () => { for (;;); },
    async resume(ctx) { await cluster.wait({ apiVersion: 'v1', kind: 'Pod' }, { signal: ctx.signal }) }`)
    const { open, metaData, cluster, lines } = setUp(t, text, { clock })
    const session = await open()
    const neighbour = await open('default', 'neighbour')
    const polite = new AbortController()
    const first = session.call('install', context(polite.signal), metaData)
    while (!lines.some((line) => line.startsWith('info waiting'))) await clock.settle()
    polite.abort(new Error('the time is over'))
    await t.rejects(first, { message: 'AbortError: the time is over' })

    const asked = new Promise<AbortSignal>((resolve) => {
      cluster.wait = (_objects, { signal }) => {
        if (signal) resolve(signal)
        return new Promise(() => {})
      }
    })
    const waiting = new AbortController()
    const resumed = session.call('resume', context(waiting.signal), metaData)
    const requestSignal = await asked
    waiting.abort(new Error('stop'))
    await t.rejects(resumed, { message: 'AbortError: stop' })
    if (!requestSignal.aborted)
      await new Promise((resolve) => requestSignal.addEventListener('abort', resolve))
    t.ok(requestSignal.aborted, 'the request of the call is aborted too')

    const stuck = new AbortController()
    const looping = session.call('sleep', context(stuck.signal), metaData)
    const affected = neighbour.call('install', context(), metaData)
    await clock.settle()
    stuck.abort(new Error('the time limit of 5 min is over'))
    await clock.advance(9_999)
    const why =
      /ended during .*: sleep did not end within 10 s after its signal was aborted \(the time limit of 5 min is over\)/
    const failures = [looping, affected].map((call) =>
      t.rejects(call, { code: 'PROGRAM_ENDED', message: why }),
    )
    await clock.advance(1)
    await Promise.all(failures)
    await t.rejects(
      session.call('upgrade', context(), metaData),
      { message: /no method/ },
      'a new process answers',
    )
  },
)

void t.test('a call whose signal was aborted before is not made', async (t) => {
  const { open, metaData, lines } = setUp(t, programText('install() { console.log("called") }'))
  const session = await open()
  const signal = AbortSignal.abort(new Error('the operator stops'))
  await t.rejects(session.call('install', context(signal), metaData), { message: 'the operator stops' })
  await session.call('sleep', context(), metaData)
  t.notMatch(lines.join(), /called/)
})

void t.test('a manager that could not be made has no cluster any more', async (t) => {
  const text = `let kept
    export const newManager = ({ cluster, module }) => {
      if (module.name === 'bad') { kept = cluster; throw new Error('no room') }
      return { async install() { await kept.get({ apiVersion: 'v1', kind: 'ConfigMap' }) }, uninstall() {}, sleep() {}, resume() {} }
    }`
  const { open, metaData, calls } = setUp(t, text)
  await t.rejects(open('default', 'bad'), { message: 'no room' })
  const session = await open('default', 'good')
  await t.rejects(session.call('install', context(), metaData), { message: /the manager was closed/ })
  t.strictSame(calls, [])
})

void t.test('lines that were dropped are counted when the process ends', async (t) => {
  const text = programText('install() { for (let line = 0; line < 300; line++) logger.info({}, "line") }')
  const clock = new VirtualClock()
  const { open, metaData, lines, runner } = setUp(t, text, { clock })
  await (await open()).call('install', context(), metaData)
  await runner.close()
  t.equal(clock.pending, 0, 'and nothing looks at it any more')
  t.match(lines.at(-1), /^warn dropped log lines of the program.*\{"lines":200\}$/)
})

void t.test(
  'a process ends after five idle minutes and starts at the next call, at most five times in five',
  async (t) => {
    const clock = new VirtualClock()
    const { open, metaData } = setUp(t, programText('sleep() { process.exit(3) }'), { clock })
    const others = startedProcesses()
    const session = await open()
    const pids = () => startedProcesses().filter((pid) => !others.includes(pid))
    const install = () => session.call('install', context(), metaData)
    await install()
    const first = pids()
    t.equal(first.length, 1)
    await clock.advance(299_999)
    await install()
    t.strictSame(pids(), first, 'a call begins the five minutes again')
    await clock.advance(299_999)
    t.strictSame(pids(), first)
    await clock.advance(1)
    while (pids().length > 0) await clock.settle()
    await install()
    t.equal(pids().length, 1)
    for (let end = 0; end < 5; end++)
      await t.rejects(session.call('sleep', context(), metaData), {
        code: 'PROGRAM_ENDED',
        message: /it exited with 3; a program must not call process\.exit/,
      })
    await t.rejects(session.call('install', context(), metaData), {
      code: 'TOO_MANY_STARTS',
      message: /was started 5 times in 5 minutes and is not started again for 300 s/,
    })
    await clock.advance(300_000)
    await install()
  },
)

void t.test(
  'one process serves all Modules of a Workspace, and each program and Workspace has its own',
  async (t) => {
    const text = programText(
      'install(ctx, metaData) { metaData.set("own", own) }',
      'const own = Math.random()',
    )
    const here = setUp(t, text)
    const other = setUp(t, `${text}// another version\n`)
    const tokens = async (sets: [typeof here, workspace: string, name: string][]) =>
      await Promise.all(
        sets.map(async ([{ open, metaData }, workspace, name]) => {
          const session = await open(workspace, name)
          await session.call('install', context(), metaData)
          return metaData.get('own')
        }),
      )
    const [one] = await tokens([[here, 'a', 'first']])
    const [two] = await tokens([[here, 'a', 'second']])
    const [elsewhere, version] = await tokens([
      [here, 'b', 'third'],
      [other, 'a', 'fourth'],
    ])
    t.equal(one, two)
    t.equal(new Set([one, elsewhere, version]).size, 3)
  },
)

void t.test(
  'a process that ends right after it has made a manager fails the call, and the next one starts again',
  async (t) => {
    const text = `
    ${programText('', 'const end = () => setImmediate(() => process.exit(4))').replace('=> ({', '=> (module.name === "fragile" && end(), {')}`
    const { open, metaData } = setUp(t, text)
    const session = await open('default', 'fragile')
    await t.rejects(session.call('install', context(), metaData), { code: 'PROGRAM_ENDED' })
    await t.rejects(session.call('install', context(), metaData), {
      code: 'PROGRAM_ENDED',
      message: /it exited with 4/,
    })
    await (await open('default', 'sound')).call('install', context(), metaData)
  },
)

void t.test('a closed runner ends its processes, and calls fail', async (t) => {
  const { open, metaData, runner } = setUp(t, programText('install: () => new Promise(() => {})'))
  const session = await open()
  const call = session.call('install', context(), metaData)
  const failed = t.rejects(call, { code: 'PROGRAM_ENDED', message: /the operator stops/ })
  await new Promise((resolve) => setImmediate(resolve))
  await runner.close()
  await failed
  await t.rejects(session.call('install', context(), metaData), {
    code: 'PROGRAM_ENDED',
    message: /the operator stops/,
  })
})

void t.test('the optional methods of a manager are known, and are called', async (t) => {
  const { open, metaData } = setUp(
    t,
    programText(
      'upgrade(ctx, metaData, before) { metaData.set("from", before.size) }, check: async () => config.size > 2',
    ),
  )
  const session = await open('default', 'shop', { size: 3 })
  t.strictSame(session.methods, ['upgrade', 'check'])
  await session.call('upgrade', context(), metaData, { size: 2 })
  t.equal(metaData.get('from'), 2)
  t.equal(await session.call('check', context(), metaData), true)
  t.equal(await (await open()).call('check', context(), metaData), false)
  const { open: openOther } = setUp(t, programText(''))
  t.strictSame((await openOther()).methods, [])
})
