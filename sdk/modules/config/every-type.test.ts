// Each type of a configuration, in both spellings: its default, its bounds, and what each of the common fields means
// for it.
import t from 'tap'
import { checkConfig } from './check-config.js'
import { ConfigError } from './config-error.js'
import { parseConfigSchema } from './parse-config-schema.js'

interface TypeCase {
  /** The names of the type. */
  readonly names: readonly string[]
  readonly spec?: object
  /** The default of the type, and one that a schema sets. */
  readonly usual: unknown
  readonly other: unknown
  readonly good: readonly unknown[]
  /** Values that are refused, with what is said. */
  readonly wrong: readonly (readonly [value: unknown, message: RegExp])[]
}

const values = ['a', 'b', 'c']
const cases: readonly TypeCase[] = [
  {
    names: ['string'],
    spec: { regex: '^[a-z]*$' },
    usual: '',
    other: 'b',
    good: ['', 'a'],
    wrong: [
      [3, /must be a text, got 3/],
      [true, /must be a text, got true/],
      [['a'], /must be a text/],
      ['A', /must match/],
    ],
  },
  {
    names: ['integer'],
    spec: { min: -1, max: 5 },
    usual: 0,
    other: 4,
    good: [-1, 0, 5],
    wrong: [
      ['3', /must be an integer/],
      [3.7, /must be an integer/],
      [true, /must be an integer/],
      [-2, /at least -1, got -2/],
      [6, /at most 5, got 6/],
    ],
  },
  {
    names: ['float'],
    spec: { min: -0.5, max: 1.5 },
    usual: 0,
    other: 1.25,
    good: [-0.5, 1, 1.5],
    wrong: [
      ['1', /must be a finite number/],
      [Number.POSITIVE_INFINITY, /must be a finite number/],
      [-0.6, /at least -0.5, got -0.6/],
      [1.6, /at most 1.5, got 1.6/],
    ],
  },
  {
    names: ['boolean'],
    usual: false,
    other: true,
    good: [true, false],
    wrong: [
      ['true', /must be true or false/],
      [1, /must be true or false/],
    ],
  },
  {
    names: ['option'],
    spec: { values: ['', ...values] },
    usual: '',
    other: 'b',
    good: ['a', 'c'],
    wrong: [
      ['d', /must be one of , a, b, c, got "d"/],
      [['a'], /must be one of/],
      [1, /must be one of/],
    ],
  },
  {
    names: ['multiple-options', 'multipleOptions'],
    spec: { values, max: 2 },
    usual: [],
    other: ['b'],
    good: [[], ['a', 'c']],
    wrong: [
      ['a', /must be a list/],
      [['d'], /must only have values of a, b, c/],
      [['a', 'a'], /must not have a value twice/],
      [values, /must have at most 2 values/],
    ],
  },
]

/** A schema with one field, in the spelling of definitions and in that next to `spec`. */
const schemasOf = (names: readonly string[], spec: object) =>
  names.flatMap((type) => [
    [{ name: 'V', alias: 'v', [type]: spec }],
    [{ type, name: 'V', alias: 'v', spec }],
  ])

function answer(schema: object, config: object): unknown {
  try {
    return checkConfig(parseConfigSchema(schema), config)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

for (const { names, spec = {}, usual, other, good, wrong } of cases)
  void t.test(`${names[0]}: default, bounds, required, not editable, wrong type`, async (t) => {
    for (const schema of schemasOf(names, spec)) {
      t.strictSame(answer(schema, {}), { v: usual }, 'the default of the type')
      t.strictSame(answer(schema, { v: null }), { v: usual }, 'null counts as absent')
      for (const value of good) t.strictSame(answer(schema, { v: value }), { v: value })
      for (const [value, message] of wrong) t.match(answer(schema, { v: value }), message)
      t.match(answer(schema, { w: 1 }), /the value "w", which is unknown; did you mean v\?/)
    }
    for (const schema of schemasOf(names, { ...spec, default: other }))
      t.strictSame(answer(schema, {}), { v: other }, 'the default of the schema')
    for (const schema of schemasOf(names, { ...spec, required: true })) {
      t.equal(answer(schema, {}), 'config.v is required; set it')
      t.strictSame(answer(schema, { v: other }), { v: other })
    }
    for (const schema of schemasOf(names, { ...spec, editable: false, default: other })) {
      t.strictSame(answer(schema, {}), { v: other })
      t.match(answer(schema, { v: other }), /^config\.v must not be set, because it is not editable/)
    }
    for (const [value] of wrong)
      for (const schema of schemasOf(names, { ...spec, default: value }))
        t.match(answer(schema, { v: good[0] }), /^config\[0\]\.\S+\.default /, 'refused with the schema')
  })
