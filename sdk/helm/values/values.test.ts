// Tests the paths, types and variables of overrides.
import t from 'tap'
import { expandVariables } from './expand-variables.js'
import { parseGoDuration } from './go-duration.js'
import { overlaps, withOverrides } from './overrides.js'
import { typedScalar } from './typed-scalar.js'
import { parseValuePath } from './value-path.js'

void t.test('paths are those of helm --set', async (t) => {
  const cases: [string, (string | number)[]][] = [
    ['a', ['a']],
    ['a.b', ['a', 'b']],
    ['list[0].c', ['list', 0, 'c']],
    ['list[2][10]', ['list', 2, 10]],
    ['a\\.b.c\\[0\\]', ['a.b', 'c[0]']],
    ['example\\.com/x y', ['example.com/x y']],
    [Array(30).fill('a').join('.'), Array(30).fill('a')],
    ['list[65536]', ['list', 65536]],
  ]
  for (const [text, path] of cases) t.strictSame(parseValuePath(text), path, text)
  const wrong = ['', '.', 'a.', '.a', 'a..b', '[0]', 'a[', 'a[x]', 'a[-1]', 'a[0]b', 'list[65537]', 'a\\']
  for (const text of wrong) t.throws(() => parseValuePath(text), { name: 'ValuePathError' }, text)
  t.throws(() => parseValuePath(Array(31).fill('a').join('.')), { message: 'it is deeper than 30 levels' })
})

void t.test(
  'overrides make maps and lists, fill gaps with null, and leave the given values alone',
  async (t) => {
    const values = { image: { tag: '1', name: 'a' }, list: [1], text: 'x' }
    const set = (key: string, value: unknown) => ({ key, path: parseValuePath(key), value })
    const overrides = [
      ...[
        set('image.tag', '2'),
        set('list[3].a', true),
        set('text.below', 1),
        set('new.a[1]', 'x'),
        set('gone', null),
      ],
      set('__proto__.polluted', true),
    ]
    const result = withOverrides(values, overrides)
    t.strictSame(JSON.parse(JSON.stringify({ ...result, image: result.image })), {
      image: { tag: '2', name: 'a' },
      list: [1, null, null, { a: true }],
      text: { below: 1 },
      new: { a: [null, 'x'] },
      gone: null,
      ['__proto__']: { polluted: true },
    })
    t.notOk('polluted' in {})
    t.ok(1 in (result.list as unknown[]), 'a gap is null, not a hole')
    t.strictSame(values, { image: { tag: '1', name: 'a' }, list: [1], text: 'x' })
  },
)

void t.test('a key that is a part of another is found', async (t) => {
  const of = (...keys: string[]) => overlaps(keys.map((key) => ({ key, path: parseValuePath(key) })))
  t.strictSame(of('a.b', 'a', 'b'), [['a', 'a.b']])
  t.strictSame(of('a.b.c', 'a-b', 'a', 'a.b'), [
    ['a', 'a.b'],
    ['a.b', 'a.b.c'],
  ])
  t.strictSame(of('a[0]', 'a.0', 'ab', 'a[1]', 'b'), [])
  t.strictSame(of('a', 'a'), [['a', 'a']])
})

void t.test('a text is typed as a whole', async (t) => {
  const cases: [string, unknown][] = [
    ['true', true],
    ['false', false],
    ['null', null],
    ['0', 0],
    ['42', 42],
    ['-7', -7],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775808', '9223372036854775808'],
  ]
  for (const [text, value] of cases) t.equal(typedScalar(text), value, text)
  for (const text of ['', '007', '1.5', '1e3', '-0', 'True', 'a,b={c}', ' 1'])
    t.equal(typedScalar(text), text)
})

void t.test('variables are expanded once', async (t) => {
  const env = { A: 'x', EMPTY: '', REF: '$A' }
  const expand = (text: string) => expandVariables(text, env, false)
  t.equal(expand(`$A \${A} $NONE. \${NONE} $$A \${REF}`), 'x x .  $A $A')
  t.equal(expand(`\${NONE:-a b} \${EMPTY:-c} \${A:-d} \${NONE:-}`), 'a b c x ')
  t.equal(expand('cost: 5$ or $5'), 'cost: 5$ or $5', 'a dollar before something else stays')
  for (const text of [`\${A`, `\${}`, `\${A-b}`, `\${1}`])
    t.throws(() => expand(text), { name: 'ExpansionError' }, text)
  t.throws(() => expandVariables(`\${NONE}`, env, true), {
    message: 'the environment variable NONE is not set',
  })
  t.equal(expandVariables(`\${NONE:-a}\${EMPTY}`, env, true), 'a')
})

void t.test('durations of Go', async (t) => {
  const cases: [string, number | undefined][] = [
    ['1m', 60_000],
    ['1h30m5s', 5_405_000],
    ['1.5s', 1500],
    ['.5s', 500],
    ['250ms', 250],
    ['0', 0],
    ['0s', 0],
    ['-1s', -1000],
    ['60', undefined],
    ['', undefined],
    ['1d', undefined],
    ['s', undefined],
    ['1 m', undefined],
  ]
  for (const [text, ms] of cases) t.equal(parseGoDuration(text), ms, text)
  const digits = '1'.repeat(1_000_000)
  for (const text of [digits, `${digits}.`, `.${digits}`, `1h${digits}x`])
    t.equal(parseGoDuration(text), undefined, 'a million digits take little time')
})
