import fc from 'fast-check'
import t from 'tap'
import * as z from 'zod'
import { parseJson, stringifyJson } from '../../../engine/kube/json.js'
import { KindConverter, needsConversion } from '../../kind/conversion/kind-converter.js'
import { defineKind } from '../../kind/define/define-kind.js'
import { caches } from '../caches.fixture.js'
import { answerConversion } from './conversion-review.js'

const v1 = 'cache.my.domain/v1'
const v1beta1 = 'cache.my.domain/v1beta1'
const annotation = 'cache.my.domain/unconverted'
const converter = new KindConverter(caches)
const metadata = { name: 'a', namespace: 'default', uid: 'u', labels: { app: 'x' } }
const cache = (apiVersion: string, spec: unknown, more: object = {}) => ({
  apiVersion,
  kind: 'Cache',
  metadata,
  spec,
  ...more,
})
const review = (desiredAPIVersion: string, objects: unknown[]) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'ConversionReview',
  request: { uid: '7', desiredAPIVersion, objects },
})

void t.test(
  'objects of several versions are converted in their order, and those of the wanted version pass',
  async (t) => {
    const passed = cache(v1, { odd: true })
    const answer = await answerConversion(
      converter,
      review(v1, [cache(v1beta1, { replicas: 2, diskSize: '1Gi' }), passed, cache(v1beta1, { replicas: 3 })]),
    )
    t.match(answer, {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response: { uid: '7', result: { status: 'Success' } },
    })
    const { convertedObjects } = answer.response as { convertedObjects: unknown[] }
    t.same(convertedObjects, [
      cache(v1, { replicas: 2, store: { disk: { size: '1Gi' } } }),
      passed,
      cache(v1, { replicas: 3, store: { memory: {} } }),
    ])
    t.equal(convertedObjects[1], passed)
  },
)

void t.test('other work has turns while a long list is converted', async (t) => {
  let isConverted = false
  let turns = 0
  const objects = Array.from({ length: 10 }, () => cache(v1beta1, { replicas: 2 }))
  // Few objects may have as many values as a long list.
  const slow = {
    convert(object: unknown, version: string) {
      const untilMs = performance.now() + 25
      while (performance.now() < untilMs);
      return converter.convert(object, version)
    },
  } as typeof converter
  const answered = answerConversion(slow, review(v1, objects)).finally(() => {
    isConverted = true
  })
  while (!isConverted) {
    await new Promise((resolve) => setImmediate(resolve))
    turns++
  }
  t.match(await answered, { response: { convertedObjects: { length: 10 } } })
  t.ok(turns >= 9, `${turns} turns`)
})

void t.test('fields that a version cannot hold wait in an annotation, and come back', async (t) => {
  const original = cache(
    v1,
    { replicas: 2, tier: 'large', store: { disk: { size: '1Gi', iops: 9 } } },
    { status: { nodes: ['n'], conditions: [{ type: 'Ready', status: 'True' }], observedGeneration: 4 } },
  )
  const old = converter.convert(original, v1beta1)
  t.same(old.spec, { replicas: 2, diskSize: '1Gi' })
  t.match(old.status, {
    nodes: undefined,
    conditions: [{ type: 'Ready', status: 'True' }],
    observedGeneration: 4,
  })
  t.match(old.metadata, { name: 'a', namespace: 'default', uid: 'u', labels: { app: 'x' } })
  t.ok(Object.hasOwn((old.metadata as { annotations: object }).annotations, annotation))
  t.same(converter.convert(old, v1), original)
})

void t.test('an edit in the other version wins over a field that waits', async (t) => {
  const original = cache(v1, { replicas: 2, tier: 'large', store: { disk: { size: '1Gi', iops: 9 } } })
  const { spec: _, ...old } = converter.convert(original, v1beta1)
  const back = converter.convert({ ...old, spec: { replicas: 5 } }, v1)
  t.same(back.spec, { replicas: 5, tier: 'large', store: { memory: {} } })
})

