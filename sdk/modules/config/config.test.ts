import t from 'tap'
import { checkConfig, secretTexts } from './check-config.js'
import { ConfigError } from './config-error.js'
import { parseConfigSchema } from './parse-config-schema.js'

/** The problems of what throws a `ConfigError`, as texts. */
function problemsOf(work: () => unknown): string[] {
  try {
    work()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ path, message }) => `${path} ${message}`)
    throw error
  }
  return []
}

const field = (type: string, spec: object = {}) => [{ name: 'Value', alias: 'value', [type]: spec }]
const check = (type: string, spec: object, value?: unknown) =>
  checkConfig(parseConfigSchema(field(type, spec)), value === undefined ? {} : { value })
const problems = (type: string, spec: object, value?: unknown) =>
  problemsOf(() => check(type, spec, value)).map((problem) => problem.replace(/^config\.value /, ''))

void t.test('both spellings of a schema mean the same', async (t) => {
  const specs = {
    string: { regex: '^a', default: 'ab' },
    integer: { min: 1, default: 2 },
    float: { max: 1.5 },
    boolean: { default: true, editable: false },
    option: { values: ['a', 'b'], required: true },
  }
  const named = Object.entries({ ...specs, 'multiple-options': { values: ['a'], max: 1 } })
  const membered = Object.entries({ ...specs, multipleOptions: { values: ['a'], max: 1 } })
  const seed = named.map(([type, spec]) => ({ type, name: type, alias: type, spec }))
  const head = membered.map(([type, spec], at) => ({
    name: named[at]?.[0],
    alias: named[at]?.[0],
    [type]: spec,
  }))
  t.strictSame(parseConfigSchema(seed), parseConfigSchema(head))
  t.equal(parseConfigSchema(seed).length, 6)
  t.strictSame(parseConfigSchema(undefined), [])
})

void t.test('values that are left out get the default of their type', async (t) => {
  const defaults = { string: '', integer: 0, float: 0, boolean: false }
  for (const [type, value] of Object.entries(defaults)) t.strictSame(check(type, {}), { value })
  t.strictSame(check('option', { values: ['a'], default: 'a' }), { value: 'a' })
  t.strictSame(check('multipleOptions', { values: ['a'] }), { value: [] })
  t.strictSame(check('string', { required: true }, 'x'), { value: 'x' })
  t.strictSame(check('string', { default: 'x' }, null), { value: 'x' })
})

void t.test('each type refuses the values that do not fit, and quotes them', async (t) => {
  t.strictSame(problems('string', {}, 3), ['must be a text, got 3'])
  t.strictSame(problems('string', { regex: '^[a-z]+$' }, 'A'), ['must match ^[a-z]+$, got "A"'])
  t.strictSame(check('string', { regex: 'b' }, 'abc'), { value: 'abc' }, 'a pattern is not anchored')
  t.match(problems('integer', {}, 3.7), [/must be an integer.*got 3\.7/])
  t.match(problems('integer', {}, '3'), [/must be an integer.*got "3"/])
  t.match(problems('integer', {}, 2 ** 53), [/of at most 2\^53/])
  t.strictSame(problems('integer', { min: 1, max: 5 }, 0), ['must be at least 1, got 0'])
  t.strictSame(problems('integer', { min: 1, max: 5 }, 7), ['must be at most 5, got 7'])
  t.strictSame(problems('float', { max: 1.5 }, 1.6), ['must be at most 1.5, got 1.6'])
  t.match(problems('float', {}, Number.NaN), [/finite/])
  t.strictSame(problems('boolean', {}, 'true'), ['must be true or false, got "true"'])
  t.strictSame(problems('option', { values: ['a', 'b'] }, 'c'), ['must be one of a, b, got "c"'])
  const choice = { values: ['a', 'b', 'c'], min: 1, max: 2 }
  t.match(problems('multipleOptions', choice, 'a'), [/must be a list/])
  t.match(problems('multipleOptions', choice, ['d']), [/must only have values of a, b, c/])
  t.match(problems('multipleOptions', choice, ['a', 'a']), [/must not have a value twice/])
  t.match(problems('multipleOptions', choice, ['a', 'b', 'c']), [/must have at most 2 values/])
  t.match(problems('multipleOptions', choice, []), [/must have at least 1 values/])
  t.strictSame(check('multiple-options', choice, ['b', 'a']), { value: ['b', 'a'] })
})

void t.test(
  'required and editable hold, and a default that is not given is checked when it is used',
  async (t) => {
    t.strictSame(problems('string', { required: true }), ['is required; set it'])
    t.strictSame(problems('string', { editable: false }, 'x'), [
      'must not be set, because it is not editable',
    ])
    t.strictSame(problems('option', { values: ['a'] }), [
      'is not set, and its default must be one of a, got ""',
    ])
  },
)

