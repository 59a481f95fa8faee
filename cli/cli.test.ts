import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import t from 'tap'
import type { Overview } from '../sdk/inspector/model.js'
import { configMaps, pods, secrets } from '../sdk/kube/builtin.js'
import type { KubeObject } from '../sdk/kube/object.js'
import { hostObjectAnnotation, nameAnnotation, namespaceAnnotation } from '../sdk/naming/marks.js'
import { VirtualClock } from '../testing/virtual-clock.js'
import { describeFaults, parseFaults } from './clusters/faults.js'
import { writeKubeconfigs } from './clusters/kubeconfigs.js'
import { type CopyChange, CopyLog } from './copies/copy-log.js'
import { CopiedSamples } from './dev/copied-samples.js'
import { followStart } from './dev/follow-start.js'
import { hintCommands, hintsAbout } from './dev/hints.js'
import { PluginKeeper } from './dev/plugin-keeper.js'
import { DevReport } from './dev/report.js'
import { watchSources } from './dev/watch-sources.js'
import { reservePort } from './machine/reserve-port.js'
import { failureOf } from './program/failure.js'
import { findPlugin } from './program/find-plugin.js'
import { readPluginLine } from './program/plugin-log.js'
import type { Exit, PluginProcess } from './program/plugin-process.js'
import { readHostSamples, readSamples } from './samples/samples.js'
import { handleKeys } from './terminal/keys.js'
import { createScreen, formatMs } from './terminal/screen.js'

const original = (version: string): KubeObject => ({
  metadata: { namespace: 'default', name: 'greeting', resourceVersion: version },
})

const copy = (version: string, text = 'hello'): KubeObject & { data: object } => ({
  metadata: {
    namespace: 'vcluster-dev',
    name: 'greeting-x-default-x-dev',
    resourceVersion: version,
    annotations: { [nameAnnotation]: 'greeting', [namespaceAnnotation]: 'default' },
  },
  data: { text },
})

/** Writes a story of changes, milliseconds apart, and answers what the log makes of it. */
class Story {
  readonly #clock = new VirtualClock()
  readonly #log = new CopyLog('host', this.#clock)
  readonly told: string[] = []

  async after(ms: number): Promise<this> {
    await this.#clock.advance(ms)
    return this
  }

  virtual(type: 'listed' | 'applied' | 'deleted', object: KubeObject): this {
    this.#log.originalChanged(configMaps, { type, object })
    return this
  }

  host(type: 'listed' | 'applied' | 'deleted', object: KubeObject): this {
    const change = this.#log.copyChanged(configMaps, { type, object })
    if (change)
      this.told.push(change.latencyMs === undefined ? change.verb : `${change.verb} ${change.latencyMs}`)
    return this
  }
}

void t.test('a change of a copy is explained by the latest change of its original', async (t) => {
  const story = new Story().virtual('applied', original('1'))
  ;(await story.after(9)).host('applied', copy('1'))
  ;(await story.after(5000)).virtual('applied', original('2'))
  ;(await story.after(3)).virtual('applied', original('3'))
  ;(await story.after(4)).host('applied', copy('2', 'two')).host('applied', copy('3', 'three'))
  ;(await story.after(5000)).virtual('deleted', original('4'))
  ;(await story.after(6)).host('deleted', copy('4'))
  t.strictSame(story.told, ['created 9', 'updated 4', 'updated 4', 'deleted 6'])
})

void t.test('a copy in the virtual cluster is explained by its original on the host', (t) => {
  const log = new CopyLog('virtual', new VirtualClock())
  log.originalChanged(secrets, {
    type: 'applied',
    object: { metadata: { namespace: 'vcluster-dev', name: 'registry' } },
  })
  const annotations = { [hostObjectAnnotation]: 'vcluster-dev/registry' }
  const object = { metadata: { namespace: 'default', name: 'registry', annotations } }
  t.match(log.copyChanged(secrets, { type: 'applied', object }), {
    side: 'virtual',
    verb: 'created',
    original: { namespace: 'vcluster-dev', name: 'registry' },
  })
  t.notOk(log.copyChanged(secrets, { type: 'applied', object: { metadata: { name: 'of-its-user' } } }))
  t.end()
})

