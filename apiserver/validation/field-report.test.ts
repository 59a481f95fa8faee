// Tests the report about unknown and duplicate fields.
import t from 'tap'
import { fieldProblems } from './field-report.js'

const problemsOf = (text: string, unknown: readonly string[]) =>
  fieldProblems(JSON.parse(text), unknown, { validation: 'Strict', text, warnings: [] })

void t.test('a field is reported once, and what is in an unknown field is not', async (t) => {
  const text =
    '{"a":{"x":1,"x":2},"b":1,"b":2,"l":[{"y":1,"y":2},[{"y":1,"y":2}]],"a":{"z":[{"x":1,"x":2}]},"c":{"d":1,"d":2}}'
  t.strictSame(problemsOf(text, ['a', 'c.d']), [
    'unknown field "a"',
    'duplicate field "b"',
    'duplicate field "l[0].y"',
    'duplicate field "l[1][0].y"',
    'unknown field "c.d"',
  ])
})

void t.test('a name with a dot is not a part of another field', async (t) => {
  t.strictSame(problemsOf('{"a":1,"a.b":1,"a.b":2}', ['a']), ['unknown field "a"', 'duplicate field "a.b"'])
})

void t.test('many repeated unknown fields are reported in linear time', async (t) => {
  const names = Array.from({ length: 100_000 }, (_, index) => `u${index}`)
  const members = names.flatMap((name) => [`"${name}":1`, `"${name}":2`])
  const problems = problemsOf(`{${members.join()}}`, names)
  t.equal(problems.length, names.length)
  t.equal(problems.at(-1), `unknown field "u${names.length - 1}"`)
})
