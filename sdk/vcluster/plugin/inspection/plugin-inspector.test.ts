import { request } from 'node:http'
import t, { type Test } from 'tap'
import type { Explanation, RunEntry } from '../../../engine/inspector/explanation-view.js'
import type { Overview } from '../../../engine/inspector/model.js'
import type { PairPage } from '../../../engine/inspector/pair-model.js'
import { redacted } from '../../../engine/inspector/redact.js'
import { configMaps, pods, secrets } from '../../../engine/kube/builtin.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { RunningSyncer } from '../../syncer/reconcile/run-syncer.js'
import type { Reconciler } from '../../syncer/reconciler.js'
import { compareCopy } from './compare-copy.js'
import { configMap, inspectedPlugin, pod, secretText } from './inspected-plugin.fixture.js'
import { lineDiff } from './line-diff.js'
import { pairState } from './pair-state.js'
import { withServerSet } from './server-set-lines.js'
import { shownDifferences } from './shown-differences.js'

async function started(t: Test, options?: { inspector?: boolean }) {
  const plugin = await inspectedPlugin(options)
  t.teardown(() => plugin.stop())
  const why = async (query: string) => (await plugin.read(`why?${query}`)) as Explanation[]
  const pairs = async (query = '') => (await plugin.read(`pairs?${query}`)) as PairPage
  const overview = async () => (await plugin.read('overview')) as Overview
  return { ...plugin, why, pairs, overview }
}

void t.test('the overview tells what the plugin is and what its syncers, watches and hooks do', async (t) => {
  const { virtual, settled, overview } = await started(t)
  await virtual.create(secrets, { metadata: { name: 'key', namespace: 'default' } })
  await virtual.create(pods, pod('default/web'))
  await settled()
  t.match(await overview(), {
    plugin: {
      name: 'test',
      vclusterName: 'vc',
      targetNamespace: 'vcluster-vc',
      mode: 'standalone',
      isRunning: true,
    },
    leadership: { state: 'leading', deadlineInMs: null, shards: null },
    progress: null,
    syncers: [
      {
        name: 'configmap',
        kind: 'ConfigMap',
        originals: 'virtual',
        load: { waiting: 0, running: 0, workers: Number },
      },
      { name: 'secret', objects: { virtual: 1, host: 1 }, runs: { success: Number }, lag: { p50Ms: Number } },
    ],
    hooks: [{ name: 'stamp', kind: 'Pod', type: 'CreatePhysical', calls: { unchanged: 1 }, meanMs: Number }],
  })
  const { watches, syncers } = await overview()
  const seen = watches.filter(({ kind }) => kind === 'Secret')
  t.match(seen, [
    {
      side: 'virtual',
      namespace: null,
      objects: 1,
      synced: true,
      served: true,
      ageMs: Number,
      lists: 1,
      streams: 1,
    },
    { side: 'host', namespace: 'vcluster-vc', objects: 1 },
  ])
  t.ok(syncers[1]?.windows.some(({ runs, p99Ms }) => runs > 0 && p99Ms !== null))
})

void t.test('every pair is listed with its state, and found by text, state and syncer', async (t) => {
  const { virtual, host, settled, pairs } = await started(t)
  await host.create(configMaps, configMap('vcluster-vc/own-taken-x-default-x-vc'))
  for (const name of ['own-greeting', 'own-taken', 'own-never', 'own-private'])
    await virtual.create(configMaps, configMap(`default/${name}`))
  await settled()
  const { pairs: all, counts, matched } = await pairs('syncer=configmap&text=own-')
  t.same(
    all.map(({ name, state, hasHost }) => [name, state, hasHost]),
    [
      ['own-taken', 'name conflict', false],
      ['own-never', 'given up', false],
      ['own-private', 'not copied', false],
      ['own-greeting', 'in sync', true],
    ],
  )
  t.match(counts, { 'in sync': 1, 'given up': 1, 'not copied': 1, 'name conflict': 1, quarantined: 0 })
  t.equal(matched, 4)
  const conflicting = await pairs('state=name%20conflict')
  t.match(conflicting, {
    matched: 1,
    pairs: [{ name: 'own-taken', host: 'vcluster-vc/own-taken-x-default-x-vc' }],
  })
  t.match(await pairs('text=OWN-&limit=1&offset=2'), { matched: 4, pairs: [{ name: 'own-private' }] })
})

