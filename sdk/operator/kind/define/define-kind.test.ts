import t from 'tap'
import * as z from 'zod'
import { apiVersionOf, type Resource } from '../../../engine/kube/resource.js'
import { controller } from '../../engine/controller.js'
import { crdOf } from '../definition/crd-of.js'
import { k } from '../k/k.js'
import { formatProblem, InvalidKindError } from '../schema/problem.js'
import { defineKind } from './define-kind.js'
import type { InputOf, ObjectOf } from './kind.js'
import { pluralOf } from './plural.js'

const named = { group: 'cache.example.com', version: 'v1', kind: 'Cache' } as const
const caches = defineKind({
  ...named,
  spec: z.object({ size: z.int().min(0).max(100), tier: z.enum(['small', 'large']).default('small') }),
  status: z.object({ nodes: k.listSet(z.string()).optional() }),
  conditions: ['Available', { type: 'Stalled', goodWhen: 'False' }],
})

/** The problems of a kind that cannot be defined. */
function problemsOf(options: Partial<Parameters<typeof defineKind>[0]>): string[] {
  try {
    defineKind({
      ...named,
      spec: z.object({ size: z.int(), list: z.array(z.int()) }),
      ...options,
    } as Parameters<typeof defineKind>[0])
    return []
  } catch (error) {
    if (!(error instanceof InvalidKindError)) throw error
    return error.problems.map(formatProblem)
  }
}

void t.test('a kind is a resource, and types its objects', async (t) => {
  const resource: Resource<ObjectOf<typeof caches>> = caches
  t.equal(apiVersionOf(resource), 'cache.example.com/v1')
  t.match(caches, { kind: 'Cache', plural: 'caches', namespaced: true })
  t.same(caches.conditions, [{ type: 'Available' }, { type: 'Stalled', goodWhen: 'False' }])
  const written: InputOf<typeof caches> = { metadata: { name: 'a' }, spec: { size: 1 } }
  const read: ObjectOf<typeof caches> = {
    metadata: {},
    spec: { size: 1, tier: 'large' },
    status: { nodes: ['a'] },
  }
  // @ts-expect-error what is read has its defaults
  const wrong: ObjectOf<typeof caches> = { metadata: {}, spec: { size: 1 } }
  // @ts-expect-error a condition type that is not declared
  const unknown: 'Ready' | undefined = read.status?.conditions?.[0]?.type
  t.ok([written, read, wrong].every(Boolean))
  t.equal(unknown, undefined)
})

