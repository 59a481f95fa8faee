import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { parseJson } from '../../../engine/kube/json.js'
import { memberOf } from '../../../engine/kube/json-object.js'
import { defineKind } from '../define/define-kind.js'
import { k } from '../k/k.js'
import { convertObject, type VersionedObject } from './convert-object.js'
import { applyFieldChanges, fieldChanges } from './field-changes.js'
import { KindConverter } from './kind-converter.js'

const replicas = z.int32().min(1).max(50).prefault(1)
const store = k.oneOf({
  memory: z.object({}),
  disk: z.object({ size: k.quantity(), fast: z.boolean().optional() }),
})
const caches = defineKind({
  group: 'cache.example.com',
  version: 'v1',
  kind: 'Cache',
  spec: z.object({ replicas, store, note: z.string().optional() }),
  versions: {
    v1beta1: {
      spec: z.object({
        replicas,
        diskSize: k.quantity().optional(),
        legacy: z.record(z.string(), z.int()).optional(),
      }),
      toHub: ({ replicas, diskSize }) => ({
        replicas,
        store: diskSize ? { disk: { size: diskSize } } : { memory: {} },
      }),
      fromHub: ({ replicas, store }) => ({ replicas, ...(store.disk && { diskSize: store.disk.size }) }),
    },
    v1alpha1: {
      spec: z.object({ count: z.int32().default(1) }),
      toHub: ({ count }) => ({ replicas: count, store: { memory: {} } }),
      fromHub: ({ replicas }) => ({ count: replicas }),
    },
  },
})
const annotation = 'cache.example.com/unconverted'

const object = (version: string, spec: unknown, annotations?: Record<string, string>): VersionedObject => ({
  apiVersion: `cache.example.com/${version}`,
  kind: 'Cache',
  metadata: { name: 'a', uid: '1', ...(annotations && { annotations }) },
  spec,
})

void t.test('an object is converted by the functions of its version', async (t) => {
  const old = object('v1beta1', { replicas: 2, diskSize: '1Gi' })
  const hub = convertObject(caches, old, 'v1')
  t.same(hub, object('v1', { replicas: 2, store: { disk: { size: '1Gi' } } }))
  t.same(convertObject(caches, hub, 'v1beta1'), old)
  t.equal(convertObject(caches, hub, 'v1'), hub, 'the same version is passed through')
  t.throws(
    () => convertObject(caches, hub, 'v9'),
    /"cache.example.com\/v9" is not a version of Cache.cache.example.com/,
  )
})

void t.test('fields that a version cannot hold wait in an annotation and come back', async (t) => {
  const hub = object(
    'v1',
    { replicas: 1, store: { disk: { size: '1Gi', fast: true } }, note: 'n' },
    { mine: 'x' },
  )
  const old = convertObject(caches, hub, 'v1beta1')
  t.same(old.spec, { replicas: 1, diskSize: '1Gi' })
  t.equal(old.metadata.annotations?.mine, 'x')
  t.ok(old.metadata.annotations?.[annotation])
  t.same(convertObject(caches, old, 'v1'), hub)

  const changed = { ...old, spec: { replicas: 3, diskSize: '2Gi' } }
  t.same(convertObject(caches, changed, 'v1').spec, {
    replicas: 3,
    store: { disk: { size: '2Gi', fast: true } },
    note: 'n',
  })
  const without = convertObject(caches, { ...old, spec: { replicas: 1 } }, 'v1')
  t.same(
    without.spec,
    { replicas: 1, store: { memory: {} }, note: 'n' },
    'a field whose parent is gone stays away',
  )
})

void t.test('an annotation that a user wrote does no harm', async (t) => {
  const texts = [
    '',
    'x',
    '[]',
    'null',
    '{"v1":1}',
    '{"v1":[1]}',
    '{"v1":[{"path":[1]}]}',
    '{"v1":[{"path":["__proto__","polluted"],"value":1}]}',
  ]
  for (const text of texts) {
    const hub = convertObject(caches, object('v1beta1', { replicas: 1 }, { [annotation]: text }), 'v1')
    t.same(hub.spec, { replicas: 1, store: { memory: {} } }, text)
  }
  t.notOk('polluted' in {})
})