void t.test('one object is explained: what it is, whose, what differs, and what has happened', async (t) => {
  const { virtual, host, settled, why } = await started(t)
  await virtual.create(configMaps, configMap('default/greeting'))
  await settled()
  const copy = { namespace: 'vcluster-vc', name: 'greeting-x-default-x-vc' }
  const [alike] = await why('kind=configmap&namespace=default&name=greeting')
  t.match(alike, {
    state: 'in sync',
    summary: 'ConfigMap default/greeting is in sync with vcluster-vc/greeting-x-default-x-vc.',
    ownership: { owned: true },
    differences: [],
    dueInMs: null,
    events: [],
  })
  const told = alike?.timeline.map(
    (entry) =>
      `${entry.what} ${'side' in entry ? `${entry.verb} ${entry.side}` : 'result' in entry && entry.result}`,
  )
  t.equal(told?.[0], 'change appeared virtual')
  // The watch may tell of a write before its answer is read.
  t.ok(
    told?.some((one) => /^change (appeared|changed) host$/.test(one)),
    String(told),
  )
  const order = ['write written host', 'run success'].map((one) => told?.indexOf(one) ?? -1)
  t.ok(0 < (order[0] ?? 0) && (order[0] ?? 0) < (order[1] ?? 0), String(told))
  t.ok(alike?.lines.some(({ same, virtual }) => same && virtual === '  text: hello'))
  await host.patch(configMaps, copy, {
    type: 'merge',
    body: { metadata: { labels: { 'vcluster.loft.sh/managed-by': null } } },
  })
  await settled()
  const [foreign] = await why('kind=ConfigMap&namespace=default&name=greeting')
  t.match(foreign, {
    state: 'name conflict',
    conflictsWith: `${copy.namespace}/${copy.name}`,
    dueInMs: Number,
  })
  t.match(foreign?.ownership, {
    owned: false,
    reasons: [/not provably a copy/, /no label vcluster.loft.sh\/managed-by/],
  })
  t.match(foreign?.events, [{ type: 'Warning', reason: 'NameConflict', from: 'configmap-syncer' }])
  t.match(await why('kind=configmaps&name=absent'), [{ summary: 'There is no ConfigMap default/absent.' }])
  t.same(await why('kind=Gadget&name=greeting'), [], 'no syncer has to do with it')
  const known = { summary: 'There is no ConfigMap default/absent.', shard: null }
  for (const kind of ['cm', 'configMaps', 'configmaps.v1.'])
    t.match(await why(`kind=${kind}&name=absent`), [known], kind)
})

void t.test('the data of a Secret is in no response', async (t) => {
  const { virtual, url, settled, ask, why } = await started(t)
  const data = { password: Buffer.from(secretText).toString('base64') }
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ stringData: secretText, data }),
  }
  for (const name of ['key', 'leaky'])
    await virtual.create(secrets, { metadata: { name, namespace: 'default', annotations }, data })
  await settled()
  const live = firstEvents(`${url}/inspector/api/live`)
  const paths = ['overview', 'pairs', 'why?kind=Secret&name=key', 'why?kind=Secret&name=leaky']
  const answers = await Promise.all(paths.map((path) => ask(`/inspector/api/${path}`)))
  for (const text of [...answers.map(({ text }) => text), await live]) {
    t.ok(text.length > 100)
    for (const secret of [secretText, data.password]) t.notOk(text.includes(secret), text)
  }
  const [key] = await why('kind=Secret&name=key')
  t.match(
    key?.lines.find(({ virtual }) => virtual?.includes('password')),
    { same: true, virtual: /<40 bytes, hash \w{12}>/ },
  )
  t.match(key, { state: 'in sync', differences: [] })
  const [leaky] = await why('kind=Secret&name=leaky')
  t.match(leaky?.summary, /PermanentError; its message is hidden/)
  const hidden = (value: string) =>
    JSON.stringify(redacted(secrets, { metadata: {}, data: { a: value } } as KubeObject))
  t.notSame(hidden('one'), hidden('two'))
  t.same(hidden('one'), hidden('one'))
})

void t.test('it is off unless it is asked for, and changes nothing', async (t) => {
  const off = await started(t, { inspector: false })
  for (const path of ['/inspector/', '/inspector/api/overview'])
    t.match(await off.ask(path), { status: 404, text: /healthz/ })
  const on = await started(t)
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    t.match(await on.ask('/inspector/api/overview', { method }), { status: 405 })
  t.match(await on.ask('/inspector/api/overview', { method: 'HEAD' }), { status: 200, text: '' })
  t.match(await on.ask('/inspector/api/nothing'), { status: 404, text: /There is nothing/ })
})