void t.test('text of users in the annotation does not make a conversion fail', async (t) => {
  const texts = [
    '{',
    '[]',
    '{"v1":[{"path":["__proto__","x"],"value":1}]}',
    '{"v1":[{"path":["spec","__proto__"],"value":{}}]}',
  ]
  for (const text of texts) {
    const object = {
      ...cache(v1beta1, { replicas: 1 }),
      metadata: { ...metadata, annotations: { [annotation]: text } },
    }
    const converted = converter.convert(object, v1)
    t.match(converted.spec, { replicas: 1, store: { memory: {} } })
    t.equal(Object.getPrototypeOf(converted.spec), Object.prototype)
  }
  t.equal(({} as { x?: number }).x, undefined)
})

void t.test(
  'an object that a conversion throws for keeps all of it, and does not fail the others',
  async (t) => {
    const failures: object[] = []
    const tolerant = new KindConverter(caches, (versions, error) => failures.push({ ...versions, error }))
    const bad = cache(v1, { replicas: 'many', tier: 'large' })
    const answer = await answerConversion(
      tolerant,
      review(v1beta1, [bad, cache(v1, { replicas: 1, store: { memory: {} } })]),
    )
    t.match(answer, { response: { result: { status: 'Success' }, convertedObjects: { length: 2 } } })
    t.match(failures[0], { from: 'v1', to: 'v1beta1', error: TypeError })
    const [converted] = (answer.response as { convertedObjects: unknown[] }).convertedObjects
    t.match(converted, { spec: { replicas: 'many', tier: undefined } })
    t.match(tolerant.convert(converted, v1).spec, { replicas: 'many', tier: 'large' })
  },
)

void t.test('an object with too many values is converted without its schemas', async (t) => {
  let calls = 0
  const spec = z.object({ list: z.array(z.int()).optional(), n: z.int().optional() })
  const status = z.object({ approved: z.boolean().optional() })
  const kind = defineKind({
    group: 'cache.my.domain',
    version: 'v1',
    kind: 'Cache',
    spec,
    status,
    versions: {
      v1beta1: {
        spec: z.object({ list: z.array(z.int()).optional() }),
        status: z.object({}),
        toHub(old) {
          calls++
          return old
        },
        fromHub: ({ list }) => ({ ...(list && { list }) }),
      },
    },
  })
  const failures: unknown[] = []
  const counting = new KindConverter(kind, (_, error) => failures.push(error))
  const list = (length: number) => Array.from({ length }, () => 1)
  const toHub = (object: object) => counting.convert(object, v1)
  toHub(cache(v1beta1, { list: list(19_990) }))
  t.ok(calls > 0)
  t.same(failures, [])
  calls = 0
  const approved = counting.convert(
    cache(v1, { list: list(20_000), n: 1 }, { status: { approved: true } }),
    v1beta1,
  )
  t.match(approved, {
    apiVersion: v1beta1,
    spec: { list: { length: 20_000 } },
    status: { approved: undefined },
  })
  t.strictSame(approved.spec, { list: list(20_000) }, 'the function of the version is called')
  t.match(toHub(approved), { apiVersion: v1, status: { approved: true } })
  const change = { path: ['spec', 'list'], value: list(20_000) }
  const annotations = { [annotation]: JSON.stringify({ v1: [change] }) }
  const forged = toHub({ ...cache(v1beta1, {}), metadata: { ...metadata, annotations } })
  t.same(forged.spec, {})
  t.equal(calls, 3, 'once for each object, and once more before the fields return')
  t.match(failures, [
    { name: 'TooManyValuesError' },
    { name: 'TooManyValuesError' },
    { name: 'TooManyValuesError' },
  ])
})

void t.test('fields of the items of a long list go there and back', async (t) => {
  const items = z.array(z.object({ a: z.int(), b: z.int().optional() })).optional()
  const kind = defineKind({
    group: 'cache.my.domain',
    version: 'v1',
    kind: 'Cache',
    spec: z.object({ items }),
    versions: {
      v1beta1: {
        spec: z.object({ items: z.array(z.object({ a: z.int() })).optional() }),
        toHub: (old) => old,
        fromHub: ({ items = [] }) => ({ items: items.map(({ a }) => ({ a })) }),
      },
    },
  })
  const failures: unknown[] = []
  const listed = new KindConverter(kind, (_, error) => failures.push(error))
  const original = cache(v1, { items: Array.from({ length: 3_000 }, () => ({ a: 1, b: 2 })) })
  t.strictSame(listed.convert(listed.convert(original, v1beta1), v1).spec, original.spec)
  t.strictSame(failures, [])
})

