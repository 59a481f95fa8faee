import t from 'tap'
import * as z from 'zod'
import type { CustomResourceDefinition } from '../../../engine/kube/builtin.js'
import { defineKind } from '../define/define-kind.js'
import { k } from '../k/k.js'
import { compareDefinitions } from './compare-definitions.js'
import { crdOf } from './crd-of.js'
import { formatDifference } from './definition-difference.js'

const named = { group: 'cache.example.com', version: 'v1', kind: 'Cache' } as const

/** The definition of a kind whose spec has these fields. */
const definition = (fields: z.core.$ZodLooseShape, options: object = {}): CustomResourceDefinition =>
  crdOf(defineKind({ ...named, spec: z.object(fields), ...options }))

/** The levels and sentences of the differences between two specs. */
const between = (before: z.core.$ZodLooseShape, after: z.core.$ZodLooseShape) =>
  compareDefinitions(definition(before), definition(after)).map(
    (one) => `${one.level} ${formatDifference(one)}`,
  )

/** A warning about a check that old objects need not pass. */
const kept = (warning: string) =>
  `${warning}; on Kubernetes 1.30 and later, objects keep values that it refuses until they change`

const text = z.string()
const cases: [string, z.core.$ZodLooseShape, z.core.$ZodLooseShape, string[]][] = [
  ['nothing', { a: text }, { a: text }, []],
  ['a new optional field', { a: text }, { a: text, b: text.optional() }, []],
  ['a new field with a default', { a: text }, { a: text, b: text.default('x') }, []],
  ['a wider bound', { a: text.max(3) }, { a: text.max(4) }, []],
  ['a wider enum', { a: z.enum(['a']) }, { a: z.enum(['a', 'b']) }, []],
  ['less required', { a: text }, { a: text.optional() }, []],
  ['a new field inside of a new object', { a: text }, { a: text, b: z.object({ c: text }).optional() }, []],
  [
    'a removed field',
    { a: text, b: text },
    { a: text },
    ['error v1: spec.b: the field is removed, and its values are pruned'],
  ],
  [
    'a renamed field',
    { a: text },
    { b: text },
    [
      'error v1: spec.a: the field is removed, and its values are pruned',
      'error v1: spec.b: the field is required from now on; give it a default',
    ],
  ],
  [
    'a new required field',
    {},
    { a: text },
    ['error v1: spec.a: the field is required from now on; give it a default'],
  ],
  [
    'a field that becomes required',
    { a: text.optional() },
    { a: text },
    ['error v1: spec.a: the field is required from now on; give it a default'],
  ],
  [
    'a narrowed enum',
    { a: z.enum(['a', 'b']) },
    { a: z.enum(['a']) },
    [kept('warning v1: spec.a: enum no longer has "b"')],
  ],
  [
    'a bound',
    { a: z.int().max(9) },
    { a: z.int().max(8) },
    [kept('warning v1: spec.a: maximum changes from 9 to 8')],
  ],
  [
    'a new bound',
    { a: text },
    { a: text.min(1) },
    [kept('warning v1: spec.a: minLength changes from none to 1')],
  ],
  [
    'an exclusive bound',
    { a: z.int().min(1) },
    { a: z.int().gt(1) },
    [kept('warning v1: spec.a: exclusiveMinimum changes from none to true')],
  ],
  [
    'a pattern',
    { a: text.regex(/a/) },
    { a: text.regex(/b/) },
    [kept('warning v1: spec.a: pattern changes from "a" to "b"')],
  ],
  [
    'a format',
    { a: text },
    { a: z.iso.date() },
    [kept('warning v1: spec.a: format changes from none to "date"')],
  ],
  [
    'a further pattern',
    { a: text.regex(/a/) },
    { a: text.regex(/a/).regex(/b/) },
    [kept('warning v1: spec.a: a further check is added: {"pattern":"b"}')],
  ],
  [
    'a type',
    { a: text },
    { a: z.int() },
    ['error v1: spec.a: the type changes from string to integer; add a version with a conversion'],
  ],
  [
    'a union of types',
    { a: z.int() },
    { a: k.intOrString() },
    ['error v1: spec.a: the type changes from integer to int-or-string; add a version with a conversion'],
  ],
  [
    'a default',
    { a: text.default('x') },
    { a: text.default('y') },
    ['error v1: spec.a: the default changes from "x" to "y", and objects without the field read differently'],
  ],
  [
    'a default that goes',
    { a: text.default('x') },
    { a: text.optional() },
    [
      'error v1: spec.a: the default changes from "x" to none, and objects without the field read differently',
    ],
  ],
  [
    'a default that comes',
    { a: text.optional() },
    { a: text.default('y') },
    ['warning v1: spec.a: a default of "y" is added, and objects without the field read differently'],
  ],
  [
    'a list type',
    { a: z.array(text) },
    { a: k.listSet(text) },
    ['error v1: spec.a: the list type changes from atomic to set, which changes who owns elements'],
  ],
  [
    'list map keys',
    { a: k.listMap(z.object({ x: text, y: text }), ['x']) },
    { a: k.listMap(z.object({ x: text, y: text }), ['x', 'y']) },
    ['error v1: spec.a: the list type changes from map by x to map by x, y, which changes who owns elements'],
  ],
  [
    'a map type',
    { a: z.object({}) },
    { a: k.atomic(z.object({})) },
    ['error v1: spec.a: the map type changes from granular to atomic, which changes who owns fields'],
  ],
  ['null', { a: text.nullable() }, { a: text }, ['error v1: spec.a: null is not allowed any more']],
  [
    'unknown fields',
    { a: z.looseObject({}) },
    { a: z.object({}) },
    ['error v1: spec.a: unknown fields are pruned from now on'],
  ],
  [
    'the entries of a map',
    { a: z.record(text, text) },
    { a: z.object({}) },
    ['error v1: spec.a{}: the entries of the map are pruned from now on'],
  ],
  [
    'a check inside of an atomic list',
    { a: z.array(text) },
    { a: z.array(text.max(3)) },
    ['error v1: spec.a[]: maxLength changes from none to 3'],
  ],
  [
    'a check inside of a list map',
    { a: k.listMap(z.object({ x: text, y: text }), ['x']) },
    { a: k.listMap(z.object({ x: text, y: text.max(3) }), ['x']) },
    [kept('warning v1: spec.a[].y: maxLength changes from none to 3')],
  ],
  [
    'a check of the values of a map',
    { a: z.record(text, text) },
    { a: z.record(text, text.max(3)) },
    [kept('warning v1: spec.a{}: maxLength changes from none to 3')],
  ],
  [
    'a rule',
    { a: text },
    { a: k.rule(text, 'self != "x"') },
    [kept('warning v1: spec.a: a rule is added: self != "x"')],
  ],
  [
    'a rule about the former value',
    { a: text },
    { a: k.immutable(text) },
    ['error v1: spec.a: a rule is added: self == oldSelf'],
  ],
]