void t.test('the hints are about what the plugin registered', (t) => {
  const facts = {
    virtual: { url: '', source: '', kubectl: 'kubectl --kubeconfig v' },
    host: { url: '', source: '', kubectl: 'kubectl --kubeconfig h' },
    targetNamespace: 'ns',
  }
  const none = { syncers: [], hostReads: [] }
  const hints = (description: Parameters<typeof hintsAbout>[0]) =>
    hintCommands(facts, hintsAbout(description))
  const virtual = (label: string) => `kubectl --kubeconfig v ${label}`
  const host = (label: string) => `kubectl --kubeconfig h ${label}`
  t.same(hints(none), [virtual('get all -A'), host('get all -n ns')])
  t.same(hints({ ...none, syncers: [{ name: 'configmap', resource: configMaps }] }), [
    virtual('create configmap hello --from-literal=text=hi'),
    host('get configmaps -n ns -w'),
  ])
  t.same(hints({ ...none, hooks: [{ name: 'hook', resource: pods }], hostReads: [configMaps] }), [
    virtual('run hello --image=nginx'),
    host('get pods -n ns -w'),
  ])
  const car = { group: 'example.com', version: 'v1', kind: 'Car', plural: 'cars', namespaced: false }
  t.same(hints({ ...none, syncers: [{ name: 'car', resource: car }] }), [
    virtual('get cars.example.com'),
    host('get cars.example.com -w'),
  ])
  t.same(hints({ ...none, hostReads: [secrets] }), [
    host('create secret generic hello --from-literal=text=hi -n ns'),
    virtual('get secrets -A -w'),
  ])
  t.end()
})

void t.test('a copy changed or deleted by hand is told apart, and so is its repair', async (t) => {
  const story = new Story().virtual('applied', original('1')).host('applied', copy('1'))
  ;(await story.after(5000)).host('applied', copy('2', 'by hand'))
  ;(await story.after(7)).host('applied', copy('3'))
  ;(await story.after(5000)).host('deleted', copy('4'))
  ;(await story.after(8)).host('applied', copy('5'))
  t.strictSame(story.told, ['created 0', 'edited', 'repaired 7', 'edited', 'repaired 8'])
})

void t.test('what stood before the watch began has no latency, and a relist is no news', async (t) => {
  const story = new Story().virtual('listed', original('1'))
  ;(await story.after(2000)).host('applied', copy('1'))
  story.virtual('listed', original('1')).host('listed', copy('1'))
  story.host('applied', { metadata: { namespace: 'vcluster-dev', name: 'a stranger' } })
  ;(await story.after(5000)).host('applied', copy('2', 'by hand'))
  t.strictSame(story.told, ['created', 'edited'])
})

void t.test('the samples count as mirrored when the last of them has a copy', async (t) => {
  const clock = new VirtualClock()
  const sampleOf = (name: string) => ({
    side: 'virtual' as const,
    resource: configMaps,
    key: { namespace: 'default', name },
  })
  const changeOf = (name: string, verb: CopyChange['verb']): CopyChange => {
    const { resource, key } = sampleOf(name)
    return { resource, side: 'host', original: key, copy: key, verb, latencyMs: 1 }
  }
  const copied = new CopiedSamples(clock)
  copied.note(changeOf('a', 'created'))
  let isComplete = false
  const both = copied.missing([sampleOf('a'), sampleOf('b')], 1000)
  const noted = both.then(() => {
    isComplete = true
  })
  copied.note(changeOf('b', 'deleted'))
  copied.note({ ...changeOf('b', 'created'), resource: secrets })
  copied.note({ ...changeOf('b', 'created'), side: 'virtual' })
  await clock.settle()
  t.notOk(isComplete, 'a deletion, another kind or another side counts for nothing')
  copied.note(changeOf('b', 'created'))
  t.strictSame(await both, [])
  await noted
  const late = copied.missing([sampleOf('a'), sampleOf('c')], 1000)
  await clock.advance(1000)
  t.strictSame(await late, [sampleOf('c')])
  t.equal(clock.pending, 0)
})

