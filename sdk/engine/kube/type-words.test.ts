import t from 'tap'
import { typeProblem } from './type-words.js'

const problem = (wanted: string, given: string) => typeProblem({ wanted, given })

void t.test('a wrong type is in plain words', (t) => {
  t.equal(problem('string', 'number'), 'must be a string, got a number')
  t.equal(problem('int32', 'string'), 'must be a whole number, got a string')
  t.equal(problem('integer', 'number'), 'must be a whole number')
  t.equal(problem('*bool', 'bool'), 'must be true or false, got a boolean')
  t.equal(problem('map[string]string', 'array'), 'must be an object of strings, got a list')
  t.equal(problem('[]v1.Container', 'object'), 'must be a list, got an object')
  t.equal(problem('v1.PodSpec', 'string'), 'must be an object, got a string')
  t.equal(problem('v1.RestartPolicy', 'number'), 'must be of type v1.RestartPolicy, got a number')
  t.equal(problem('[]uint8', 'number'), 'must be base64 text, got a number')
  t.equal(problem('string or null', 'integer'), 'must be a string or null, got a whole number')
  t.equal(problem('date', 'NaN'), 'must be of type date, got NaN')
  t.end()
})
