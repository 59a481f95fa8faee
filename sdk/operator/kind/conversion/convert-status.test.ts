import t from 'tap'
import * as z from 'zod'
import { parseJson } from '../../../engine/kube/json.js'
import { memberOf } from '../../../engine/kube/json-object.js'
import { defineKind } from '../define/define-kind.js'
import { convertObject, type VersionedObject } from './convert-object.js'
import { KindConverter } from './kind-converter.js'

const group = 'orders.example.com'
const status = {
  approved: z.boolean().optional(),
  parts: z.array(z.object({ a: z.int(), b: z.int().optional() })).optional(),
}
const orders = defineKind({
  group,
  version: 'v1',
  kind: 'Order',
  spec: z.object({ count: z.int(), note: z.string().optional() }),
  status: z.object({ ...status, nested: z.object({ deep: z.string().optional() }).optional() }),
  versions: {
    v1beta1: {
      spec: z.object({ count: z.int() }),
      status: z.object({ parts: z.array(z.object({ a: z.int() })).optional(), phase: z.string().optional() }),
      toHub: (spec) => spec,
      fromHub: ({ count }) => ({ count }),
    },
    v1alpha1: {
      spec: z.object({ count: z.int() }),
      toHub: (spec) => spec,
      fromHub: ({ count }) => ({ count }),
    },
  },
})

const order = (version: string, status?: object, annotations?: object): VersionedObject => ({
  apiVersion: `${group}/${version}`,
  kind: 'Order',
  metadata: { name: 'a', ...(annotations && { annotations: annotations as Record<string, string> }) },
  spec: { count: 1 },
  ...(status && { status }),
})
const convert = (object: VersionedObject, version: string) => convertObject(orders, object, version)
const annotated = (unconverted: object) => ({ [`${group}/unconverted`]: JSON.stringify(unconverted) })

void t.test('an annotation sets no field of the status', async (t) => {
  const approval = { path: ['status', 'approved'], value: true }
  for (const change of [approval, { path: ['status'], value: { approved: true } }])
    for (const [from, to] of [
      ['v1beta1', 'v1'],
      ['v1alpha1', 'v1'],
    ] as const)
      for (const status of [undefined, {}, { parts: [] }]) {
        const forged = annotated({ [to]: [change] })
        t.same(
          convert(order(from, status, forged), to),
          order(to, status),
          `${from} ${JSON.stringify(status)}`,
        )
      }
  const note = { path: ['spec', 'note'], value: 'kept' }
  const mixed = convert(order('v1beta1', {}, annotated({ v1: [note, approval] })), 'v1')
  t.same([mixed.spec, mixed.status], [{ count: 1, note: 'kept' }, {}], 'as earlier releases wrote it')
})

void t.test('without the annotation the status keeps its fields', async (t) => {
  const hub = { ...order('v1', { approved: true, parts: [{ a: 1, b: 2 }] }), spec: { count: 1, note: 'n' } }
  const { metadata, ...older } = convert(hub, 'v1beta1')
  t.ok(metadata.annotations)
  t.same(convert({ ...older, metadata: { name: 'a' } }, 'v1').status, hub.status)
})

void t.test('an entry of the version that an object has does not come back', async (t) => {
  const stale = annotated({ v1: [{ path: ['spec', 'note'], value: 'stale' }] })
  const older = convert(order('v1', {}, stale), 'v1beta1')
  t.same(older.metadata, { name: 'a' })
  t.same(convert(older, 'v1').spec, { count: 1 })
  const text = { 'v1/approved': '{"value":true}' }
  t.same(convert(order('v1', { unconverted: text }), 'v1beta1').status, {})
})

void t.test('a status comes back from every version, and an edit there wins', async (t) => {
  const hub = order('v1', {
    approved: true,
    parts: [{ a: 1, b: 2 }],
    nested: { deep: 'x' },
    conditions: [{ type: 'Ready', status: 'True' }],
    observedGeneration: 3,
  })
  for (const path of [['v1beta1'], ['v1alpha1'], ['v1beta1', 'v1alpha1'], ['v1alpha1', 'v1beta1']])
    t.same([...path, 'v1'].reduce(convert, hub), hub, path.join())
  const older = convert(hub, 'v1beta1')
  t.match(older.status, { approved: undefined, parts: [{ a: 1, b: undefined }], observedGeneration: 3 })
  t.same(Object.keys(Object(memberOf(older.status, 'unconverted'))).sort(), [
    'v1/approved',
    'v1/nested',
    'v1/parts',
  ])
  const edited = { ...Object(older.status), parts: [{ a: 9 }], phase: 'Old' }
  const back = convert({ ...older, status: edited }, 'v1')
  t.match(back.status, { approved: true, parts: [{ a: 9, b: undefined }], nested: { deep: 'x' } })
  t.same(memberOf(back.status, 'unconverted'), { 'v1beta1/phase': '{"value":"Old"}' })
  t.match(convert(back, 'v1beta1').status, { phase: 'Old' })
})

void t.test('text that no conversion wrote does no harm', async (t) => {
  const texts = [
    { 'v1/approved': 'x' },
    { 'v1/approved': '7' },
    { 'v1/approved': 7 },
    { v1: '{"value":{}}' },
    { __proto__: '{"value":1}' },
    { 'v1/__proto__/polluted': '{"value":1}' },
    'text',
    [],
    null,
  ]
  for (const unconverted of texts) {
    const { status } = convert(order('v1beta1', { parts: [{ a: 1 }], unconverted }), 'v1')
    t.match(status, { approved: undefined, parts: [{ a: 1 }] }, JSON.stringify(unconverted))
  }
  t.notOk('polluted' in {})
})

void t.test('a status that is nested deeper than the stack blocks no other object', async (t) => {
  const spec = z.object({ count: z.int() })
  const any = z.looseObject({}).optional()
  const kind = defineKind({
    group,
    version: 'v1',
    kind: 'Order',
    spec,
    status: z.object({ any, more: z.string().optional() }),
    versions: {
      v1beta1: { spec, status: z.object({ any }), toHub: (spec) => spec, fromHub: (spec) => spec },
    },
  })
  const failures: unknown[] = []
  const converter = new KindConverter(kind, (_, error) => failures.push(error))
  const depth = 9_900
  const unconverted = { [`v1/any${'/a'.repeat(depth)}`]: '{"was":1,"value":2}' }
  const deep = { any: parseJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`), unconverted }
  const converted = converter.convert(order('v1beta1', deep), `${group}/v1`)
  t.match(failures, [RangeError])
  t.match(converted, { apiVersion: `${group}/v1`, spec: { count: 1 }, status: { any: { a: {} } } })
})

void t.test('every version has the member, if a version has a status of its own', async (t) => {
  const memberIn = (kind: Pick<typeof orders, 'schemas'>) =>
    kind.schemas.map(({ schema }) => schema.properties?.status?.properties?.unconverted?.type)
  t.same(memberIn(orders), ['object', 'object', 'object'])
  const spec = z.object({ count: z.int() })
  const same = { spec, toHub: (spec: { count: number }) => spec, fromHub: (spec: { count: number }) => spec }
  const options = { group, version: 'v1', kind: 'Order', spec } as const
  t.same(memberIn(defineKind({ ...options, versions: { v1beta1: same } })), [undefined, undefined])
  const reserved = z.object({ unconverted: z.string().optional() })
  t.throws(
    () => defineKind({ ...options, status: reserved }),
    /status\.unconverted: field is reserved for fields of the status that another version of the kind lacks/,
  )
})