void t.test('a review of another kind or version answers a failure with its reason', async (t) => {
  const failed = async (objects: unknown[], wanted = v1) =>
    (await answerConversion(converter, review(wanted, objects))).response
  t.match(await failed([{ kind: 'Pod' }]), {
    convertedObjects: undefined,
    result: { status: 'Failed', message: 'an object to convert is not a Cache.cache.my.domain' },
  })
  t.match(await failed([cache('cache.my.domain/v9', {})]), {
    result: { status: 'Failed', message: '"cache.my.domain/v9" is not a version of Cache.cache.my.domain' },
  })
  await t.rejects(answerConversion(converter, { kind: 'ConversionReview' }), /must be a/)
  await t.rejects(answerConversion(converter, null), /must be a/)
})

void t.test('every object is equal after it went there and back', async (t) => {
  const text = fc.string({ maxLength: 5 })
  const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const clean = (value: unknown): unknown => parseJson(stringifyJson(value))
  const disk = fc.record({ size: text, iops: fc.integer() }, { requiredKeys: ['size'] })
  const hubSpec = fc.record(
    {
      replicas: fc.integer({ min: 1, max: 50 }),
      tier: fc.constantFrom('small', 'large'),
      store: fc.oneof(
        disk.map((one) => ({ disk: one })),
        fc.constant({ memory: {} }),
      ),
      peers: fc.array(text, { maxLength: 3 }),
      unknown: fc.jsonValue(),
    },
    { requiredKeys: ['replicas', 'store'] },
  )
  const oldSpec = fc.record(
    { replicas: fc.integer({ min: 1, max: 50 }), diskSize: text, nickname: text },
    { requiredKeys: ['replicas'] },
  )
  const status = optional(fc.record({ nodes: fc.array(text), more: fc.jsonValue() }, { requiredKeys: [] }))
  const directions = [
    [v1, v1beta1, hubSpec],
    [v1beta1, v1, oldSpec],
  ] as const
  for (const [from, to, spec] of directions)
    fc.assert(
      fc.property(spec as fc.Arbitrary<unknown>, status, (spec, status) => {
        const object = clean({ ...cache(from, spec), status })
        const there = clean(converter.convert(object, to))
        t.same(converter.convert(there, from), object)
        // A second journey changes nothing more.
        t.same(converter.convert(converter.convert(there, from), to), there)
      }),
      { numRuns: 300 },
    )
})

void t.test('two other versions are converted by way of the hub', async (t) => {
  const spec = z.object({ a: z.string() })
  const rename =
    <A extends string, B extends string>(from: A, to: B) =>
    (spec: Record<A, string>) =>
      ({ [to]: spec[from] }) as Record<B, string>
  const kind = defineKind({
    group: 'a.example.com',
    version: 'v2',
    kind: 'Thing',
    spec: z.object({ a: z.string(), only: z.string().optional() }),
    versions: {
      v1: { spec: z.object({ b: z.string() }), toHub: rename('b', 'a'), fromHub: rename('a', 'b') },
      v3: { spec: z.object({ c: z.string() }), toHub: rename('c', 'a'), fromHub: rename('a', 'c') },
    },
  })
  const things = new KindConverter(kind)
  const at = (version: string, spec: object) => ({
    apiVersion: `a.example.com/${version}`,
    kind: 'Thing',
    metadata: { name: 'a' },
    spec,
  })
  t.same(things.convert(at('v1', { b: 'x' }), 'a.example.com/v3'), at('v3', { c: 'x' }))
  const hub = at('v2', { a: 'x', only: 'y' })
  const around = ['v1', 'v3', 'v1', 'v2'].reduce<unknown>(
    (object, next) => things.convert(object, `a.example.com/${next}`),
    hub,
  )
  t.same(around, hub)
  t.ok(needsConversion(kind))
  t.notOk(needsConversion(defineKind({ group: 'a.example.com', version: 'v1', kind: 'Thing', spec })))
})
