import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { exhaust } from '../../../../testing/explore/exhaust.js'
import { perturb } from '../../../../testing/explore/perturb.js'
import {
  type TestPlugin,
  type TestPluginOptions,
  testPlugin,
} from '../../../../testing/plugin/test-plugin.js'
import type { Scenario } from '../../../../testing/scenario/scenario.js'
import {
  type ConfigMap,
  configMaps,
  type Ingress,
  ingresses,
  type Secret,
  secrets,
} from '../../../engine/kube/builtin.js'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { parseJson } from '../../../engine/kube/json.js'
import { noMetrics } from '../../../engine/observe/metrics.js'
import type { RegisterContext } from '../../context/register-context.js'
import type { SyncContext } from '../../context/sync-context.js'
import { lastSyncedAnnotation } from '../../naming/ownership-keys.js'
import type { Pair } from '../syncer.js'
import {
  NamespacedTranslator,
  type NamespacedTranslatorOptions,
} from '../translator/namespaced-translator.js'
import type { FieldConflict } from './decide.js'
import { type MergeBothOptions, mergeBoth } from './merge-both.js'
import {
  decodeState,
  encodeState,
  hasChanged,
  maxStateBytes,
  type RecordedFields,
  recordValue,
} from './sync-state.js'

// The last tests run a scenario many times.
t.setTimeout(600_000)

const merge = (body: object) => ({ type: 'merge', body }) as const
const key = { namespace: 'default', name: 'a' }
const hostKey = { namespace: 'vcluster-vc', name: 'a-x-default-x-vc' }
const remembers = ['data', 'metadata.labels', 'metadata.annotations'] as const

/** Syncs ConfigMaps both ways, and records its arguments and conflicts. */
class SyncBothSyncer extends NamespacedTranslator<ConfigMap> {
  readonly pairs: Pair<ConfigMap>[] = []
  readonly conflicts: string[] = []
  translations = 0
  readonly #how: MergeBothOptions

  constructor(ctx: RegisterContext, how: MergeBothOptions & NamespacedTranslatorOptions = {}) {
    super(ctx, 'both', configMaps, { remembers, ...how })
    this.#how = how
  }

  // The other ConfigMaps are root certificates, which differ from run to run.
  override excludeVirtual({ metadata }: ConfigMap): boolean {
    return metadata.name !== key.name
  }

  override translateMetadata(virtual: ConfigMap) {
    this.translations++
    return super.translateMetadata(virtual)
  }

  override syncDown(ctx: SyncContext, virtual: ConfigMap) {
    return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
  }