void t.test('the options of a kind are checked, all at once', async (t) => {
  const wrong: [Partial<Parameters<typeof defineKind>[0]>, RegExp][] = [
    [{ group: 'apps' }, /group: "apps" is not a DNS name with a dot/],
    [{ group: 'cache.k8s.io' }, /group: cache\.k8s\.io is reserved for Kubernetes/],
    [{ group: 'kubernetes.io' }, /group: kubernetes\.io is reserved/],
    [{ fields: z.object({ kind: z.string() }) }, /fields: kind is a member of every object/],
    [{ status: false, conditions: ['Ready'] }, /status: false leaves no place for conditions/],
    [{ version: '1' }, /version: "1" is not a version; write v1, v1beta1 or v1alpha1/],
    [{ kind: 'cache' }, /kind: "cache" is not a kind/],
    [
      { kind: undefined as never },
      /^kind: the option is missing; write up to 63 letters and digits in CamelCase$/,
    ],
    [
      { group: undefined as never },
      /^group: the option is missing; use one of your own, for example cache\.example\.com$/,
    ],
    [{ version: undefined as never }, /^version: the option is missing; write v1, v1beta1 or v1alpha1$/],
    [{ plural: 'Caches' }, /plural: "Caches" is not a DNS label/],
    [{ shortNames: ['c_'] }, /shortNames: "c_" is not a DNS label/],
    [{ conditions: ['is ready'] }, /conditions: is ready is not a condition type/],
    [{ conditions: ['Ready', { type: 'Ready' }] }, /conditions: Ready is given twice/],
    [{ spec: z.string() }, /spec: string is not an object; use z\.object/],
    [
      { status: z.object({ conditions: z.array(z.string()).optional() }) },
      /status\.conditions: field is added to every status/,
    ],
    [
      { status: z.object({ phase: z.enum(['Idle', 'Busy']) }) },
      /status\.phase: required field would forbid to write a condition/,
    ],
    [
      { status: z.object({ phase: k.rule(z.string(), "self in ['Idle', 'Busy']") }) },
      /status\.phase: required field would forbid to write a condition/,
    ],
    [
      { status: z.object({ phase: k.immutable(z.string()) }) },
      /status\.phase: required field would forbid to write a condition/,
    ],
    [
      { status: z.object({ nodes: z.int() }), effects: ['bucket'] },
      /status\.nodes: required field would forbid to write a condition/,
    ],
    [
      { columns: [{ name: 'Size', path: 'spec.size', type: 'integer' }] },
      /columns: path spec\.size of Size must begin with a dot/,
    ],
    [
      { columns: [{ name: 'Size', path: '.spec.sise', type: 'integer' }] },
      /columns: path \.spec\.sise of Size is not a field of the kind/,
    ],
    [
      { scale: { spec: '.spec.size', status: '.status.replicas' } },
      /scale: \.status\.replicas must be a field below \.status\. of type integer/,
    ],
    [{ selectable: ['.spec.list'] }, /selectable: \.spec\.list must be a text/],
    [{ selectable: ['.metadata.name'] }, /selectable: \.metadata\.name must be/],
    [{ selectable: Array.from({ length: 9 }, () => '.spec.size') }, /selectable: 9 paths are too many/],
    [{ name: { pattern: /(?=a)/ } }, /name\.pattern: .* does not compile/],
    [
      { versions: { v1: { spec: z.object({}), toHub: () => ({}), fromHub: () => ({}) } } } as never,
      /versions: v1 is given twice/,
    ],
    [
      {
        versions: { v2: { spec: z.object({ a: z.date() }), toHub: () => ({}), fromHub: () => ({}) } },
      } as never,
      /versions\.v2\.spec\.a: date is not JSON/,
    ],
  ]
  for (const [options, sentence] of wrong) t.match(problemsOf(options).join('\n'), sentence)
  t.equal(problemsOf({ group: 'apps', kind: 'x', spec: z.object({ a: z.date() }) }).length, 3)
  t.same(
    problemsOf({
      columns: [{ name: 'Ready', path: '.status.conditions[?(@.type=="Ready")].status', type: 'string' }],
    }),
    [],
  )
  t.same(problemsOf({ columns: [{ name: 'Owner', path: '.metadata.labels.owner', type: 'string' }] }), [])
})

void t.test('the error of a kind that cannot be defined names the kind and every problem', async (t) => {
  t.throws(() => defineKind({ ...named, group: 'apps', spec: z.object({ a: z.date() }) }), {
    name: 'InvalidKindError',
    message: /^kind Cache cannot be defined:\n {2}group: "apps" .*\n {2}spec\.a: date is not JSON/,
  })
})

void t.test('a kind may have members next to spec and status, and neither of these', async (t) => {
  const classes = defineKind({
    group: 'storage.example.com',
    version: 'v1',
    kind: 'StoreClass',
    status: false,
    fields: z.object({ driver: z.string(), policy: z.enum(['Delete', 'Retain']).default('Delete') }),
    selectable: ['.driver'],
    labels: { team: 'a' },
    annotations: { 'example.com/note': 'b' },
  })
  const written: InputOf<typeof classes> = { metadata: { name: 'a' }, driver: 'd' }
  const read: ObjectOf<typeof classes> = { metadata: {}, driver: 'd', policy: 'Retain' }
  // @ts-expect-error the kind has no spec
  const wrong: ObjectOf<typeof classes> = { metadata: {}, driver: 'd', policy: 'Retain', spec: {} }
  t.ok([written, read, wrong].every(Boolean))
  const { metadata, spec } = crdOf(classes)
  t.same(metadata, {
    name: 'storeclasses.storage.example.com',
    labels: { team: 'a' },
    annotations: { 'example.com/note': 'b' },
  })
  t.match(spec.versions, [{ subresources: {}, selectableFields: [{ jsonPath: '.driver' }] }])
  const schema = spec.versions[0]?.schema?.openAPIV3Schema as { required?: string[]; properties: object }
  t.same(schema.required, ['driver'])
  t.same(Object.keys(schema.properties), ['apiVersion', 'kind', 'metadata', 'driver', 'policy'])
  t.match(classes.parse({ metadata: {}, driver: 'd', newer: 1 }), {
    ok: true,
    object: { driver: 'd', policy: 'Delete', newer: 1 },
  })
  t.match(classes.parse({ metadata: {} }), { ok: false, problems: [{ path: 'driver' }] })
  t.throws(() => controller(classes, { reconcile: async () => undefined }), {
    code: 'INVALID_REGISTRATION',
    message: /storeclasses\.storage\.example\.com have no status/,
  })
})