void t.test('pages of other sites and other names are not answered', async (t) => {
  const { url, ask } = await started(t)
  const { port } = new URL(url)
  const path = '/inspector/api/overview'
  for (const host of [
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    '10.0.0.7',
    'localhost.evil.example',
  ])
    t.match(await ask(path, { headers: { host } }), { status: 403 }, host)
  for (const host of [`localhost:${port}`, 'LOCALHOST:8080', `[::1]:${port}`, '127.0.0.1'])
    t.match(await ask(path, { headers: { host } }), { status: 200 }, host)
  for (const site of ['cross-site', 'same-site'])
    t.match(await ask(path, { headers: { 'sec-fetch-site': site } }), { status: 403 }, site)
  t.match(await ask(path, { headers: { 'sec-fetch-site': 'same-origin' } }), { status: 200 })
  const { headers } = await ask(path)
  t.match(headers, {
    'content-security-policy': /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
  t.notOk(Object.keys(headers).some((name) => name.startsWith('access-control')))
})

void t.test('the page is served with its files, and needs no others', async (t) => {
  const { ask } = await started(t)
  t.match(await ask('/inspector'), { status: 308, headers: { location: '/inspector/' } })
  const files = [
    ['', /^text\/html/],
    ['app.js', /^text\/javascript/],
    ['style.css', /^text\/css/],
    ['icon.svg', /^image\/svg\+xml$/],
  ] as const
  for (const [file, type] of files) {
    const { status, headers, text } = await ask(`/inspector/${file}`)
    t.match({ status, headers }, { status: 200, headers: { 'content-type': type } }, file)
    t.notMatch(
      text.replaceAll(/http:\/\/www\.w3\.org\/(2000\/svg|1999\/xhtml|1998\/Math\/MathML)/g, ''),
      /https?:\/\//,
      `${file} names no other server`,
    )
  }
  for (const file of ['constructor', 'app.ts', '../package.json'])
    t.match(await ask(`/inspector/${file}`), { status: 404 })
})

/** The text of a live stream until it has told of a run. */
function firstEvents(url: string, until = 'event: overview'): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(url, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
        if (!text.slice(text.indexOf(until)).includes('\n\n') || !text.includes(until)) return
        asked.destroy()
        resolve(text)
      })
    })
    asked.once('error', reject)
    asked.end()
  })
}

void t.test('the live stream sends the plugin at once and runs as they end', async (t) => {
  const { virtual, url, settled } = await started(t)
  const told = firstEvents(`${url}/inspector/api/live`, '"name":"greeting"')
  await firstEvents(`${url}/inspector/api/live`)
  await virtual.create(configMaps, configMap('default/greeting'))
  await settled()
  const events = (await told).split('\n\n').map((event) => event.split('\n'))
  t.equal(events[0]?.[0], 'retry: 1000')
  t.equal(events[1]?.[0], 'event: overview')
  const runs = events
    .filter(([name]) => name === 'event: runs')
    .flatMap(([, data = '']) => JSON.parse(data.replace(/^data: /, '')))
  t.match(runs[0], { name: 'kube-root-ca.crt' }, 'those of before, too')
  const [run] = runs.filter(({ name }) => name === 'greeting')
  t.match(run, { syncer: 'configmap', namespace: 'default', result: 'success', atMs: Number })
})

const state = {
  isWaiting: false,
  isRunning: false,
  dueInMs: undefined,
  failures: 0,
  isQuarantined: false,
  conflictsWith: undefined,
}
const pair = { virtual: { metadata: {} }, hostKey: undefined, host: undefined, isPair: false }
const run = (result: RunEntry['result'], error?: string): RunEntry => ({
  what: 'run',
  atMs: 0,
  result,
  durationMs: 1,
  ...(error !== undefined && { error }),
})

void t.test('a pair that is tried again is pending, until it is held or given up', async (t) => {
  const fake = { name: 'fake', resource: configMaps } as unknown as Reconciler
  const stateOf = (changed: Partial<ReturnType<RunningSyncer['stateOf']>>, lastRun?: RunEntry) =>
    pairState({ syncer: fake, state: { ...state, ...changed }, pair, lastRun })
  t.same(
    [
      stateOf({}),
      stateOf({ isWaiting: true }),
      stateOf({ failures: 3, dueInMs: 100 }, run('error', 'no')),
      stateOf({ failures: 12, isQuarantined: true }, run('error', 'no')),
      stateOf({ dueInMs: 100 }, run('requeue_after', 'the circuit is open')),
      stateOf({ dueInMs: 100 }, run('requeue_after')),
      stateOf({ conflictsWith: 'vc/x' }, run('name_conflict', 'no')),
      stateOf({}, run('terminal_error', 'never')),
    ],
    ['in sync', 'pending', 'pending', 'quarantined', 'pending', 'in sync', 'name conflict', 'given up'],
  )
})

