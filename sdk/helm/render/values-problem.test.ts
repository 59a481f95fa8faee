import t from 'tap'
import { isValuesProblem, valuesProblem } from './values-problem.js'

const head = "values don't meet the specifications of the schema(s) in the following chart(s):\n"

void t.test('values that do not fit a schema are one line, with the paths of the values', (t) => {
  const message = `${head}web:\n- at '/image/tag': got number, want string\n- at '/a~1b': got string, want integer\n`
  t.ok(isValuesProblem(message))
  t.equal(
    valuesProblem(message),
    'the values of the chart web do not fit its schema: image.tag: got number, want string; a/b: got string, want integer; correct the values',
  )
  t.end()
})

void t.test('subcharts, the whole values and the form of Helm 3 are kept', (t) => {
  const message = `${head}web:\n- at '': missing property 'host'\ndb:\n- size: Invalid type. Expected: integer, given: string`
  t.equal(
    valuesProblem(message),
    "the values of the chart web do not fit its schema: missing property 'host'. the values of the chart db do not fit its schema: size: Invalid type. Expected: integer, given: string; correct the values",
  )
  t.equal(valuesProblem('host is required'), 'host is required')
  t.end()
})

void t.test('a text of a template that begins like the message is kept', (t) => {
  const message = `${head}ask the owner of the chart`
  t.equal(valuesProblem(message), message)
  t.end()
})