void t.test(
  'lines are plain text where the output is no terminal, or where no colours are wanted',
  async (t) => {
    const linesOn = (isTTY: boolean, env: Record<string, string>) => {
      const lines: string[] = []
      const screen = createScreen({ isTTY, write: (text: string) => lines.push(text) > 0 }, env)
      const report = new DevReport(screen, { verbose: false })
      const key = { namespace: 'default', name: 'greeting' }
      const change = { side: 'host', original: key, copy: key } as const
      report.copyChanged({ ...change, resource: configMaps, verb: 'created', latencyMs: 9.2 })
      report.copyChanged({ ...change, resource: secrets, verb: 'edited', latencyMs: undefined })
      report.copyChanged({
        ...change,
        resource: secrets,
        side: 'virtual',
        verb: 'created',
        latencyMs: undefined,
      })
      return lines
    }
    const plain = [
      'default/greeting -> default/greeting  created  9 ms\n',
      'Secret default/greeting -> default/greeting  changed on the host\n',
      'Secret default/greeting -> default/greeting  created in the virtual cluster\n',
    ]
    t.strictSame(linesOn(false, {}), plain)
    t.strictSame(linesOn(true, { NO_COLOR: '1' }), plain)
    t.strictSame(linesOn(true, { TERM: 'dumb' }), plain)
    t.match(linesOn(true, {})[0], '\u001b[')
    t.equal(formatMs(1449), '1.4 s')
  },
)

void t.test('a bar stays below the lines of a terminal, and is none elsewhere', (t) => {
  const shown = (isTTY: boolean) => {
    const written: string[] = []
    const screen = createScreen({ isTTY, write: (text: string) => written.push(text) > 0 }, { NO_COLOR: '1' })
    const report = new DevReport(screen, { verbose: false })
    report.progress({ step: 'synced', done: 1, total: 2, perSecond: null, leftMs: null })
    report.message('hello')
    report.progress(undefined)
    return written
  }
  const bar = `${'#'.repeat(15)}${'-'.repeat(15)}  synced 1 of 2`
  const again = '\r\u001b[2K'
  t.strictSame(shown(true), [bar, `${again}dev       hello\n${bar}`, again])
  t.strictSame(shown(false), ['start     synced 1 of 2\n', 'dev       hello\n'])
  t.end()
})

const overview = (isRunning: boolean, done?: number) => {
  const progress = { step: 'synced', done, total: 1000, perSecond: 50, leftMs: 2000 }
  return { plugin: { isRunning }, progress: done === undefined ? null : progress } as Overview
}

void t.test('a long start is told until it is over, a short one is not', async (t) => {
  const clock = new VirtualClock()
  const told: (number | undefined)[] = []
  const follow = (answers: (Overview | undefined)[], signal: AbortSignal) =>
    followStart({
      read: async () => answers.shift() ?? Promise.reject(new Error('not up')),
      onProgress: (progress) => told.push(progress?.done),
      ...{ everyMs: 1000, clock, signal },
    })
  const never = new AbortController().signal
  const done = overview(true)
  const starting = [undefined, overview(false), overview(false, 1), overview(false, 2)]
  const long = follow([...starting, overview(true, 3), overview(true, 4), done], never)
  await clock.advance(6000)
  await long
  t.strictSame(told.splice(0), [2, 3, 4, undefined])
  const short = follow([overview(false, 1), overview(true, 9), done], never)
  await clock.advance(2000)
  await short
  t.strictSame(told.splice(0), [undefined])
  const ended = new AbortController()
  const broken = follow([], ended.signal)
  await clock.advance(1000)
  ended.abort()
  await broken
  t.strictSame(told, [undefined])
  t.equal(clock.pending, 0)
})

