import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import type { ControllerExplanation } from '../../sdk/engine/inspector/controller-explanation.js'
import type { Explanation } from '../../sdk/engine/inspector/explanation-view.js'
import { configMaps } from '../../sdk/engine/kube/builtin.js'
import { configMap, inspectedPlugin } from '../../sdk/vcluster/plugin/inspection/inspected-plugin.fixture.js'
import { askInspector, inspectorUrl } from '../inspector/ask-inspector.js'
import { writeInspectorAddress } from '../inspector/inspector-address.js'
import { createScreen } from '../terminal/screen.js'
import { explanationLines } from './explanation-lines.js'
import { runWhy } from './run-why.js'

const screen = createScreen({ write: () => true }, {})

void t.test('the command explains an object of a running plugin', async (t) => {
  const { url, virtual, host, settled, stop } = await inspectedPlugin()
  t.teardown(stop)
  await host.create(configMaps, configMap('vcluster-vc/taken-x-default-x-vc', { text: 'mine' }))
  for (const name of ['greeting', 'taken']) await virtual.create(configMaps, configMap(`default/${name}`))
  await settled()
  const told = async (name: string) => {
    const at = await inspectorUrl({ url, dir: '' })
    const explained = await askInspector(at, { kind: 'configmap', name, namespace: 'default' })
    return explained.flatMap((one) => explanationLines(one, screen))
  }
  const times = (lines: readonly string[]) =>
    lines.map((line) => line.replace(/\d\d:\d\d:\d\d\.\d{3} {2}/, ''))
  const greeting = await told('greeting')
  t.equal(
    greeting[0],
    'in sync  ConfigMap default/greeting is in sync with vcluster-vc/greeting-x-default-x-vc.',
  )
  t.strictSame(greeting.slice(2, 5), [
    'syncer      configmap (v1 ConfigMap)',
    'virtual     default/greeting',
    'host        vcluster-vc/greeting-x-default-x-vc',
  ])
  t.match(greeting[5], /^owned +yes: The label vcluster.loft.sh\/managed-by=vc says so/)
  for (const line of [
    'differs     no: the copy equals what the syncer wants',
    'next run    at the next change',
    'events      none',
  ])
    t.ok(greeting.includes(line), line)
  t.match(
    times(greeting).find((line) => line.startsWith('history')),
    /^history +virtual {2}appeared, resourceVersion \d+$/,
  )
  const taken = times(await told('taken'))
  for (const line of [
    'host        vcluster-vc/taken-x-default-x-vc (not a copy of this object)',
    'differs     from what the syncer wants:',
    '            data.text: wanted "hello", found "mine"',
  ])
    t.ok(taken.includes(line), line)
  t.match(taken[0], /^name conflict {2}ConfigMap default\/taken is not copied, because vcluster-vc\/taken/)
  t.ok(taken.some((line) => /Warning NameConflict from configmap-syncer: /.test(line)))
  t.match((await told('absent')).slice(0, 4), [
    /^not found {2}There is no ConfigMap default\/absent/,
    '',
    String,
    /\(does not exist\)$/,
  ])
})