void t.test(
  'an annotation that a user wrote sets only fields that the other version cannot hold, and that fit',
  async (t) => {
    const hubOf = (spec: object, ...changes: object[]) => {
      const text = JSON.stringify({ v1: changes })
      return convertObject(caches, object('v1beta1', spec, { [annotation]: text }), 'v1').spec
    }
    const disk = { replicas: 2, diskSize: '1Gi' }
    const plain = { replicas: 2, store: { disk: { size: '1Gi' } } }
    const fast = (value: unknown) => ({ path: ['spec', 'store', 'disk', 'fast'], value })
    t.same(hubOf(disk, fast(true)), { ...plain, store: { disk: { size: '1Gi', fast: true } } })
    t.same(hubOf(disk, fast('very')), plain, 'a value that does not fit')
    t.same(hubOf(disk, { path: ['spec', 'replicas'], was: 2, value: 50 }), plain, 'a field of both versions')
    t.same(hubOf(disk, { path: ['spec', 'store'], was: plain.store, value: { memory: {} } }), plain)
    t.same(hubOf(disk, { path: [], value: 1 }), plain)
    t.same(hubOf(disk, { path: ['spec'], was: plain, value: 7 }), plain)
  },
)

void t.test('an annotation that a user wrote costs no more than it is long', async (t) => {
  const names = Array.from({ length: 40_000 }, (_, at) => `m${at}`)
  const node = { spec: Object.fromEntries(names.map((name) => [name, 1])) }
  const changes = Array.from({ length: 6000 }, (_, at) => ({ path: ['spec', `n${at}`], value: 1 }))
  let copied = 0
  const spec = new Proxy(node.spec, {
    ownKeys: (target) => {
      copied++
      return Reflect.ownKeys(target)
    },
  })
  const changed = applyFieldChanges({ spec }, changes) as typeof node
  t.equal(Object.keys(changed.spec).length, 46_000)
  t.ok(copied < 5, `the object was copied ${copied} times`)
})

void t.test('objects are compared once, however deep they differ', async (t) => {
  let compared = 0
  const counting = (value: object): object =>
    new Proxy(value, {
      ownKeys: (target) => {
        compared++
        return Reflect.ownKeys(target)
      },
    })
  const nested = (leaf: number) => {
    let node: object = counting({ z: leaf })
    for (let depth = 0; depth < 300; depth++) node = counting({ a: node })
    return node
  }
  t.equal(fieldChanges(nested(1), nested(2))[0]?.path.length, 301)
  t.ok(compared <= 2 * 301 * 2, `${compared} comparisons`)
})

const specs = {
  v1: fc.record(
    {
      replicas: fc.integer({ min: 1, max: 50 }),
      store: fc.oneof(
        fc.constant({ memory: {} }),
        fc.record({
          disk: fc.record(
            { size: fc.constantFrom('1', '2Gi'), fast: fc.boolean() },
            { requiredKeys: ['size'] },
          ),
        }),
      ),
      note: fc.string(),
    },
    { requiredKeys: ['replicas', 'store'] },
  ),
  v1beta1: fc.record(
    {
      replicas: fc.integer({ min: 1, max: 50 }),
      diskSize: fc.constantFrom('1', '2Gi'),
      legacy: fc.dictionary(fc.string(), fc.integer()),
    },
    { requiredKeys: ['replicas'] },
  ),
  v1alpha1: fc.record({ count: fc.integer({ min: 1, max: 50 }) }),
}