void t.test('rules of fields become rules of the object, in each version', async (t) => {
  const fields = k.rule(z.object({ min: z.int(), max: z.int() }), 'self.min <= self.max', {
    fieldPath: '.min',
  })
  const kind = defineKind({
    ...named,
    spec: z.object({}),
    fields,
    rules: [{ rule: 'self.metadata.name != "a"' }],
    versions: { v1beta1: { spec: z.object({}), toHub: () => ({}), fromHub: () => ({}) } },
  })
  const rule = { rule: 'self.min <= self.max', fieldPath: '.min' }
  t.same(
    kind.schemas.map(({ schema }) => schema['x-kubernetes-validations']),
    [[{ rule: 'self.metadata.name != "a"' }, rule], [rule]],
  )
})

void t.test('fields that a whole object cannot have are refused', async (t) => {
  const size = z.object({ size: z.int(), self: z.int() })
  const wrong: [z.ZodType, RegExp | undefined][] = [
    [size.describe('text'), undefined],
    [z.strictObject({ size: z.int() }), undefined],
    [size.loose(), /^fields: looseObject cannot be the schema of a whole object; .* into one of its fields$/],
    [k.atomic(size), /^fields: k\.atomic cannot be the schema/],
    [k.oneOf({ a: z.int(), b: z.int() }), /^fields: k\.oneOf cannot be the schema/],
    [
      k.immutable(size),
      /^fields: rule "self == oldSelf" reads the whole object with its metadata and status;/,
    ],
    [k.rule(size, '[self].size() == 1'), /reads the whole object/],
    [k.rule(size, 'self.self == oldSelf.size && self.size > 1 && has(self.size)'), undefined],
    [k.rule(size, `'self' != "oldSelf" && r'\\' != 'self\\'' && self .size > 1 // not self`), undefined],
  ]
  for (const [fields, sentence] of wrong) {
    const problems = problemsOf({ fields: fields as z.ZodObject })
    if (sentence === undefined) t.same(problems, [])
    else t.match(problems.join('\n'), sentence)
  }
})

void t.test(
  'a group of Kubernetes is defined with its approval, and each version has a scale of its own',
  async (t) => {
    const scale = { spec: '.spec.size', status: '.status.size' }
    const kind = defineKind({
      group: 'sets.k8s.io',
      version: 'v1',
      kind: 'Sized',
      annotations: { 'api-approved.kubernetes.io': 'https://example.com/1' },
      spec: z.object({ size: z.int32() }),
      status: z.object({ size: z.int32().optional() }),
      versions: {
        v1beta1: {
          spec: z.object({ size: z.int32() }),
          scale,
          toHub: (spec) => spec,
          fromHub: (spec) => spec,
        },
      },
    })
    t.match(crdOf(kind).spec.versions, [
      { name: 'v1', subresources: { scale: undefined } },
      { name: 'v1beta1', subresources: { scale: { specReplicasPath: '.spec.size' } } },
    ])
  },
)

void t.test('plurals are those that Kubernetes guesses', async (t) => {
  t.same(['Backup', 'Policy', 'Gateway', 'Ingress', 'Mesh', 'Box'].map(pluralOf), [
    'backups',
    'policies',
    'gateways',
    'ingresses',
    'meshes',
    'boxes',
  ])
})

void t.test('a live object is parsed: defaults come in, unknown fields stay', async (t) => {
  const live = {
    apiVersion: 'cache.example.com/v1',
    kind: 'Cache',
    metadata: { name: 'a', resourceVersion: '7' },
    spec: { size: 3, newer: { deep: [1] } },
    status: { nodes: ['n'], conditions: [{ type: 'Other' }] },
  }
  const before = structuredClone(live)
  const result = caches.parse(live)
  t.ok(result.ok)
  if (!result.ok) return
  t.equal(result.object.spec.size satisfies number, 3)
  t.same(result.object, { ...live, spec: { size: 3, tier: 'small', newer: { deep: [1] } } })
  t.same(result.statusProblems, [])
  t.same(live, before, 'the object itself is not changed')
})