  override sync(ctx: SyncContext, pair: Pair<ConfigMap>) {
    this.pairs.push(pair)
    const counter = ({ name }: { name: string }) => ({
      add: ({ controller = '', side = '' } = {}) => this.conflicts.push(`${name} ${controller} ${side}`),
    })
    return this.syncBoth({ ...ctx, metrics: { ...noMetrics, counter } }, pair, this.#how)
  }
}

interface Running extends TestPlugin {
  syncer: SyncBothSyncer
  /** Data, labels and annotations of both without ownership labels and annotations. */
  both(): Promise<object[]>
  /** The state recorded on the copy. */
  told(): Promise<string | undefined>
}

type RunningOptions = MergeBothOptions & NamespacedTranslatorOptions & TestPluginOptions

async function running(t: Test, options: RunningOptions = {}): Promise<Running> {
  let syncer: SyncBothSyncer | undefined
  const test = await testPlugin((plugin, ctx) => {
    syncer = new SyncBothSyncer(ctx, options)
    plugin.register(syncer)
  }, options)
  t.teardown(() => test.stop())
  if (!syncer) throw new Error('nothing was registered')
  const read = () => Promise.all([test.virtual.get(configMaps, key), test.host.get(configMaps, hostKey)])
  const told = async () =>
    (await test.host.get(configMaps, hostKey)).metadata.annotations?.[lastSyncedAnnotation]
  return { ...test, syncer, told, both: async () => (await read()).map(withoutOwnership) }
}

function withoutOwnership({ data, metadata }: ConfigMap): object {
  const plain = (record: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(record).filter(([name]) => !name.includes('vcluster.loft.sh/')))
  return { data, labels: plain(metadata.labels), annotations: plain(metadata.annotations) }
}

async function edit({ virtual, host, settled }: TestPlugin, side: 'virtual' | 'host', body: object) {
  if (side === 'virtual') await virtual.patch(configMaps, key, merge(body))
  else await host.patch(configMaps, hostKey, merge(body))
  await settled()
}

const original = {
  metadata: { ...key, labels: { app: 'web' }, annotations: { note: 'one' } },
  data: { text: 'one', more: 'x' },
}

void t.test('a value has one text, whatever the order of its members', async (t) => {
  t.equal(canonicalJson({ b: [{ d: 1, c: 2n }], a: null }), '{"a":null,"b":[{"c":2,"d":1}]}')
  const text = '{"__proto__":{"b":1,"a":2},"a":0}'
  t.equal(canonicalJson(parseJson(text)), '{"__proto__":{"a":2,"b":1},"a":0}')
  let deep: unknown = 1
  for (let depth = 0; depth < 20_000; depth++) deep = { deep }
  t.equal(canonicalJson(deep).length, 20_000 * 9 + 1)
})

void t.test('a state is read as it was written, and is never long', async () => {
  const side = fc.oneof(
    fc.constant({}),
    // Read as objects are: an integer that a double cannot hold is a bigint.
    fc.jsonValue().map((is) => ({ is: parseJson(JSON.stringify(is)) })),
    fc.string({ minLength: 1, maxLength: 3000 }).map((is) => ({ is })),
  )
  const states = fc.dictionary(fc.stringMatching(/^[a-z.]{1,9}$/), fc.record({ virtual: side, host: side }), {
    maxKeys: 6,
    noNullPrototype: true,
  })
  fc.assert(
    fc.property(states, (fields) => {
      const state: RecordedFields = new Map(Object.entries(fields))
      const text = encodeState(state) ?? ''
      const read = decodeState(text)
      return (
        text.length <= maxStateBytes &&
        [...state].every(([id, field]) => {
          const there = read?.get(id)
          const isKept = (one: 'virtual' | 'host') =>
            there !== undefined && !hasChanged(there[one], 'is' in field[one] ? field[one].is : undefined)
          return isKept('virtual') && isKept('host')
        })
      )
    }),
  )
})

void t.test('a long state is deflated, then digested, and dropped if it is still too long', async (t) => {
  const state = (values: Record<string, unknown>): RecordedFields =>
    new Map(Object.entries(values).map(([id, is]) => [id, { virtual: { is }, host: { is } }]))
  t.equal(encodeState(state({ spec: { seats: 4 } })), '{"spec":[{"is":{"seats":4}}]}')
  const repeated = encodeState(state({ spec: 'long '.repeat(5000) })) ?? ''
  t.match(repeated, /^deflate:/)
  t.same(decodeState(repeated)?.get('spec')?.host, { is: 'long '.repeat(5000) })
  const noise = Array.from({ length: 3000 }, (_, at) => Math.sin(at)).join()
  const digested = decodeState(encodeState(state({ spec: noise, small: 1 })))
  t.match(digested?.get('spec')?.host.sha256, /^[0-9a-f]{64}$/)
  t.same(digested?.get('small')?.host, { is: 1 })
  const many = Object.fromEntries(
    Array.from({ length: 200 }, (_, at) => [`f${at}`, noise.slice(at * 120, at * 120 + 99)]),
  )
  t.equal(encodeState(state(many)), undefined)
  t.notOk(hasChanged(recordValue('s3cret', true), 's3cret'))
  t.ok(hasChanged(recordValue('s3cret', true), 'other'))
  t.ok(hasChanged(recordValue('s3cret', true), undefined))
})

void t.test('an annotation that someone has edited is ignored', async (t) => {
  const bomb = `deflate:${deflateRawSync(`{"a":[{"is":"${'x'.repeat(3e6)}"}]}`).toString('base64')}`
  const wrong = [
    undefined,
    '',
    'x',
    '[]',
    '1',
    '{"a":1}',
    '{"a":[]}',
    '{"a":[1]}',
    'deflate:',
    'deflate:AAAA',
    bomb,
  ]
  for (const text of wrong) t.equal(decodeState(text), undefined, text?.slice(0, 20) ?? 'none')
  fc.assert(
    fc.property(fc.string(), (text) => {
      decodeState(text)
      decodeState(`deflate:${text}`)
    }),
  )
})

void t.test('the side that has changed a value wins; the rule says who does where both have', async (t) => {
  const old = { virtual: 1, host: 1 }
  t.same(mergeBoth({ virtual: 2, host: 1, old }), { virtual: 2, host: 2 })
  t.same(mergeBoth({ virtual: 1, host: 2, old }), { virtual: 2, host: 2 })
  t.same(mergeBoth({ virtual: 2, host: 3, old }), { virtual: 2, host: 2 })
  t.same(mergeBoth({ virtual: 2, host: 3, old }, { onConflict: 'host' }), { virtual: 3, host: 3 })
  t.same(mergeBoth({ virtual: 1, host: 5, old: { virtual: 1, host: 5 } }), { virtual: 1, host: 5 })
  t.same(mergeBoth({ virtual: 2, host: 3 }), { virtual: 2, host: 2 }, 'also where nothing is known')
  const asked: FieldConflict[] = []
  const onConflict = (conflict: FieldConflict) => {
    asked.push(conflict)
    return 'host' as const
  }
  mergeBoth({ virtual: 2, host: 3, old }, { onConflict })
  t.same(asked, [{ path: [], virtual: 2, host: 3, virtualOld: 1, hostOld: 1 }])
})

void t.test('members are merged where that is asked for', async (t) => {
  type Value = { a?: number; b?: number; c?: { d?: number; e?: number } | number }
  const both = (value: Value) => ({ virtual: value, host: value })
  const old = both({ a: 1, b: 1, c: { d: 1 } })
  const virtual: Value = { a: 2, b: 1, c: { d: 1, e: 5 } }
  const host: Value = { a: 1, c: { d: 7 } }
  t.same(mergeBoth<Value>({ virtual, host, old }, { merge: true }), both({ a: 2, c: { d: 7, e: 5 } }))
  t.same(mergeBoth<Value>({ virtual, host, old }), both(virtual))
  t.same(
    mergeBoth<Value>({ virtual, host: { a: 1, c: 3 }, old }, { merge: true }),
    both({ a: 2, c: { d: 1, e: 5 } }),
  )
  t.same(virtual, { a: 2, b: 1, c: { d: 1, e: 5 } }, 'what was given is as it was')
})

void t.test('the cost of a merge grows with its members, not with their square', async (t) => {
  const members = (count: number, value: object) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]))
  const old = { virtual: members(100, { n: 1 }), host: members(100, { n: 1 }) }
  const keys = t.capture(Object, 'keys', Object.keys)
  const merged = mergeBoth({ virtual: members(100, { n: 2 }), host: old.host, old }, { merge: true })
  const reads = keys().length
  t.same(merged.host, members(100, { n: 2 }))
  t.ok(reads < 3000, `${reads} objects were read`)
})