void t.test("the plugin's log becomes lines for people", async (t) => {
  const logged = (fields: object) => readPluginLine(JSON.stringify({ level: 30, time: 1, ...fields }))
  t.strictSame(logged({ msg: 'the plugin is running', syncers: ['a'] }), {
    text: 'the plugin is running  syncers=["a"]',
    entry: { message: 'the plugin is running', fields: { syncers: ['a'] } },
    level: 'info',
    running: true,
  })
  t.match(logged({ level: 50, msg: 'oh', key: 'a/b', error: { message: 'two words' } }), {
    text: 'oh  key=a/b error="two words"',
    level: 'error',
  })
  t.match(readPluginLine('{"level":30,"msg":"cut o'), { level: 'plain', running: false })
  t.strictSame(readPluginLine('hello'), { text: 'hello', level: 'plain', running: false })
  const inside = { '@level': 'warn', '@timestamp': 'now', '@message': 'the plugin is running', key: 'a/b' }
  t.strictSame(readPluginLine(JSON.stringify(inside)), {
    text: 'the plugin is running  key=a/b',
    entry: { message: 'the plugin is running', fields: { key: 'a/b' } },
    level: 'warn',
    running: true,
  })
  t.equal(readPluginLine('1|1|unix|/tmp/plugin1|grpc|'), undefined, 'which is for the vcluster process')
})

void t.test('faults are read in any order, told in words, and a mistake in them is quoted', async (t) => {
  const faults = parseFaults('cut=1m, latency=50ms,errors=2.5%')
  t.strictSame(faults, { latency: 50, errors: 2.5, cut: 60_000 })
  t.equal(
    describeFaults(faults),
    'responses delayed by 50 ms, 2.5% of requests fail, watches cut after 60.0 s',
  )
  t.strictSame(parseFaults('latency=1.5s'), { latency: 1500 })
  const mistakes: [string, RegExp][] = [
    ['', /^--faults must be like latency=50ms,errors=5%,cut=30s, got ""$/],
    ['latency', /^--faults must be like .*, got "latency"$/],
    ['toString=1s', /^--faults must be like .*, got "toString=1s"$/],
    ['latency=1s,latency=2s', /^--faults sets latency twice: latency=1s,latency=2s$/],
    ['latency=50', /^--faults latency must be a duration such as 50ms, 2s or 1m, got "50"$/],
    ['cut=0s', /^--faults cut must be a duration .*, got "0s"$/],
    ['errors=101%', /^--faults errors must be a percentage up to 100%, such as 5%, got "101%"$/],
    ['errors=0.05', /, got "0\.05"$/],
  ]
  for (const [text, message] of mistakes) t.throws(() => parseFaults(text), { name: 'UsageError', message })
})

void t.test('what a plugin fails with is one sentence with the place in its own source', async (t) => {
  const error = new Error('boom\n  twice')
  error.stack = [
    'Error: boom',
    '    at Module.f (/p/node_modules/x/index.js:1:1)',
    '    at async g (file:///p/main%20a.ts:3:7)',
    '    at h (/p/other.ts:9:9)',
  ].join('\n')
  t.equal(failureOf(error, '/p/main a.ts').message, 'boom twice (/p/main a.ts:3:7)')
  t.equal(failureOf(error, '/elsewhere/main.ts').message, 'boom twice')
  t.strictSame(failureOf('thrown', '/p/main.ts'), { message: 'thrown' })
})