void t.test('each change of a schema is named, and its level says whether objects can stay', async (t) => {
  for (const [name, before, after, expected] of cases) t.same(between(before, after), expected, name)
})

void t.test('a narrower check is an error where the API server does not ratchet', async (t) => {
  const [before, after] = [
    definition({ a: z.int().max(9) }),
    definition({ a: k.rule(z.int().max(8), 'true') }),
  ]
  const differences = compareDefinitions(before, after, { ratcheting: false })
  t.same(
    differences.map(({ level, message }) => `${level} ${message}`),
    ['error maximum changes from 9 to 8', 'error a rule is added: true'],
  )
})

void t.test('a definition of another kind, scope or group is another one', async (t) => {
  const before = definition({})
  const after = definition(
    {},
    { group: 'other.example.com', kind: 'Cash', plural: 'cashes', scope: 'Cluster' },
  )
  t.same(
    compareDefinitions(before, after).map(({ level, path }) => `${level} ${path}`),
    ['error spec.group', 'error spec.scope', 'error spec.names.kind', 'error spec.names.plural'],
  )
})

void t.test('a version can be removed only once no object is stored in it', async (t) => {
  const versions = { v1beta1: { spec: z.object({}), toHub: () => ({}), fromHub: () => ({}) } }
  const both = definition({}, { versions })
  const [sentence] = compareDefinitions(both, definition({})).map(formatDifference)
  t.equal(sentence, 'v1beta1: spec.versions: the version is removed; clients of it fail')
  const stored = { ...both, status: { storedVersions: ['v1beta1', 'v1'] } } as CustomResourceDefinition
  t.match(compareDefinitions(stored, definition({})), [{ level: 'error', message: /crd migrate/ }])
  const other = definition({}, { version: 'v2' })
  t.match(
    compareDefinitions(definition({}), other),
    [{ level: 'error', version: 'v1' }],
    'the storage version of a file',
  )
})

void t.test('the removal of a served version or subresource is reported', async (t) => {
  const fields = { replicas: z.int32().default(1) }
  const status = z.object({ replicas: z.int32().optional() })
  const scale = { spec: '.spec.replicas', status: '.status.replicas' }
  const before = definition(fields, { status, scale, selectable: ['.spec.replicas'] })
  const versions = before.spec.versions.map((version) => ({ ...version, served: false, subresources: {} }))
  const after = {
    ...definition(fields, { status }),
    spec: { ...definition(fields, { status }).spec, versions },
  }
  const bare = {
    ...after,
    spec: { ...after.spec, versions: versions.map(({ selectableFields: _, ...one }) => one) },
  }
  t.same(
    compareDefinitions(before, bare).map(({ level, path }) => `${level} ${path}`),
    ['warning served', 'error subresources.status', 'warning subresources.scale', 'warning selectableFields'],
  )
})