void t.test('two texts are shown side by side with equal lines in one row', async (t) => {
  const rows = (virtual: string, host: string) =>
    lineDiff(virtual, host).map(
      ({ virtual, host, same }) => `${virtual ?? ''}${same ? '=' : '|'}${host ?? ''}`,
    )
  t.same(rows('a\nb\nc\n', 'a\nx\nc\n'), ['a=a', 'b|x', 'c=c'])
  t.same(rows('a\nb\nc\nd\n', 'b\nd\ne\n'), ['a|', 'b=b', 'c|', 'd=d', '|e'])
  t.same(rows('', 'a\n'), ['|a'])
  t.same(rows('', ''), [])
  const long = Array.from({ length: 2000 }, (_, n) => `${n}`).join('\n')
  t.equal(lineDiff(long, `x${long}y`).length, 2000)
})

void t.test('differences are listed by field, without metadata and status', async (t) => {
  const object = (fields: object) => ({ metadata: { name: String(Math.random()) }, ...fields }) as KubeObject
  t.same(
    shownDifferences(
      object({ spec: { replicas: 1, ports: [{ port: 80 }, { port: 81 }], 'a.b': 1 }, status: { ready: 1 } }),
      object({ spec: { replicas: 2, ports: [{ port: 80 }, { port: 82 }], extra: true }, status: {} }),
    ),
    [
      { path: 'spec.replicas', wanted: '1', found: '2' },
      { path: 'spec.ports[1].port', wanted: '81', found: '82' },
      { path: 'spec["a.b"]', wanted: '1', found: null },
      { path: 'spec.extra', wanted: null, found: 'true' },
    ],
  )
  const big = { data: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, 'v'.repeat(500)])) }
  const many = shownDifferences(object(big), object({ data: {} }))
  t.equal(many.length, 100)
  t.ok(many.every(({ wanted }) => (wanted ?? '').length < 210))
  const labelled = (app: string) => ({ metadata: { name: app, labels: { app } } }) as KubeObject
  t.same(shownDifferences(labelled('a'), labelled('b')), [])
  t.same(shownDifferences(labelled('a'), labelled('b'), { withMetadata: true }), [
    { path: 'metadata.labels.app', wanted: '"a"', found: '"b"' },
  ])
})

void t.test('a copy is compared with the one that its syncer wants', async (t) => {
  const virtual = { metadata: { name: 'a' }, data: { text: 'one', left: 'out' } }
  const wanted = { metadata: { name: 'a-copy', labels: { by: 'me' } }, data: { text: 'one' } }
  const copy = { metadata: { name: 'a-copy' }, data: { text: 'one' } }
  const translateUpdate = () => wanted
  const syncer = { name: 'moody', resource: configMaps, translateUpdate } as unknown as Reconciler
  t.same(compareCopy(syncer, { virtual, host: copy }), {
    comparedWith: 'wanted',
    differences: [{ path: 'metadata.labels.by', wanted: '"me"', found: null }],
  })
  const failing = { ...syncer, translateUpdate: () => JSON.parse('{') } as unknown as Reconciler
  t.match(compareCopy(failing, { virtual, host: copy }), { comparedWith: 'original' })
  t.same(compareCopy(syncer, { virtual, host: undefined }), { comparedWith: null, differences: [] })
  const silent = { name: 'moody', resource: configMaps } as unknown as Reconciler
  t.match(compareCopy(silent, { virtual, host: copy }), {
    comparedWith: 'original',
    differences: [{ path: 'data.left', wanted: '"out"', found: null }],
  })
})

void t.test('lines that the API servers decide are known, in the metadata only', (t) => {
  const virtual =
    'data:\n  uid: one\nmetadata:\n  labels:\n    uid: a\n  managedFields:\n    - time: x\n      uid: 4\n  name: a\n  uid: 1\n'
  const host = 'data:\n  uid: two\nmetadata:\n  labels:\n    uid: b\n  name: b\n  uid: 2\n'
  const lines = withServerSet(lineDiff(virtual, host))
  const known = lines.flatMap(({ serverSet, virtual, host }) => [
    ...(serverSet === 'virtual' || serverSet === 'both' ? [virtual] : []),
    ...(serverSet === 'host' || serverSet === 'both' ? [host] : []),
  ])
  t.strictSame(known.sort(), ['      uid: 4', '    - time: x', '  managedFields:', '  uid: 1', '  uid: 2'])
  t.end()
})
