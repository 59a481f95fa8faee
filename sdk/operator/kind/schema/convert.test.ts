import t from 'tap'
import * as z from 'zod'
import { k } from '../k/k.js'
import { convertSchema } from './convert.js'
import { formatProblem } from './problem.js'

/** The one sentence about a schema that is refused. */
function sentenceAbout(schema: z.ZodType): string {
  const { problems } = convertSchema(z.object({ field: schema }), { path: 'spec' })
  return problems.map(formatProblem).join('\n')
}

interface Recursive {
  child?: Recursive | undefined
}
const recursive: z.ZodType<Recursive> = z.object({
  get child() {
    return recursive.optional()
  },
})
let count = 0

const refused: Readonly<Record<string, { schema: z.ZodType; says: string | RegExp }>> = {
  tuple: {
    schema: z.tuple([z.string()]),
    says: 'spec.field: tuple has no counterpart in a CRD; use z.array(...)',
  },
  map: {
    schema: z.map(z.string(), z.string()),
    says: 'spec.field: map is not JSON; use z.record(z.string(), ...)',
  },
  set: { schema: z.set(z.string()), says: 'spec.field: set is not JSON; use k.listSet(...)' },
  date: { schema: z.date(), says: 'spec.field: date is not JSON; use z.iso.datetime()' },
  bigint: { schema: z.bigint(), says: 'spec.field: bigint is not JSON; use k.int64()' },
  null: { schema: z.null(), says: 'spec.field: null has no type in a CRD; use .nullable()' },
  undefined: { schema: z.undefined(), says: 'spec.field: undefined is not JSON; use .optional()' },
  symbol: { schema: z.symbol(), says: 'spec.field: symbol is not JSON' },
  nan: { schema: z.nan(), says: 'spec.field: nan is not JSON' },
  file: { schema: z.file(), says: 'spec.field: file is not JSON' },
  function: {
    schema: z.custom(() => true),
    says: 'spec.field: custom is unknown to the API server; use k.rule',
  },
  promise: { schema: z.promise(z.string()), says: 'spec.field: promise is not JSON' },
  lazy: { schema: z.lazy(() => z.string()), says: 'spec.field: lazy would need $ref' },
  recursive: { schema: recursive, says: 'spec.field.child: recursive schema would need $ref' },
  transform: { schema: z.transform(String), says: 'spec.field: transform changes values' },
  transformed: {
    schema: z.string().transform(Number),
    says: 'spec.field: transform changes values, which the API server does not; remove it, and change the value in reconcile',
  },
  preprocess: {
    schema: z.preprocess(Number, z.int()),
    says: 'spec.field: preprocess changes values before it checks them',
  },
  codec: {
    schema: z.codec(z.string(), z.int(), { decode: Number, encode: String }),
    says: 'spec.field: codec changes values, which the API server does not; use its first schema',
  },
  pipe: {
    schema: z.string().pipe(z.string().min(1)),
    says: 'spec.field: pipe checks a value by two schemas',
  },
  coerce: { schema: z.coerce.number(), says: 'spec.field: coerce changes values' },
  trim: {
    schema: z.string().trim(),
    says: /trim, toLowerCase or another overwrite changes values.*use \.regex/,
  },
  catch: { schema: z.string().catch('x'), says: 'spec.field: catch accepts what it would have to refuse' },
  templateLiteral: {
    schema: z.templateLiteral(['a', z.int()]),
    says: 'spec.field: template_literal has no counterpart',
  },
  never: { schema: z.never(), says: 'spec.field: never accepts nothing' },
  nonoptional: {
    schema: z.nonoptional(z.string().optional()),
    says: 'spec.field: nonoptional has no counterpart',
  },
  refine: {
    schema: z.string().refine((text) => text !== 'x'),
    says: 'spec.field: refine is unknown to the API server; use k.rule',
  },
  refineOutside: {
    schema: z
      .string()
      .optional()
      .refine(() => true),
    says: 'spec.field: refine is unknown',
  },
  superRefine: {
    schema: z.object({}).superRefine(() => {}),
    says: 'spec.field: refine is unknown to the API server',
  },
  refinedQuantity: { schema: k.quantity().refine(() => true), says: 'spec.field: refine is unknown' },
  union: {
    schema: z.union([z.string(), z.int()]),
    says: /union would need types inside of anyOf.*k\.oneOf.*k\.intOrString/,
  },
  mixedLiterals: {
    schema: z.literal(['a', 1]),
    says: /values of type number and string have no common type/,
  },
  nullLiteral: { schema: z.literal([null, 'a']), says: /values of type null and string.*\.nullable\(\)/ },
  sharedIntersection: {
    schema: z.intersection(z.object({ a: z.string() }), z.object({ a: z.string() })),
    says: 'spec.field: intersection has the field a on both sides; write one z.object({...})',
  },
  intersectionOfTexts: {
    schema: z.intersection(z.string(), z.string()),
    says: /intersection takes plain objects only/,
  },
  catchall: {
    schema: z.object({ a: z.string() }).catchall(z.string()),
    says: /catchall cannot be combined with fields.*z\.record/,
  },
  lookAhead: {
    schema: z.string().regex(/^(?!a)/),
    says: /pattern .* does not compile with the API server's RE2 syntax .*without look-around/,
  },
  backReference: {
    schema: z.string().regex(/(a)\1/),
    says: /does not compile with the API server's RE2 syntax/,
  },
  flags: {
    schema: z.string().regex(/a/i),
    says: 'spec.field: pattern /a/i has the flags "i", which the API server ignores',
  },
  isoDuration: {
    schema: z.iso.duration(),
    says: 'spec.field: format duration means ISO 8601 in zod and Go durations in Kubernetes; use k.duration()',
  },
  isoTime: {
    schema: z.iso.time(),
    says: /format time has no counterpart in Kubernetes; use z\.string\(\)\.regex/,
  },
  unknownFormat: {
    schema: z.ulid(),
    says: 'spec.field: format ulid is not checked by the API server; use z.string().regex(...)',
  },
  precision: {
    schema: z.iso.datetime({ precision: 3 }),
    says: 'spec.field: format datetime with precision is not checked',
  },
  urlOptions: { schema: z.httpUrl(), says: /format url with hostname, protocol is not checked/ },
  incompleteDefault: {
    schema: z.object({ a: z.int().default(1), b: z.int().optional() }).default({ b: 2 } as never),
    says: /default is handed on by zod as it is.*use \.prefault\(/,
  },
  invalidDefault: {
    schema: z.string().min(3).default('a'),
    says: /spec\.field: default is not valid itself/,
  },
  invalidPrefault: {
    schema: z.object({ a: z.int() }).prefault({} as never),
    says: /prefault is not valid itself \(a: /,
  },
  changingDefault: {
    schema: z.int().default(() => count++),
    says: 'spec.field: default changes with each call; a CRD needs a constant',
  },
  elementDefault: {
    schema: z.array(z.string().default('x')),
    says: /spec\.field\[\]: default has no meaning for the elements/,
  },
  elementOptional: {
    schema: z.record(z.string(), z.string().optional()),
    says: /spec\.field\{\}: optional has no meaning/,
  },
  setOfObjects: {
    schema: k.listSet(z.object({})),
    says: 'spec.field: k.listSet takes scalars only; use k.listMap for objects',
  },
  setOfNulls: {
    schema: k.listSet(z.string().nullable()),
    says: /k\.listSet takes no elements that may be null/,
  },
  mapOfTexts: {
    schema: k.listMap(z.string() as never, []),
    says: 'spec.field: k.listMap takes objects only; use k.listSet for scalars',
  },
  missingKey: {
    schema: k.listMap(z.object({ a: z.string() }), ['b' as 'a']),
    says: 'spec.field: k.listMap key b is not a field of the elements',
  },
  optionalKey: {
    schema: k.listMap(z.object({ a: z.string().optional() }), ['a']),
    says: 'spec.field: k.listMap key a may be absent',
  },
  objectKey: {
    schema: k.listMap(z.object({ a: z.object({}) }), ['a']),
    says: 'spec.field: k.listMap key a must be a scalar',
  },
  checkedKeys: {
    schema: z.record(z.string().max(3), z.string()),
    says: /record with checked keys needs a limit.*k\.record/,
  },
  numberKeys: { schema: z.record(z.number(), z.string()), says: /record needs keys of type string/ },
  looseRecord: { schema: z.looseRecord(z.string(), z.string()), says: /looseRecord has no counterpart/ },
  oneOfDefault: {
    schema: k.oneOf({ a: z.string().default('x'), b: z.string() }),
    says: 'spec.field: k.oneOf with a default for a would set a second field',
  },
  twoSchemas: {
    schema: z.discriminatedUnion('t', [
      z.object({ t: z.literal('a'), x: z.string() }),
      z.object({ t: z.literal('b'), x: z.int() }),
    ]),
    says: 'spec.field: discriminatedUnion field x has two different schemas; nest what differs in an object of each variant',
  },
  variantDefault: {
    schema: z.discriminatedUnion('t', [
      z.object({ t: z.literal('a'), x: z.string().default('x') }),
      z.object({ t: z.literal('b') }),
    ]),
    says: /discriminatedUnion field x has a default, which the API server would set in every variant/,
  },
  includesPosition: {
    schema: z.string().includes('a', { position: 2 }),
    says: /includes with a position has no counterpart/,
  },
}

void t.test(
  'each construct that the API server cannot hold is refused with path, construct and cure',
  async (t) => {
    for (const [name, { schema, says }] of Object.entries(refused)) {
      const sentence = sentenceAbout(schema)
      if (typeof says === 'string') t.ok(sentence.startsWith(says), `${name}: ${sentence}`)
      else t.match(sentence, says, name)
    }
  },
)

void t.test('all problems are found at once, each with its path', async (t) => {
  const schema = z.object({ a: z.date(), b: z.array(z.object({ c: z.bigint() })) })
  const { problems } = convertSchema(schema, { path: 'spec' })
  t.same(
    problems.map(({ path, construct }) => `${path} ${construct}`),
    ['spec.a date', 'spec.b[].c bigint'],
  )
})

void t.test(
  'a rule with oldSelf needs former values, which only the elements of a listMap have',
  async (t) => {
    const row = z.object({ name: z.string(), size: k.immutable(z.int()) })
    const schema = z.object({
      keyed: k.listMap(row, ['name']),
      plain: z.array(z.object({ inner: k.listMap(row, ['name']) })),
      unchecked: z.array(
        k.rule(z.string(), 'self == oldSelf', { unchecked: 'kube-apiserver 1.40 accepts it' }),
      ),
    })
    t.same(convertSchema(schema, { path: 'spec' }).problems.map(formatProblem), [
      'spec.plain[].inner[].size: rule "self == oldSelf" uses oldSelf, and the elements of spec.plain have no former value; use k.listMap, or put the rule on spec.plain or its parent',
    ])
  },
)

void t.test('a schema that behaves differently than it looks is a warning', async (t) => {
  const { problems, warnings } = convertSchema(z.strictObject({ a: z.number() }), { path: 'spec' })
  t.same(problems, [])
  t.match(warnings.map(formatProblem), [
    /spec\.a: number is a floating-point number/,
    /spec: strictObject refuses unknown fields/,
  ])
})

void t.test('a default that zod completes by itself is a default', async (t) => {
  const schema = z.object({ a: z.int().default(1) }).default({ a: 2 })
  t.same(convertSchema(schema, { path: 'spec' }).schema.default, { a: 2 })
  t.same(convertSchema(schema, { path: 'spec' }).problems, [])
})

void t.test('descriptions are cut where asked for', async (t) => {
  const { schema } = convertSchema(z.string().describe('A long text.'), { path: 'spec', maxDescription: 6 })
  t.same(schema, { description: 'A long', type: 'string' })
})

void t.test('rules add up, and survive what clones a schema', async (t) => {
  const text = k.rule(k.rule(z.string(), 'self != "a"', { message: 'not a' }), 'self != "b"').max(3)
  const { schema } = convertSchema(k.immutable(text.optional()), { path: 'spec' })
  t.same(schema, {
    type: 'string',
    maxLength: 3,
    'x-kubernetes-validations': [
      { rule: 'self != "a"', message: 'not a' },
      { rule: 'self != "b"' },
      { rule: 'self == oldSelf', message: 'field is immutable' },
    ],
  })
})

void t.test('quantities are compared by their amount', async (t) => {
  const same: [string | number, string | number][] = [
    ['1000m', 1],
    ['1Gi', '1024Mi'],
    ['0.5', '500m'],
    ['1e3', '1k'],
    ['1E', '1e18'],
    ['+1.50', '1.5'],
    ['0', '-0'],
    ['1.5Ki', 1536],
  ]
  for (const [a, b] of same) t.ok(k.sameQuantity(a, b), `${a} is ${b}`)
  t.notOk(k.sameQuantity('1G', '1Gi'))
  t.notOk(k.sameQuantity('-1', '1'))
  t.throws(() => k.sameQuantity('1 Gi', 1), /"1 Gi" is not a quantity; write for example 500m/)
})
