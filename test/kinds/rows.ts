import * as z from 'zod'
import { k } from '../../sdk/operator/kind/k/k.js'
import type { JsonSchema } from '../../sdk/operator/kind/schema/json-schema.js'

/** One row of the table of schemas: what it is written as, and what both sides accept and refuse. */
export interface Row {
  readonly schema: z.ZodType
  readonly node: JsonSchema
  readonly accepts: readonly unknown[]
  readonly refuses: readonly unknown[]
  /** The causes that an API server names for wrong variants; default none are compared. */
  readonly messages?: readonly Refusal[]
}

/** A value that an API server refuses, and the cause that it names. */
export interface Refusal {
  readonly value: unknown
  readonly field: string
  readonly message: RegExp
}

const atomic = { 'x-kubernetes-list-type': 'atomic' } as const
const uuid = '123e4567-e89b-42d3-a456-426614174000'
const anything: JsonSchema = { nullable: true, 'x-kubernetes-preserve-unknown-fields': true }
const ports = z.object({ name: z.string(), port: z.int().default(80) })
const shapes = z.discriminatedUnion('type', [
  z.object({ type: z.literal('disk'), size: z.int(), label: z.string().optional() }),
  z.object({ type: z.literal('memory'), label: z.string().optional() }),
])

/** Every construct that has a place in a schema. */
export const rows: Readonly<Record<string, Row>> = {
  text: { schema: z.string(), node: { type: 'string' }, accepts: ['', 'a'], refuses: [1, true, {}, []] },
  bounds: {
    schema: z.string().min(2).max(3),
    node: { type: 'string', minLength: 2, maxLength: 3 },
    accepts: ['ab', 'abc', '😀😀😀'],
    refuses: ['a', 'abcd', '😀', '😀😀😀😀'],
  },
  length: {
    schema: z.string().length(2),
    node: { type: 'string', minLength: 2, maxLength: 2 },
    accepts: ['ab', '😀😀'],
    refuses: ['a', 'abc', '😀', '😀😀😀'],
  },
  regex: {
    schema: z.string().regex(/^[a-z]+\/\d{2,3}$/),
    node: { type: 'string', pattern: '^[a-z]+\\/\\d{2,3}$' },
    accepts: ['a/12'],
    refuses: ['a/1', 'A/12', ' a/12'],
  },
  unanchored: {
    schema: z.string().regex(/b/),
    node: { type: 'string', pattern: 'b' },
    accepts: ['abc'],
    refuses: ['ac'],
  },
  twoPatterns: {
    schema: z.string().startsWith('a.').endsWith('z'),
    node: { type: 'string', pattern: '^a\\..*', allOf: [{ pattern: '.*z$' }] },
    accepts: ['a.z'],
    refuses: ['a.', 'az', 'b.z'],
  },
  includes: {
    schema: z.string().includes('a+b').lowercase(),
    node: { type: 'string', pattern: 'a\\+b', allOf: [{ pattern: '^[^A-Z]*$' }] },
    accepts: ['xa+by'],
    refuses: ['ab', 'Xa+b'],
  },
  dateTime: {
    schema: z.iso.datetime(),
    node: { type: 'string', format: 'date-time', pattern: '^[0-9T:.-]*Z$' },
    accepts: ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123Z'],
    refuses: [
      '2026-01-31',
      '2026-02-30T10:00:00Z',
      '2026-01-31T10:00:00+01:00',
      '2026-01-31t10:00:00z',
      'now',
    ],
  },
  offset: {
    schema: z.iso.datetime({ offset: true }),
    node: { type: 'string', format: 'date-time', pattern: '^[0-9TZ:.+-]*$' },
    accepts: ['2026-01-31T10:00:00Z', '2026-01-31T10:00:00+01:00'],
    refuses: ['2026-01-31T10:00:00', '2026-01-31t10:00:00z'],
  },
  date: {
    schema: z.iso.date(),
    node: { type: 'string', format: 'date' },
    accepts: ['2024-02-29'],
    refuses: ['2023-02-29', '2024-2-9', '2024-02-29T00:00:00Z'],
  },
  email: {
    schema: z.email(),
    node: { type: 'string', format: 'email', pattern: z.email()._zod.def.pattern?.source ?? '' },
    accepts: ['a@example.com', 'a.b+c@example.co.uk'],
    refuses: ['a', 'Bob <a@example.com>', '.a@example.com', 'a..b@example.com'],
  },
  ipv4: {
    schema: z.ipv4(),
    node: { type: 'string', format: 'ipv4', pattern: z.ipv4()._zod.def.pattern?.source ?? '' },
    accepts: ['10.0.0.1'],
    refuses: ['10.0.0.256', '10.0.0', '::1', '10.0.0.01'],
  },
  ipv6: {
    schema: z.ipv6(),
    node: { type: 'string', format: 'ipv6', pattern: z.ipv6()._zod.def.pattern?.source ?? '' },
    accepts: ['::1', 'fe80::1', '2001:db8:0:0:0:0:0:1'],
    refuses: ['10.0.0.1', ':::', 'g::1'],
  },
  uuid: {
    schema: z.uuid(),
    node: { type: 'string', format: 'uuid', pattern: z.uuid()._zod.def.pattern?.source ?? '' },
    accepts: [uuid],
    refuses: [uuid.replaceAll('-', ''), `${uuid}0`, 'x'],
  },
  url: {
    schema: z.url(),
    node: { type: 'string', format: 'uri', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' },
    accepts: ['https://example.com/a?b=c', 'ftp://example.com'],
    refuses: ['example.com', '/path', ''],
  },
  base64: {
    schema: z.base64(),
    node: { type: 'string', format: 'byte' },
    accepts: ['YQ==', 'YWJj'],
    refuses: ['YQ=', '*'],
  },
  cidr: {
    schema: z.cidrv4(),
    node: { type: 'string', format: 'cidr', pattern: z.cidrv4()._zod.def.pattern?.source ?? '' },
    accepts: ['10.0.0.0/8'],
    refuses: ['10.0.0.0', '10.0.0.0/33', '::/0'],
  },
  int: {
    schema: z.int(),
    node: { type: 'integer', format: 'int64' },
    accepts: [0, -1, Number.MAX_SAFE_INTEGER],
    refuses: [0.5, '1', 2n ** 63n],
  },
  int32: {
    schema: z.int32(),
    node: { type: 'integer', format: 'int32' },
    accepts: [2 ** 31 - 1, -(2 ** 31)],
    refuses: [2 ** 31, 0.5],
  },
  uint32: {
    schema: z.uint32(),
    node: { type: 'integer', format: 'int64', minimum: 0, maximum: 2 ** 32 - 1 },
    accepts: [0, 2 ** 32 - 1],
    refuses: [-1, 2 ** 32],
  },
  intBounds: {
    schema: z.int().min(2).lt(9).multipleOf(3),
    node: { type: 'integer', format: 'int64', minimum: 2, maximum: 9, exclusiveMaximum: true, multipleOf: 3 },
    accepts: [3, 6],
    refuses: [0, 9, 4],
  },
  number: {
    schema: z.number().gt(0.5).max(2),
    node: { type: 'number', minimum: 0.5, exclusiveMinimum: true, maximum: 2 },
    accepts: [0.6, 1, 2],
    refuses: [0.5, 2.1, '1'],
  },
  double: {
    schema: z.float64(),
    node: { type: 'number', format: 'double' },
    accepts: [1e300, 0.1, 3],
    refuses: ['1'],
  },
  boolean: { schema: z.boolean(), node: { type: 'boolean' }, accepts: [true, false], refuses: ['true', 0] },
  enum: {
    schema: z.enum(['a', 'b']),
    node: { type: 'string', enum: ['a', 'b'] },
    accepts: ['a'],
    refuses: ['c', 1],
  },
  literal: { schema: z.literal(7), node: { type: 'integer', enum: [7] }, accepts: [7], refuses: [8, '7'] },
  truth: {
    schema: z.literal(true),
    node: { type: 'boolean', enum: [true] },
    accepts: [true],
    refuses: [false],
  },
  literals: {
    schema: z.union([z.literal('a'), z.enum(['b', 'c'])]),
    node: { type: 'string', enum: ['a', 'b', 'c'] },
    accepts: ['a', 'c'],
    refuses: ['d'],
  },
  nullableEnum: {
    schema: z.enum(['a', 'b']).nullable(),
    node: { type: 'string', nullable: true, allOf: [{ enum: ['a', 'b'] }] },
    accepts: ['a', null],
    refuses: ['c'],
  },
  nullable: {
    schema: z.string().min(1).nullable(),
    node: { type: 'string', minLength: 1, nullable: true },
    accepts: ['a', null],
    refuses: ['', 1],
  },
  object: {
    schema: z.object({ a: z.string(), b: z.int().optional() }),
    node: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer', format: 'int64' } },
      required: ['a'],
    },
    accepts: [{ a: 'x' }, { a: 'x', b: 1 }, { a: 'x', unknown: true }],
    refuses: [{}, { b: 1 }, { a: 1 }, [], 'x'],
  },
  loose: {
    schema: z.looseObject({ a: z.string() }),
    node: {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      'x-kubernetes-preserve-unknown-fields': true,
    },
    accepts: [{ a: 'x', unknown: { deep: [1] } }],
    refuses: [{}, { a: 1 }],
  },
  record: {
    schema: z.record(z.string(), z.int()),
    node: { type: 'object', additionalProperties: { type: 'integer', format: 'int64' } },
    accepts: [{}, { a: 1, 'b.c/d': 2 }],
    refuses: [{ a: 'x' }, []],
  },
  keyed: {
    schema: k.record(
      z
        .string()
        .min(2)
        .max(3)
        .regex(/^[a-z"]+$/),
      z.string(),
      { minProperties: 1, maxProperties: 2 },
    ),
    node: {
      type: 'object',
      additionalProperties: { type: 'string' },
      minProperties: 1,
      maxProperties: 2,
      'x-kubernetes-validations': [
        { rule: 'self.all(key, key.size() >= 2)', message: 'keys must have at least 2 characters' },
        { rule: 'self.all(key, key.size() <= 3)', message: 'keys must have at most 3 characters' },
        { rule: 'self.all(key, key.matches("^[a-z\\"]+$"))', message: 'keys must match ^[a-z"]+$' },
      ],
    },
    accepts: [{ ab: 'x' }, { 'a"': 'x', abc: '' }],
    refuses: [{}, { a: 'x' }, { abcd: 'x' }, { AB: 'x' }, { ab: 'x', cd: 'x', ef: 'x' }],
  },
  enumKeys: {
    schema: z.partialRecord(z.enum(['a', 'b']), z.int()),
    node: {
      type: 'object',
      properties: { a: { type: 'integer', format: 'int64' }, b: { type: 'integer', format: 'int64' } },
    },
    accepts: [{}, { a: 1 }],
    refuses: [{ a: 'x' }],
  },
  allKeys: {
    schema: z.record(z.enum(['a', 'b']), z.boolean()),
    node: {
      type: 'object',
      properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
      required: ['a', 'b'],
    },
    accepts: [{ a: true, b: false }],
    refuses: [{ a: true }],
  },
  array: {
    schema: z.array(z.string().min(1)).min(1).max(2),
    node: { type: 'array', items: { type: 'string', minLength: 1 }, ...atomic, minItems: 1, maxItems: 2 },
    accepts: [['a'], ['a', 'a']],
    refuses: [[], ['a', 'b', 'c'], [''], 'a', [null]],
  },
  nullItems: {
    schema: z.array(z.string().nullable()),
    node: { type: 'array', items: { type: 'string', nullable: true }, ...atomic },
    accepts: [[null, 'a']],
    refuses: [[1]],
  },
  set: {
    schema: k.listSet(z.string()).max(2),
    node: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set', maxItems: 2 },
    accepts: [[], ['a', 'b']],
    refuses: [
      ['a', 'a'],
      ['a', 'b', 'c'],
    ],
  },
  listMap: {
    schema: k.listMap(ports, ['name', 'port']),
    node: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, port: { type: 'integer', format: 'int64', default: 80 } },
        required: ['name'],
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
    },
    accepts: [[{ name: 'a', port: 1 }, { name: 'a' }]],
    refuses: [[{ name: 'a', port: 80 }, { name: 'a' }], [{ port: 1 }]],
  },
  atomicMap: {
    schema: k.atomic(z.object({ name: z.string() })),
    node: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      'x-kubernetes-map-type': 'atomic',
    },
    accepts: [{ name: 'a' }],
    refuses: [{}],
  },
  default: {
    schema: z.string().max(3).default('abc'),
    node: { type: 'string', maxLength: 3, default: 'abc' },
    accepts: ['a', undefined],
    refuses: ['abcd'],
  },
  nullableDefault: {
    schema: z.string().nullable().default('abc'),
    node: { type: 'string', nullable: true, default: 'abc' },
    accepts: [null, undefined, 'x'],
    refuses: [1],
  },
  prefault: {
    schema: z
      .object({ a: z.int().default(1), b: z.object({ c: z.string().default('x') }).prefault({}) })
      .prefault({}),
    node: {
      type: 'object',
      properties: {
        a: { type: 'integer', format: 'int64', default: 1 },
        b: { type: 'object', properties: { c: { type: 'string', default: 'x' } }, default: { c: 'x' } },
      },
      default: { a: 1, b: { c: 'x' } },
    },
    accepts: [undefined, {}, { b: {} }, { a: 2, b: { c: 'y' } }],
    refuses: [{ a: 'x' }],
  },
  optionalParent: {
    schema: z.object({ a: z.int().default(1) }).optional(),
    node: { type: 'object', properties: { a: { type: 'integer', format: 'int64', default: 1 } } },
    accepts: [undefined, {}],
    refuses: [{ a: 'x' }],
  },
  tagged: {
    schema: shapes,
    node: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: ['disk', 'memory'] },
        size: { type: 'integer', format: 'int64' },
        label: { type: 'string' },
      },
      required: ['type'],
      'x-kubernetes-validations': [
        { rule: '!(self.type == "disk") || (has(self.size))', message: 'type "disk" requires size' },
        {
          rule: '!(self.type == "memory") || (!has(self.size))',
          message: 'type "memory" does not allow size',
        },
      ],
    },
    accepts: [
      { type: 'disk', size: 1 },
      { type: 'memory', label: 'x' },
    ],
    refuses: [{ type: 'disk' }, { type: 'other' }, {}],
    messages: [
      { value: { type: 'disk' }, field: 'tagged', message: /: type "disk" requires size$/ },
      // zod drops the field; the server says so.
      {
        value: { type: 'memory', size: 1 },
        field: 'tagged',
        message: /: type "memory" does not allow size$/,
      },
      {
        value: { type: 'other' },
        field: 'tagged.type',
        message: /"other": supported values: "disk", "memory"$/,
      },
      { value: {}, field: 'tagged.type', message: /^Required value$/ },
      {
        value: { type: 'disk', size: 'big' },
        field: 'tagged.size',
        message: /must be of type integer: "string"$/,
      },
    ],
  },
  oneOf: {
    schema: k.oneOf({ a: z.object({ x: z.int() }), b: z.object({}) }),
    node: {
      type: 'object',
      properties: {
        a: { type: 'object', properties: { x: { type: 'integer', format: 'int64' } }, required: ['x'] },
        b: { type: 'object' },
      },
      minProperties: 1,
      maxProperties: 1,
    },
    accepts: [{ a: { x: 1 } }, { b: {} }],
    refuses: [{}, { a: { x: 1 }, b: {} }, { a: {} }],
    messages: [
      { value: {}, field: 'oneOf', message: /spec\.oneOf in body should have at least 1 properties$/ },
      { value: { c: {} }, field: 'oneOf', message: /spec\.oneOf in body should have at least 1 properties$/ },
      { value: { a: { x: 1 }, b: {} }, field: 'oneOf', message: /must have at most 1 item/ },
      { value: { a: {} }, field: 'oneOf.a.x', message: /^Required value$/ },
      {
        value: { a: 1 },
        field: 'oneOf.a',
        message: /spec\.oneOf\.a in body must be of type object: "integer"$/,
      },
    ],
  },
  intersection: {
    schema: z.intersection(z.object({ a: z.string() }), z.object({ b: z.int().optional() })),
    node: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer', format: 'int64' } },
      required: ['a'],
    },
    accepts: [{ a: 'x' }, { a: 'x', b: 1 }],
    refuses: [{}, { a: 'x', b: 'y' }],
  },
  intOrString: {
    schema: k.intOrString({ pattern: /^[0-9]+%$/, maxLength: 4 }),
    node: { 'x-kubernetes-int-or-string': true, maxLength: 4, pattern: '^[0-9]+%$' },
    accepts: [1, '10%'],
    refuses: ['10', '1000%', true, 1.5],
    messages: [
      {
        value: '10',
        field: 'intOrString',
        message: /spec\.intOrString in body should match '\^\[0-9\]\+%\$'$/,
      },
      { value: '1000%', field: 'intOrString', message: /may not be more than 4 bytes$/ },
      { value: true, field: 'intOrString', message: /must be of type integer,string: "boolean"$/ },
      { value: 1.5, field: 'intOrString', message: /must be of type integer,string: "number"$/ },
      { value: {}, field: 'intOrString', message: /must be of type integer,string: "object"$/ },
    ],
  },
  quantity: {
    schema: k.quantity(),
    node: {
      'x-kubernetes-int-or-string': true,
      maxLength: 64,
      pattern: '^[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$',
    },
    accepts: ['500m', '1.5', '10Gi', 1, '1e3'],
    refuses: ['1 Gi', 'Gi', '', '1x'],
    messages: [
      { value: '1 Gi', field: 'quantity', message: /"1 Gi": spec\.quantity in body should match '.+'$/ },
      { value: '', field: 'quantity', message: /"": spec\.quantity in body should match '.+'$/ },
      { value: true, field: 'quantity', message: /must be of type integer,string: "boolean"$/ },
      { value: '1'.repeat(65), field: 'quantity', message: /may not be more than 64 bytes$/ },
    ],
  },
  duration: {
    schema: k.duration(),
    node: {
      type: 'string',
      maxLength: 64,
      pattern: '^(0|-?([0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h))+)$',
      format: 'duration',
    },
    accepts: ['1h30m', '0', '1.5s', '-2h'],
    refuses: ['PT1H', '1', '1 hour', ''],
  },
  int64: {
    schema: k.int64({ min: 0 }),
    node: { type: 'integer', format: 'int64', minimum: 0 },
    accepts: [0, 2n ** 53n + 1n, 2n ** 63n - 1n],
    refuses: [-1, 2n ** 63n, '1', 0.5],
  },
  unknown: {
    schema: z.unknown(),
    node: anything,
    accepts: ['a', 1, { a: [null] }, [1, 'a'], null],
    refuses: [],
  },
  embedded: {
    schema: k.embedded(),
    node: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    accepts: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { a: 'b' } }],
    refuses: [{ kind: 'ConfigMap' }, { apiVersion: 'v1' }, {}],
  },
  template: {
    schema: k.podTemplate({ preserve: true }),
    node: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    accepts: [{ metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'b' }] } }],
    refuses: ['x'],
  },
  objectMeta: {
    schema: k.objectMeta(),
    node: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        namespace: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
        finalizers: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      },
    },
    accepts: [{ name: 'a', labels: { a: 'b' } }],
    refuses: [{ labels: { a: 1 } }],
  },
  readonly: { schema: z.string().readonly(), node: { type: 'string' }, accepts: ['a'], refuses: [1] },
  described: {
    schema: z.string().describe('A text.'),
    node: { description: 'A text.', type: 'string' },
    accepts: ['a'],
    refuses: [1],
  },
}
