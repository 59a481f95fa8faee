import t from 'tap'
import { isValuesProblem, valuesProblem } from './values-problem.js'

const head = "values don't meet the specifications of the schema(s) in the following chart(s):\n"

void t.test('values that do not fit a schema are one line, with the paths of the values', (t) => {
  const message = `${head}web:\n- at '/image/tag': got number, want string\n- at '/a~1b': got string, want integer\n`
  t.ok(isValuesProblem(message))
  t.equal(
    valuesProblem(message),
    'the values of the chart web do not fit its schema: image.tag: must be a string, got a number; a/b: must be a whole number, got a string; correct the values',
  )
  t.end()
})

void t.test('limits of a schema are in words', (t) => {
  const problem = (text: string) =>
    /schema: port: (.*); correct the values$/.exec(valuesProblem(`${head}web:\n- at '/port': ${text}\n`))?.[1]
  t.equal(problem('maximum: got 10, want 9'), 'must be at most 9, got 10')
  t.equal(problem('exclusiveMinimum: got 0, want 0'), 'must be more than 0, got 0')
  t.equal(problem('minLength: got 0, want 1'), 'must have at least 1 character, but has 0')
  t.equal(problem('maxItems: got 3, want 2'), 'must have at most 2 items, but has 3')
  t.equal(problem("value must be one of 'a', 'b'"), "must be one of 'a', 'b'")
  t.equal(problem('got boolean, want string or null'), 'must be a string or null, got a boolean')
  t.equal(problem("additional properties 'x' not allowed"), "unknown value 'x'")
  t.equal(problem("additional properties 'x', 'y' not allowed"), "unknown values 'x', 'y'")
  t.equal(problem('constructor: got 1, want 2'), 'constructor: got 1, want 2')
  t.end()
})

void t.test('subcharts, the whole values and the form of Helm 3 are kept', (t) => {
  const message = `${head}web:\n- at '': missing property 'host'\ndb:\n- size: Invalid type. Expected: integer, given: string`
  t.equal(
    valuesProblem(message),
    "the values of the chart web do not fit its schema: 'host' is required. the values of the chart db do not fit its schema: size: Invalid type. Expected: integer, given: string; correct the values",
  )
  t.equal(valuesProblem('host is required'), 'host is required')
  t.end()
})

void t.test('a text of a template that begins like the message is kept', (t) => {
  const message = `${head}ask the owner of the chart`
  t.equal(valuesProblem(message), message)
  t.end()
})