void t.test('all mistakes come in one message, and an unknown value with the nearest alias', async (t) => {
  const fields = parseConfigSchema([
    { name: 'Replicas', alias: 'replicas', integer: { max: 5 } },
    { type: 'string', name: 'Host', alias: 'host', spec: { required: true } },
  ])
  t.strictSame(
    problemsOf(() => checkConfig(fields, { replicas: 7, hots: 'x' })),
    [
      'config.replicas must be at most 5, got 7',
      'config.host is required; set it',
      'config has the value "hots", which is unknown; did you mean host?',
    ],
  )
  t.strictSame(
    problemsOf(() => checkConfig(fields, ['x'])),
    ['config must be an object'],
  )
  t.match(
    problemsOf(() => checkConfig(fields, { host: 'x', toString: 1 })),
    [/"toString", which is unknown$/],
  )
})

void t.test('the value of a secret field is never quoted', async (t) => {
  t.strictSame(problems('string', { regex: '^a$', secret: true }, 'hunter2'), ['must match ^a$'])
  const fields = parseConfigSchema([
    ...field('string', { secret: true }),
    { name: 'Open', alias: 'open', string: {} },
  ])
  t.strictSame(secretTexts(fields, checkConfig(fields, { value: 'hunter2', open: 'x' })), ['hunter2'])
})

void t.test('a wrong schema is refused with every mistake and its path', async (t) => {
  const schema = [
    { name: 'A', alias: 'a', string: { regex: '(?=x)' } },
    { name: 'B', alias: 'b', string: { regex: '(a)\\1' } },
    { name: 'C', alias: 'c', integer: { min: 1, default: 0 } },
    { type: 'option', name: 'D', alias: 'd', spec: { values: [] } },
    { name: 'E', alias: 'a', integer: { min: 2, max: 1 } },
    { name: '', alias: 'f', string: {} },
    { name: 'G', alias: 'g', strnig: {} },
    { name: 'H', alias: 'h', string: {}, integer: {} },
    { name: 'I', alias: 'i', type: 'integer', spec: { default: 3.7 } },
    { name: 'J', alias: 'j', boolean: { defualt: true } },
    'k',
  ]
  t.match(
    problemsOf(() => parseConfigSchema(schema)),
    [
      /^config\[0\]\.string\.regex is not a pattern of RE2/,
      /^config\[1\]\.string\.regex is not a pattern of RE2/,
      /^config\[2\]\.integer\.default must be at least 1, got 0/,
      /^config\[3\]\.spec\.values is wrong: must have at least one value/,
      /^config\[4\]\.integer\.min must be at most max, which is 1, got 2/,
      /^config\[5\]\.name must be a text that is not empty/,
      /^config\[6\] has the type "strnig", which is unknown; did you mean string\?/,
      /^config\[7\] must have exactly one type of/,
      /^config\[8\]\.spec\.default is wrong: must be an integer/,
      /^config\[9\]\.boolean is wrong: .*defualt/,
      /^config\[10\] must be an object/,
      /^config has the alias "a" twice/,
    ],
  )
  t.strictSame(
    problemsOf(() => parseConfigSchema({})),
    ['config must be a list'],
  )
})

void t.test('a pattern that backtracking engines take hours for is matched at once', async (t) => {
  t.match(problems('string', { regex: '^(a+)+$' }, `${'a'.repeat(40)}!`), [/must match/])
})

void t.test('a configuration of megabytes is checked in little time', async (t) => {
  const names = Array.from({ length: 100_000 }, (_, index) => `name-${index}`)
  t.strictSame(check('multipleOptions', { values: names }, names.toReversed()), { value: names.toReversed() })
  const fields = names.map((name) => ({ name, alias: name, boolean: {} }))
  t.strictSame(
    problemsOf(() => parseConfigSchema([...fields, fields[7]])),
    ['config has the alias "name-7" twice'],
  )
  const unknown = problemsOf(() =>
    checkConfig(parseConfigSchema(fields), Object.fromEntries(names.map((name) => [`${name}x`, 1]))),
  )
  t.equal(unknown.length, 20)
  t.match(unknown[0], /^config has the value "name-0x", which is unknown; did you mean name-0\?$/)
  const long = 'n'.repeat(1_000_000)
  const longField = parseConfigSchema([{ name: 'Value', alias: `${long}a`, boolean: {} }])
  t.match(
    problemsOf(() => checkConfig(longField, { [`b${long}`]: true })),
    [/ which is unknown$/],
  )
})
