import t from 'tap'
import type { Overview } from '../../sdk/engine/inspector/model.js'
import { configMaps, pods, secrets } from '../../sdk/engine/kube/builtin.js'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import type { CopyChange } from '../copies/copy-log.js'
import { createScreen, formatMs } from '../terminal/screen.js'
import { CopiedSamples } from './copied-samples.js'
import { followStart } from './follow-start.js'
import { hintCommands, hintsAbout } from './hints.js'
import { isForbiddenLine } from './permission-advice.js'
import { DevReport } from './report.js'

void t.test('the hints are about the kinds that the plugin registered', (t) => {
  const facts = {
    virtual: { url: '', source: '', kubectl: 'kubectl --kubeconfig v' },
    host: { url: '', source: '', kubectl: 'kubectl --kubeconfig h' },
    targetNamespace: 'ns',
  }
  const none = { syncers: [], hostReads: [] }
  const hints = (description: Parameters<typeof hintsAbout>[0]) =>
    hintCommands(facts, hintsAbout(description))
  const virtual = (does: string) => `kubectl --kubeconfig v ${does}`
  const host = (does: string) => `kubectl --kubeconfig h ${does}`
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

void t.test('the samples count as mirrored when the last one has a copy', async (t) => {
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
  copied.record(changeOf('a', 'created'))
  let isComplete = false
  const both = copied.waitForMissing([sampleOf('a'), sampleOf('b')], 1000)
  const noted = both.then(() => {
    isComplete = true
  })
  copied.record(changeOf('b', 'deleted'))
  copied.record({ ...changeOf('b', 'created'), resource: secrets })
  copied.record({ ...changeOf('b', 'created'), side: 'virtual' })
  await clock.settle()
  t.notOk(isComplete, 'deletions, other kinds and other sides do not count')
  copied.record(changeOf('b', 'created'))
  t.strictSame(await both, [])
  await noted
  const late = copied.waitForMissing([sampleOf('a'), sampleOf('c')], 1000)
  await clock.advance(1000)
  t.strictSame(await late, [sampleOf('c')])
  t.equal(clock.pending, 0)
})

void t.test('lines are plain text if the output is not a terminal or NO_COLOR is set', async (t) => {
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
})

void t.test('a progress bar is the last line of a terminal, and other outputs have none', (t) => {
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

void t.test('each start says once how long it took, of a program until its kind is known', (t) => {
  const clock = new VirtualClock()
  const written: string[] = []
  const screen = createScreen({ write: (text: string) => written.push(text) > 0 }, {})
  const report = new DevReport(screen, { verbose: false, clock })
  const running = { text: '', level: 'info', running: true } as const
  const plugin = { name: 'mine' } as Parameters<typeof report.pluginStarted>[0]
  for (const [pid, tookMs] of [
    [1, 740],
    [2, 310],
  ] as const) {
    if (pid === 2) report.setProgram('operator')
    report.pluginStarted(plugin, pid)
    report.pluginLine({ ...running, running: false })
    clock.jump(tookMs)
    report.pluginLine(running)
    report.pluginLine(running)
  }
  t.strictSame(written, [
    'program   mine started, process 1\n',
    'program   ready in 740 ms\n',
    'operator  mine started, process 2\n',
    'operator  ready in 310 ms\n',
  ])
  t.end()
})

void t.test('the advice about a missing permission is shown once for each process', (t) => {
  const written: string[] = []
  const screen = createScreen({ write: (text: string) => written.push(text) > 0 }, {})
  const report = new DevReport(screen, { verbose: false })
  const failed = (code: number, reason: string) => {
    const entry = { message: 'reconciling failed', fields: { error: { code, reason, message: `${code}` } } }
    report.pluginLine({ text: '', level: 'error', running: false, entry })
  }
  failed(409, 'Conflict')
  failed(403, 'Forbidden')
  failed(403, 'Forbidden')
  const advice = written.filter((line) => line.startsWith('dev '))
  t.match(advice, [/^dev +if the program lacks this permission, list it in "permissions".*--as-admin/])
  t.equal(advice.length, 1)
  const error = 'services "shop" is forbidden: User "plugin" cannot get resource "services" in API group ""'
  t.ok(isForbiddenLine({ error }), 'as a manager of a Module passes it on')
  t.notOk(isForbiddenLine({ error: 'smoking is forbidden' }))
  t.end()
})

const overview = (isRunning: boolean, done?: number) => {
  const progress = { step: 'synced', done, total: 1000, perSecond: 50, leftMs: 2000 }
  return { plugin: { isRunning }, progress: done === undefined ? null : progress } as Overview
}

void t.test('a long start is reported until it ends, and a short one is not', async (t) => {
  const clock = new VirtualClock()
  const told: (number | undefined)[] = []
  const follow = (answers: (Overview | undefined)[], signal: AbortSignal) =>
    followStart({
      read: async () => answers.shift() ?? Promise.reject(new Error('not up')),
      onProgress: (progress) => told.push(progress?.done),
      everyMs: 1000,
      clock,
      signal,
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