void t.test('a side that nothing changes is the same value', async (t) => {
  const old = { virtual: { a: 1 }, host: { a: 1 } }
  const changed = { a: 2 }
  const merged = mergeBoth({ virtual: changed, host: old.host, old }, { merge: true })
  t.equal(merged.virtual, changed)
  t.same(merged.host, { a: 2 })
  t.same(old.host, { a: 1 })
})

void t.test('the original is translated once for all members that both sides have changed', async (t) => {
  const first = await running(t)
  await first.virtual.create(configMaps, original)
  await first.settled()
  await first.stop()
  await first.virtual.patch(configMaps, key, merge({ data: { text: 'virtual', more: 'virtual' } }))
  await first.host.patch(configMaps, hostKey, merge({ data: { text: 'host', more: 'host' } }))
  const { virtualServer, hostServer } = first
  const second = await running(t, { virtualServer, hostServer, merge: true })
  await second.settled()
  t.match((await second.both())[1], { data: { text: 'virtual', more: 'virtual' } })
  t.equal(second.syncer.translations, 1)
})

void t.test('data, labels and annotations go both ways, and no ownership annotation does', async (t) => {
  const test = await running(t, { merge: true })
  await test.virtual.create(configMaps, original)
  await test.settled()
  await edit(test, 'host', {
    data: { more: 'y', own: 'host' },
    metadata: {
      labels: { tier: 'front' },
      annotations: { note: 'two', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    },
  })
  const [virtual, host] = await test.both()
  const alike = { data: { text: 'one', more: 'y', own: 'host' }, labels: { app: 'web', tier: 'front' } }
  t.same(virtual, { ...alike, annotations: { note: 'two' } })
  t.match(host, alike)
  await edit(test, 'virtual', { data: { own: null }, metadata: { labels: { app: null, tier: 'back' } } })
  t.match(await test.both(), [
    { data: { text: 'one', more: 'y' }, labels: { tier: 'back' } },
    { data: { text: 'one', more: 'y' }, labels: { tier: 'back' } },
  ])
  t.equal((await test.virtual.get(configMaps, key)).data?.own, undefined)
  t.equal((await test.host.get(configMaps, hostKey)).data?.own, undefined)
  const annotations = Object.keys((await test.virtual.get(configMaps, key)).metadata.annotations ?? {})
  t.same(annotations, ['note'], 'what the copy tells is not seen in the virtual cluster')
  await edit(test, 'host', { metadata: { labels: { tier: null } } })
  t.same(
    (await test.virtual.get(configMaps, key)).metadata.labels,
    undefined,
    'a label that went on the host goes',
  )
  t.same(test.syncer.conflicts, [])
})

void t.test('labels whose keys are hashed on the host come up where the original has them', async (t) => {
  const test = await running(t, { labelMode: 'hashed' })
  await test.virtual.create(configMaps, original)
  await test.settled()
  const { labels = {} } = (await test.host.get(configMaps, hostKey)).metadata
  const hashed = Object.keys(labels).find((name) => name.startsWith('vcluster.loft.sh/label-')) ?? ''
  await edit(test, 'host', { metadata: { labels: { [hashed]: 'shop', unknown: 'x' } } })
  t.same((await test.virtual.get(configMaps, key)).metadata.labels, { app: 'shop' })
  t.equal((await test.host.get(configMaps, hostKey)).metadata.labels?.unknown, undefined)
})

void t.test('a change that goes down is one write, one that comes up is three', async (t) => {
  const test = await running(t)
  await test.virtual.create(configMaps, original)
  await test.settled()
  const versions = () => [test.virtualServer, test.hostServer].map((server) => Number(server.resourceVersion))
  const writesOf = async (act: () => Promise<unknown>) => {
    const before = versions()
    await act()
    return versions().map((version, at) => version - (before[at] ?? 0))
  }
  t.same(await writesOf(() => edit(test, 'virtual', { data: { text: 'two' } })), [1, 1])
  t.same(await writesOf(() => edit(test, 'host', { data: { text: 'three' } })), [1, 3])
  t.same(await writesOf(() => edit(test, 'virtual', { metadata: { finalizers: ['a/b'] } })), [1, 0])
  await test.stop()
  const { virtualServer, hostServer } = test
  t.same(
    await writesOf(async () => (await running(t, { virtualServer, hostServer })).settled()),
    [0, 0],
    'nor does a restart',
  )
})

void t.test('a conflict is decided by the rule, counted, and logged without values', async (t) => {
  for (const [onConflict, expected, side] of [
    [undefined, 'virtual', 'virtual'],
    ['host', 'host', 'host'],
    [({ path }: FieldConflict) => (path.includes('text') ? 'host' : 'virtual'), 'host', 'host'],
  ] as const) {
    const first = await running(t)
    await first.virtual.create(configMaps, original)
    await first.settled()
    await first.stop()
    await first.virtual.patch(configMaps, key, merge({ data: { text: 'virtual', more: 'z' } }))
    await first.host.patch(configMaps, hostKey, merge({ data: { text: 'host' } }))
    const { virtualServer, hostServer } = first
    const how = { virtualServer, hostServer, merge: true, ...(onConflict && { onConflict }) }
    const second = await running(t, how)
    await second.settled()
    const data = { text: expected, more: 'z' }
    t.match(await second.both(), [{ data }, { data }])
    t.same(second.syncer.conflicts, [`sync_conflicts_total both ${side}`])
    const { virtualOld, hostOld } = second.syncer.pairs[0] ?? {}
    t.same([virtualOld?.data, hostOld?.data], [original.data, original.data], 'sync gets the old values')
    t.equal(virtualOld?.metadata.name, 'a')
    t.same(hostOld?.metadata.labels, { app: 'web' })
    await second.stop()
  }
})

void t.test('without a recorded state the rule decides, and the copy records it again', async (t) => {
  for (const [wrong, onConflict] of [
    [null, 'virtual'],
    ['edited', 'host'],
  ] as const) {
    const test = await running(t, { onConflict })
    await test.virtual.create(configMaps, original)
    await test.settled()
    const told = await test.told()
    await edit(test, 'host', { metadata: { annotations: { [lastSyncedAnnotation]: wrong } } })
    t.equal(await test.told(), told)
    await edit(test, 'host', {
      data: { text: 'host' },
      metadata: { annotations: { [lastSyncedAnnotation]: wrong } },
    })
    const data = { ...original.data, text: onConflict === 'host' ? 'host' : 'one' }
    t.match(await test.both(), [{ data }, { data }])
    t.same(test.syncer.conflicts, [], 'without a recorded state no conflict is counted')
  }
})

void t.test('a state that a tenant writes does not cross', async (t) => {
  const test = await running(t)
  const annotations = { [lastSyncedAnnotation]: '{"data":[{"is":{"text":"forged"}}]}' }
  await test.virtual.create(configMaps, { ...original, metadata: { ...key, annotations } })
  await test.settled()
  t.notMatch(await test.told(), /forged/)
})

void t.test('the recorded state of a Secret has no plain text', async (t) => {
  class SecretSyncer extends NamespacedTranslator<Secret> {
    override syncDown(ctx: SyncContext, virtual: Secret) {
      return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
    }
    override sync(ctx: SyncContext, pair: Pair<Secret>) {
      return this.syncBoth(ctx, pair)
    }
  }
  const test = await testPlugin((plugin, ctx) =>
    plugin.register(new SecretSyncer(ctx, 'secret', secrets, { remembers: ['*', 'metadata.annotations'] })),
  )
  t.teardown(() => test.stop())
  const metadata = { ...key, annotations: { copy: 'aGVsbG8=' } }
  await test.virtual.create(secrets, { metadata, data: { password: 'aGVsbG8=' } })
  await test.settled()
  await test.host.patch(secrets, hostKey, merge({ data: { password: 'd29ybGQ=' } }))
  await test.settled()
  t.same((await test.virtual.get(secrets, key)).data, { password: 'd29ybGQ=' })
  const told = (await test.host.get(secrets, hostKey)).metadata.annotations?.[lastSyncedAnnotation]
  t.match(told, /"data":\[\{"sha256"/)
  t.notMatch(told, /aGVsbG8|d29ybGQ/)
})

void t.test('a reference comes up with the virtual cluster’s names', async (t) => {
  class IngressSyncer extends NamespacedTranslator<Ingress> {
    override syncDown(ctx: SyncContext, virtual: Ingress) {
      return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
    }
    override sync(ctx: SyncContext, pair: Pair<Ingress>) {
      return this.syncBoth(ctx, pair)
    }
  }
  const test = await testPlugin((plugin, ctx) =>
    plugin.register(new IngressSyncer(ctx, 'ingress', ingresses, { remembers: ['spec'] })),
  )
  t.teardown(() => test.stop())
  const backend = (name: string) => ({ service: { name, port: { number: 80 } } })
  await test.virtual.create(ingresses, {
    metadata: key,
    spec: { defaultBackend: backend('web'), tls: [{ secretName: 'cert', hosts: ['a'] }] },
  })
  await test.settled()
  const before = (await test.host.get(ingresses, hostKey)).spec
  t.match(before, {
    defaultBackend: backend('web-x-default-x-vc'),
    tls: [{ secretName: 'cert-x-default-x-vc' }],
  })
  const tls = [{ secretName: 'cert-x-default-x-vc', hosts: ['b'] }]
  await test.host.patch(ingresses, hostKey, merge({ spec: { tls } }))
  await test.settled()
  const up = (await test.virtual.get(ingresses, key)).spec
  t.match(up, { defaultBackend: backend('web'), tls: [{ secretName: 'cert', hosts: ['b'] }] })
  t.same((await test.host.get(ingresses, hostKey)).spec, { ...before, tls })
})

void t.test('a syncer that remembers nothing cannot sync both ways', async (t) => {
  const test = await testPlugin((_plugin, ctx) => {
    const syncer = new SyncBothSyncer(ctx, { remembers: [] })
    t.throws(() => syncer.syncBoth(ctx as SyncContext, { host: original, virtual: original }), {
      code: 'NOTHING_REMEMBERED',
    })
    t.throws(() => new SyncBothSyncer(ctx, { remembers: ['metadata.uid'] }), { code: 'INVALID_FIELD' })
    t.same(syncer.lastSynced({ host: original, virtual: original }), {})
  })
  await test.stop()
})

const scenario: Scenario = {
  register: (plugin, ctx) => plugin.register(new SyncBothSyncer(ctx, { merge: true })),
  steps: {
    'a ConfigMap is made': ({ virtual }) => virtual.create(configMaps, original),
    'the copy changes': ({ host }) =>
      host.patch(
        configMaps,
        hostKey,
        merge({ data: { text: 'host' }, metadata: { labels: { tier: 'front' } } }),
      ),
    'the original changes': ({ virtual }) =>
      virtual.patch(
        configMaps,
        key,
        merge({ data: { text: 'virtual' }, metadata: { annotations: { note: null } } }),
      ),
    'both change, each something else': async ({ virtual, host }) => {
      await virtual.patch(configMaps, key, merge({ data: { more: 'virtual' } }))
      await host.patch(
        configMaps,
        hostKey,
        merge({ data: { own: 'host' }, metadata: { labels: { app: null } } }),
      )
    },
    'the copy changes again': ({ host }) =>
      host.patch(configMaps, hostKey, merge({ data: { own: 'host 2' } })),
    'the original changes again': ({ virtual }) =>
      virtual.patch(configMaps, key, merge({ data: { more: 'virtual 2' } })),
    'someone takes away what the copy tells': ({ host }) =>
      host.patch(configMaps, hostKey, merge({ metadata: { annotations: { [lastSyncedAnnotation]: null } } })),
  },
}

const unconfused = 'neither side’s change is taken for the other’s'

void t.test(`${unconfused} after a crash at any write`, async (t) => {
  const { runs } = await exhaust(scenario, { faults: ['crashes'] })
  t.ok(runs > 20, `${runs} crashes`)
})

for (const fault of ['late-events', 'lost-events', 'refusals'] as const)
  void t.test(`${unconfused} with ${fault}`, (t) => t.resolves(exhaust(scenario, { faults: [fault] })))

void t.test(`${unconfused} with several faults at once`, (t) => t.resolves(perturb(scenario, { runs: 20 })))