void t.test('there and back is the same object, from every version over every other one', async (t) => {
  const versions = ['v1', 'v1beta1', 'v1alpha1'] as const
  for (const from of versions) {
    for (const to of versions) {
      fc.assert(
        fc.property(specs[from], (spec) => {
          const start = object(from, spec)
          const back = convertObject(caches, convertObject(caches, start, to), from)
          t.strictSame(JSON.parse(JSON.stringify(back.spec)), JSON.parse(JSON.stringify(spec)))
        }),
        { numRuns: 60, seed: 38 },
      )
    }
  }
})

void t.test('an object that is nested deeper than the stack blocks no other object', async (t) => {
  const open = z.object({ any: z.looseObject({}).optional(), n: z.int().default(1) })
  const kind = defineKind({
    group: 'open.example.com',
    version: 'v1',
    kind: 'Open',
    spec: open,
    versions: {
      v1beta1: {
        spec: open.extend({ m: z.int().default(1) }),
        toHub: (spec) => spec,
        fromHub: (spec) => ({ ...spec, m: 1 }),
      },
    },
  })
  const failures: string[] = []
  const converter = new KindConverter(kind, (_, error) => failures.push((error as Error).name))
  const object = (depth: number) =>
    parseJson(
      `{"apiVersion":"open.example.com/v1beta1","kind":"Open","metadata":{"name":"a"},"spec":{"m":1,"any":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}}`,
    )
  // Kubernetes takes 10,000 levels.
  const deep = converter.convert(object(9_900), 'open.example.com/v1')
  t.equal(deep.apiVersion, 'open.example.com/v1')
  t.ok(memberOf(deep.spec, 'any'))
  t.ok(failures.includes('RangeError'))
  t.match(converter.convert(object(1), 'open.example.com/v1'), { spec: { any: { a: 1 }, n: 1 } })
})

void t.test('an annotation that users write changes no field but those of spec and status', async (t) => {
  const note = { path: ['spec', 'note'], value: 'kept' }
  const restored = (...changes: object[]) => {
    const annotations = { [annotation]: JSON.stringify({ v1: changes }) }
    return convertObject(caches, object('v1beta1', { replicas: 2 }, annotations), 'v1')
  }
  const plain = { replicas: 2, store: { memory: {} } }
  t.same(restored(note), object('v1', { ...plain, note: 'kept' }))
  const forged = [
    { path: ['metadata'], value: { name: 'other', uid: '2' } },
    { path: ['apiVersion'], value: 'other.example.com/v1' },
    { path: ['kind'], value: 'Other' },
    { path: ['more'], value: 'x' },
    { path: [], value: {} },
  ]
  for (const change of forged)
    t.same(restored(note, change), object('v1', plain), `the conversion did not write ${change.path[0]}`)
})

void t.test(
  'annotations stay within the limit of an API server, and small fields are kept first',
  async (t) => {
    const failures: unknown[] = []
    const converter = new KindConverter(caches, (_versions, error) => void failures.push(error))
    const convert = (note: string, others: Record<string, string> = {}) =>
      converter.convert(
        object('v1', { replicas: 2, store: { disk: { size: '1Gi', fast: true } }, note }, others),
        'cache.example.com/v1beta1',
      ) as unknown as VersionedObject
    const sizeOf = ({ metadata }: VersionedObject) =>
      Buffer.byteLength(
        Object.entries(metadata.annotations ?? {})
          .flat()
          .join(''),
      )
    const small = convert('é')
    t.match(small.metadata.annotations?.[annotation], /note.*fast|fast.*note/)
    t.same(failures, [])
    const large = convert('é'.repeat(150_000))
    t.ok(sizeOf(large) <= 256 * 1024)
    t.match(large.metadata.annotations?.[annotation], /"fast"/)
    t.notMatch(large.metadata.annotations?.[annotation], /note/)
    t.match(failures, [/fields that v1beta1 cannot hold are left out there/])
    const full = { own: 'x'.repeat(256 * 1024 - 3) }
    t.same(convert('a', full).metadata.annotations, full)
  },
)