void t.test('a plugin is found by its package.json, else by main.ts', async (t) => {
  const dir = t.testdir({
    plain: { 'main.ts': '' },
    named: {
      'package.json': '{"name":"@team/mine","vcluster-plugin":{"main":"src/start.ts"}}',
      src: { 'start.ts': '' },
    },
    lost: { 'package.json': '{"vcluster-plugin":{"main":"gone.ts"}}' },
    broken: { 'package.json': '{"name":' },
    empty: {},
  })
  t.match(await findPlugin(join(dir, 'plain')), { name: 'plain', entry: join(dir, 'plain/main.ts') })
  t.match(await findPlugin(join(dir, 'named')), { name: 'mine', entry: join(dir, 'named/src/start.ts') })
  const refused = (folder: string, message: RegExp) =>
    t.rejects(findPlugin(join(dir, folder)), { code: 'NO_PLUGIN', message })
  await refused('lost', /is gone\.ts, which label not exist$/)
  await refused('broken', /package\.json is not JSON: /)
  await refused('empty', /^there is no plugin in .*empty: add a main\.ts/)
  await refused('nowhere', /nowhere is not a folder; pass the folder of a plugin$/)
})

void t.test('samples come from samples.yaml, and a bad one is named', async (t) => {
  const object = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }'
  const dir = t.testdir({
    own: { 'samples.yaml': `---\n${object}\n---\n# nothing\n---\n${object}\n` },
    none: {},
    host: { 'host-samples.yaml': object },
    broken: { 'samples.yaml': 'a: [1\n' },
    nameless: { 'samples.yaml': 'kind: ConfigMap\n' },
  })
  t.equal((await readSamples(join(dir, 'own'))).length, 2)
  t.ok((await readSamples(join(dir, 'none'))).length > 1)
  t.same(await readHostSamples(join(dir, 'own')), [])
  t.equal((await readHostSamples(join(dir, 'host'))).length, 1)
  await t.rejects(readSamples(join(dir, 'broken')), {
    code: 'BAD_SAMPLES',
    message: /samples\.yaml: .* line 2/,
  })
  await t.rejects(readSamples(join(dir, 'nameless')), {
    code: 'BAD_SAMPLES',
    message: /needs apiVersion, kind/,
  })
})

void t.test('a file that is named takes the place of samples.yaml, and must be there', async (t) => {
  const object = '{ apiVersion: v1, kind: ConfigMap, metadata: { name: a } }'
  const dir = t.testdir({ 'samples.yaml': `${object}\n---\n${object}`, 'seed.yaml': object })
  t.equal((await readSamples(dir, join(dir, 'seed.yaml'))).length, 1)
  await t.rejects(readSamples(dir, join(dir, 'none.yaml')), {
    code: 'BAD_SAMPLES',
    message: /the file label not exist/,
  })
})

void t.test('on a terminal a letter and Enter do something, and any other lists them', async (t) => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const seen: string[] = []
  const keys = { r: { label: 'restart the plugin', run: () => void seen.push('restarted') } }
  const end = handleKeys(input, keys, (text) => seen.push(text))
  for (const line of ['r', ' R ', '', 'h']) input.write(`${line}\n`)
  await new Promise((resolve) => setImmediate(resolve))
  t.same(seen, ['restarted', 'restarted', 'r + Enter  restart the plugin'])
  end()
  handleKeys(new PassThrough(), keys, () => t.fail('nobody types here'))()
})

void t.test('kubeconfigs are for their owner alone, also where they were not before', async (t) => {
  const dir = t.testdir({ 'host.kubeconfig': 'old', file: '' })
  const files = await writeKubeconfigs(dir, { virtual: 'v', host: 'h' })
  const { readFileSync, statSync } = await import('node:fs')
  t.strictSame([readFileSync(files.virtual, 'utf8'), readFileSync(files.host, 'utf8')], ['v', 'h'])
  t.strictSame(
    [files.virtual, files.host].map((file) => statSync(file).mode & 0o777),
    [0o600, 0o600],
  )
  await t.rejects(writeKubeconfigs(join(dir, 'file'), files), { code: 'CANNOT_WRITE' })
})