void t.test('an explanation with all parts is printed as lines', async (t) => {
  const run = { what: 'run', atMs: 0, durationMs: 7 } as const
  const explanation: Explanation = {
    namespace: 'default',
    name: 'big',
    syncer: 'configmap',
    kind: 'ConfigMap',
    apiVersion: 'v1',
    host: 'vc/big',
    cluster: null,
    release: null,
    hasVirtual: true,
    hasHost: true,
    state: 'quarantined',
    problem: 'no',
    failures: 12,
    dueInMs: 42_000,
    summary: 'It failed.',
    originals: 'virtual',
    isRunning: false,
    isWaiting: false,
    shard: null,
    conflictsWith: null,
    ownership: { owned: true, reasons: ['It is ours.', 'It names the UID of the original.'] },
    comparedWith: 'original',
    differences: Array.from({ length: 20 }, (_, n) => ({ path: `data.k${n}`, wanted: null, found: '"v"' })),
    lines: [],
    timeline: [
      { what: 'write', atMs: 0, side: 'host', verb: 'deleted', resourceVersion: '' },
      { what: 'process', atMs: 0, verb: 'ended', text: 'process 7 was ended by SIGKILL' },
      { what: 'process', atMs: 0, verb: 'started', text: 'process 8' },
      { ...run, result: 'error', lagMs: 1500, nextInMs: 100, error: 'no' },
    ],
    recorded: [],
    events: [{ atMs: 0, type: 'Warning', reason: 'Bad', message: 'no', count: 3, from: 'me' }],
  }
  const lines = explanationLines(explanation, screen)
  for (const line of [
    'owned       yes: It is ours.',
    '            It names the UID of the original.',
    'differs     from its original:',
    '            data.k0: wanted (missing), found "v"',
    '            and 8 more fields',
    'next run    in 42.0 s, after 12 failures in a row',
    'history     00:00:00.000  host     deleted by the plugin',
    '            00:00:00.000  program  process 7 was ended by SIGKILL',
    '            00:00:00.000  program  process 8 started',
    '            00:00:00.000  run      error in 7 ms, 1.5 s after the change: no',
    'events      00:00:00.000  Warning Bad (3 times) from me: no',
  ])
    t.ok(lines.includes(line), line)
  const next = (changed: Partial<Explanation>) =>
    explanationLines({ ...explanation, failures: 0, ...changed }, screen).find((line) =>
      line.startsWith('next run'),
    )
  t.equal(next({ isRunning: true }), 'next run    running now')
  t.equal(next({ isWaiting: true }), 'next run    when a worker is free')
  const charged = (shard: Explanation['shard']) =>
    explanationLines({ ...explanation, summary: 'It is elsewhere.', shard }, screen)
  const [first, , , charge] = charged({ shard: 3, count: 16, isOurs: false, holder: 'plugin-1_x' })
  t.equal(first, 'elsewhere  It is elsewhere.')
  t.equal(charge, 'shard       shard 3 of 16, which plugin-1_x serves')
  const ours = charged({ shard: 3, count: 16, isOurs: true, holder: 'plugin-0_x' })
  t.match(ours, [/^quarantined /, '', String, 'shard       shard 3 of 16, which this replica serves'])
  const lost = explanationLines({ ...explanation, events: [], eventsError: 'forbidden' }, screen)
  t.ok(lost.includes('events      could not be read: forbidden'))
})

void t.test('an object of a controller is explained with its release', (t) => {
  const run = { what: 'run', atMs: 0, durationMs: 7, result: 'requeue_after' } as const
  const revision = {
    description: 'Upgrade complete',
    chart: 'web-1.2.0',
    appVersion: '2',
    atMs: 0,
    changes: null,
  }
  const explanation: ControllerExplanation = {
    namespace: 'default',
    name: 'daily',
    syncer: 'backups',
    controller: 'backups',
    cluster: 'main',
    program: 'operator',
    kind: 'Backup',
    apiVersion: 'cache.my.domain/v1',
    host: null,
    hasVirtual: true,
    hasHost: false,
    state: 'in sync',
    problem: null,
    failures: 0,
    dueInMs: 5000,
    tree: [],
    recorded: [],
    release: null,
    summary: 'It is reconciled.',
    isRunning: false,
    isWaiting: false,
    shard: null,
    conflictsWith: null,
    lastRun: run,
    waitsFor: ['Its next run is in 5 s.'],
    facts: [{ name: 'phase', texts: ['ready', 'since today'] }],
    conditions: [
      { type: 'Available', status: 'False', reason: 'NotReady', message: '1 of 2', atMs: null },
      { type: 'Ready', status: 'True', reason: '', message: '', atMs: null },
    ],
    owned: Array.from({ length: 14 }, (_, n) => ({
      cluster: 'main',
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'default',
      name: `p${n}`,
      problem: n === 0 ? 'Ready is False' : null,
    })),
    releaseDetails: {
      cluster: 'main',
      name: 'daily',
      namespace: 'default',
      isOwn: true,
      stage: 'apply',
      objects: ['Pod default/p0'],
      latest: { ...revision, revision: 2, status: 'pending-upgrade' },
      drift: [
        { object: 'Pod default/p0', fields: ['spec.a', 'spec.b'] },
        { object: 'Pod default/p1', fields: [] },
      ],
      notReady: ['Deployment default/web'],
      revisions: [
        { ...revision, revision: 1, status: 'superseded' },
        { ...revision, revision: 2, status: 'pending-upgrade' },
      ],
    },
    yaml: '',
    timeline: [
      {
        what: 'write',
        atMs: 0,
        side: 'main',
        verb: 'written',
        resourceVersion: '4',
        object: 'Pod default/p0',
      },
    ],
    events: [],
  }
  const lines = explanationLines(explanation, screen)
  t.strictSame(lines.slice(0, 13), [
    'in sync  It is reconciled.',
    '',
    'controller  backups (cache.my.domain/v1 Backup)',
    'object      default/daily in main',
    'last run    00:00:00.000  requeue_after in 7 ms',
    'waits for   Its next run is in 5 s.',
    'phase       ready',
    '            since today',
    'conditions  Available=False NotReady: 1 of 2',
    '            Ready=True',
    'owns        Pod default/p0: Ready is False',
    '            Pod default/p1',
    '            Pod default/p2',
  ])
  t.strictSame(lines.slice(-9), [
    '            and 2 more',
    'release     daily in default, web-1.2.0, 1 object',
    'revision    2 pending-upgrade at apply: Upgrade complete',
    'drift       Pod default/p0 differs at spec.a, spec.b',
    '            Pod default/p1 is gone',
    'not ready   Deployment default/web',
    'before      1 superseded: Upgrade complete',
    'history     00:00:00.000  main     Pod default/p0 written by the operator, resourceVersion 4',
    'events      none',
  ])
  const changed = (part: Partial<ControllerExplanation>) =>
    explanationLines({ ...explanation, ...part }, screen)
  t.match(changed({ program: 'plugin' }).at(-2), /written by the plugin/)
  const hidden = { summary: 'a\u001b[2J', facts: [{ name: 'phase', texts: ['b\u001b]0;c\u0007'] }] }
  t.notMatch(changed(hidden).join(), /\p{Cc}/u, 'what a tenant writes does not control the terminal')
  t.ok(changed({ waitsFor: [] }).includes('waits for   a change'))
  t.ok(changed({ lastRun: null }).includes('last run    none recorded'))
  t.ok(changed({ releaseError: 'forbidden' }).includes('release     could not be read: forbidden'))
  const failed = { ...run, result: 'error', error: 'bad values:\nweb: no' } as const
  t.strictSame(changed({ timeline: [failed, { ...failed, durationMs: 8 }, run] }).slice(-5), [
    'history     00:00:00.000  run      error in 7 ms: bad values:',
    '            web: no',
    '            00:00:00.000  run      error in 8 ms: the same',
    '            00:00:00.000  run      requeue_after in 7 ms',
    'events      none',
  ])
  t.notOk(changed({ releaseDetails: null }).some((line) => /^(release|drift)/.test(line)))
  t.end()
})