void t.test('parsing an invalid object returns the path of every problem', async (t) => {
  const result = caches.parse({ metadata: {}, spec: { size: 101, tier: 'huge' } })
  t.match(result, {
    ok: false,
    problems: [
      { path: 'spec.size', message: /100/ },
      { path: 'spec.tier', message: /small/ },
    ],
  })
  t.match(caches.parse({ metadata: {} }), { ok: false, problems: [{ path: 'spec' }] })
  t.match(caches.parse(undefined), { ok: false })
})

void t.test('a status that does not fit is left out, because the controller writes it again', async (t) => {
  const result = caches.parse({ metadata: {}, spec: { size: 1 }, status: { nodes: 'a' } })
  t.match(result, { ok: true, statusProblems: [{ path: 'status.nodes' }] })
  t.notOk(result.ok && 'status' in result.object)
})

void t.test('newer fields and texts are accepted if the API server accepts them', async (t) => {
  const strict = defineKind({
    ...named,
    spec: z.strictObject({
      text: z.string().max(2),
      list: z.array(z.strictObject({ a: z.int() })).default([]),
    }),
  })
  const spec = { text: '😀😀', newer: 1, list: [{ a: 1, newer: 2 }] }
  t.match(strict.parse({ metadata: {}, spec }), { ok: true, object: { spec } })
  t.match(strict.parse({ metadata: {}, spec: { text: '😀😀😀' } }), {
    ok: false,
    problems: [{ path: 'spec.text' }],
  })
  t.match(strict.parse({ metadata: {}, spec: { text: '😀😀', newer: 1, list: [{ a: 'x' }] } }), {
    ok: false,
  })
  const evil = JSON.parse('{"text":"a","__proto__":{"polluted":true},"constructor":1}')
  t.ok(strict.parse({ metadata: {}, spec: evil }).ok)
  t.notOk('polluted' in {})
})

void t.test('a definition has the status subresource, Age, and what the kind says', async (t) => {
  const kind = defineKind({
    ...named,
    scope: 'Cluster',
    plural: 'cachez',
    spec: z.object({ replicas: z.int32().default(1), old: z.string().optional() }),
    status: z.object({ replicas: z.int32().optional(), selector: z.string().optional() }),
    shortNames: ['ca'],
    categories: ['all'],
    name: { maxLength: 52 },
    rules: [{ rule: 'self.metadata.name != "a"' }],
    description: 'A cache.',
    columns: [{ name: 'Replicas', path: '.spec.replicas', type: 'integer', priority: 1 }],
    scale: { spec: '.spec.replicas', status: '.status.replicas', selector: '.status.selector' },
    selectable: ['.spec.replicas'],
    versions: {
      v1beta1: {
        spec: z.object({}),
        served: false,
        deprecated: 'use v1',
        toHub: () => ({}),
        fromHub: () => ({}),
      },
    },
  })
  const { metadata, spec } = crdOf(kind)
  t.equal(metadata.name, 'cachez.cache.example.com')
  t.match(spec, { scope: 'Cluster', names: { plural: 'cachez', shortNames: ['ca'], categories: ['all'] } })
  t.match(spec.versions[0], {
    name: 'v1',
    served: true,
    storage: true,
    additionalPrinterColumns: [
      { name: 'Replicas', jsonPath: '.spec.replicas', priority: 1 },
      { name: 'Age' },
    ],
    selectableFields: [{ jsonPath: '.spec.replicas' }],
    subresources: { status: {}, scale: { labelSelectorPath: '.status.selector' } },
    schema: {
      openAPIV3Schema: {
        description: 'A cache.',
        properties: { metadata: { properties: { name: { type: 'string', maxLength: 52 } } } },
        required: ['spec'],
        'x-kubernetes-validations': [{ rule: 'self.metadata.name != "a"' }],
      },
    },
  })
  t.match(spec.versions[1], {
    name: 'v1beta1',
    served: false,
    storage: false,
    deprecated: true,
    deprecationWarning: 'cache.example.com/v1beta1 Cache is deprecated: use v1',
    additionalPrinterColumns: [{ name: 'Age' }],
  })
  t.same(crdOf(kind), crdOf(kind), 'the same kind gives the same definition')
})