void t.test('a reserved port is refused to others, and free after its release', async (t) => {
  const reserved = await reservePort(0, '--x-port')
  await t.rejects(reservePort(reserved.port, '--x-port'), {
    code: 'ADDRESS_IN_USE',
    message: `port ${reserved.port} is in use; stop the program that listens on it, or choose another port with --x-port`,
  })
  await reserved.release()
  const server = createServer().listen(reserved.port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
})

class FakeProcess implements PluginProcess {
  readonly exited: Promise<Exit>
  readonly pid = 1
  end: (exit: Exit) => void = () => {}

  constructor() {
    this.exited = new Promise((resolve) => {
      this.end = resolve
    })
  }

  async terminate(): Promise<void> {
    this.kill()
  }

  kill(): void {
    this.end({ code: null, signal: 'SIGKILL', failure: undefined })
  }
}

function keeperWithFakes() {
  const clock = new VirtualClock()
  const processes: FakeProcess[] = []
  const crashes: string[] = []
  const keeper = new PluginKeeper({
    folder: 'my-plugin',
    clock,
    spawn: () => processes[processes.push(new FakeProcess()) - 1] ?? new FakeProcess(),
    onStart: () => {},
    onCrash: (reason, delayMs) => crashes.push(`${reason} ${delayMs}`),
  })
  const crash = async () => {
    processes.at(-1)?.end({ code: 1, signal: null, failure: undefined })
    await clock.settle()
  }
  return { clock, processes, crashes, keeper, crash }
}

void t.test('a crashed plugin is started again, ever later until it has run for a while', async (t) => {
  const { clock, processes, crashes, keeper, crash } = keeperWithFakes()
  const ended = keeper.run()
  keeper.cameUp()
  for (const delayMs of [0, 1000, 2000, 4000]) {
    await crash()
    await clock.advance(delayMs)
  }
  t.equal(processes.length, 5)
  await clock.advance(10_001)
  await crash()
  t.strictSame(
    crashes.map((line) => line.replace('it exited with status 1 ', '')),
    ['0', '1000', '2000', '4000', '0'],
  )
  await keeper.stop()
  await ended
  t.equal(clock.pending, 0)
})

void t.test('a changed plugin is started at once, also while a crashed one waits', async (t) => {
  const { clock, processes, crashes, keeper, crash } = keeperWithFakes()
  const ended = keeper.run()
  keeper.cameUp()
  await keeper.restart()
  await clock.settle()
  t.strictSame([processes.length, crashes.length], [2, 0])
  await crash()
  await clock.advance(0)
  await crash()
  await keeper.restart()
  await clock.settle()
  t.equal(processes.length, 4)
  keeper.kill()
  await ended
})

void t.test('a plugin that never came up is not started again', async (t) => {
  const { keeper, processes } = keeperWithFakes()
  const ended = keeper.run()
  processes[0]?.end({ code: 1, signal: null, failure: { message: 'boom' } })
  await t.rejects(ended, { code: 'PLUGIN_FAILED', message: 'the plugin in my-plugin failed at start: boom' })
  const another = keeperWithFakes()
  const endedToo = another.keeper.run()
  another.processes[0]?.end({ code: 0, signal: null, failure: undefined })
  await t.rejects(endedToo, { message: /label its program call plugin\.start\(\)\?$/ })
})

void t.test(
  'a burst of changes in sources is told once; tests, packages and other files are not',
  async (t) => {
    const dir = t.testdir({
      'a.ts': '',
      'a.test.ts': '',
      'notes.md': '',
      node_modules: { x: { 'i.js': '' } },
      sub: {},
    })
    const clock = new VirtualClock()
    const stop = new AbortController()
    const told: string[] = []
    await watchSources({ roots: [dir], signal: stop.signal, clock, onChange: (file) => told.push(file) })

    for (const file of ['node_modules/x/i.js', 'notes.md', 'a.test.ts', 'sub/b.ts', 'a.ts'])
      await writeFile(join(dir, file), '1')
    await eventsRead()
    await clock.advance(80)
    t.strictSame(told, [join(dir, 'sub/b.ts')])

    await rm(join(dir, 'a.ts'))
    await eventsRead()
    await clock.advance(80)
    t.strictSame(told.slice(1), [join(dir, 'a.ts')])
    stop.abort()
  },
)

/** The kernel has its events ready when the change is made; a few turns of the event loop read them. */
async function eventsRead(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}