void t.test('without an inspector the error says what to do', async (t) => {
  const asked = { kind: 'configmap', name: 'greeting', namespace: 'default', output: 'text' } as const
  const why = (url: string | undefined, kind = 'configmap') =>
    runWhy({ ...asked, kind, url, dir: t.testdirName })
  await t.rejects(why(undefined), {
    code: 'NO_INSPECTOR',
    message:
      /^there is no file .+; start vcluster-plugin dev in this folder, .* or pass the address of a running/,
  })
  await t.rejects(why('http://:::'), { message: /must be an address such as .*, got "http:\/\/:::"/ })
  await t.rejects(why('127.0.0.1:1'), { code: 'NO_INSPECTOR', message: /VCLUSTER_PLUGIN_INSPECT=1/ })
  const other = createServer((_, response) => response.writeHead(500).end('<html>'))
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  t.teardown(() => other.close())
  await t.rejects(why(`127.0.0.1:${(other.address() as AddressInfo).port}`), {
    message: /answered 500: <html>/,
  })
  const { url, stop } = await inspectedPlugin()
  t.teardown(stop)
  await t.rejects(why(url, 'Gadget'), {
    code: 'UNKNOWN_KIND',
    message: /the program has no syncer or controller for Gadget; it has some for: ConfigMap, Secret$/,
  })
  const written = t.capture(process.stdout, 'write')
  await t.rejects(why(url), { code: 'NO_OBJECT', message: /^there is no ConfigMap default\/greeting in / })
  const printed = written().map(({ args: [text] }) => String(text))
  t.notOk(
    printed.some((text) => text.includes('last run')),
    'a name without a history has only the error',
  )
  const off = await inspectedPlugin({ inspector: false })
  t.teardown(off.stop)
  await t.rejects(why(off.url), { message: /answered 404: its inspector is off/ })
})

void t.test('why finds the address that dev wrote', async (t) => {
  const dir = t.testdir()
  const url = 'http://127.0.0.1:4711/inspector/'
  await writeInspectorAddress(dir, { url })
  t.equal(await inspectorUrl({ url: undefined, dir }), url)
  await writeInspectorAddress(`${dir}/none`, { url: undefined })
  await t.rejects(inspectorUrl({ url: undefined, dir: `${dir}/none` }))
})
