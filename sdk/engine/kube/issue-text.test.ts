import t from 'tap'
import * as z from 'zod'
import { issueText } from './issue-text.js'

const problem = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(issueText)

void t.test('the messages of zod have no preface', (t) => {
  t.same(problem(z.number(), 'a'), ['expected number, received string'])
  t.same(problem(z.enum(['a', 'b']), 'c'), ['expected one of "a"|"b"'])
  t.same(problem(z.number().max(5), 6), ['must be at most 5'])
  t.same(problem(z.string().min(1), ''), ['must have at least 1 character'])
  t.same(problem(z.number().positive(), 0), ['must be more than 0'])
  t.same(problem(z.array(z.string()).max(2), ['a', 'b', 'c']), ['must have at most 2 items'])
  t.same(problem(z.string().startsWith('a'), 'b'), ['must start with "a"'])
  t.same(problem(z.number().multipleOf(2), 3), ['must be a multiple of 2'])
  t.end()
})

void t.test('a message of the schema is kept', (t) => {
  t.same(problem(z.string({ error: 'Invalid team: ask for a name' }), 1), ['Invalid team: ask for a name'])
  t.same(problem(z.number().max(5, 'ask for more'), 6), ['ask for more'])
  t.same(problem(z.strictObject({}), { a: 1 }), ['Unrecognized key: "a"'])
  t.end()
})
