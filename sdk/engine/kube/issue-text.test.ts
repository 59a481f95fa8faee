import t from 'tap'
import * as z from 'zod'
import { issueText } from './issue-text.js'

const problem = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues.map(issueText)

void t.test('the messages of zod are in plain words', (t) => {
  t.same(problem(z.number(), 'a'), ['must be a number, got a string'])
  t.same(problem(z.number(), Number.NaN), ['must be a number'])
  t.same(problem(z.coerce.number(), 'five'), ['must be a number'])
  t.same(problem(z.coerce.date(), 'soon'), ['must be a date'])
  t.same(problem(z.object({ at: z.date() }), {}), ['is required'])
  t.same(problem(z.coerce.bigint(), 'five'), ['must be a whole number'])
  t.same(problem(z.email(), 'x'), ['is not a valid email address'])
  t.same(problem(z.url(), 'x'), ['is not a valid URL'])
  t.same(problem(z.base64(), '*'), ['is not a valid base64-encoded string'])
  t.same(problem(z.string().lowercase(), 'A'), ['must be lowercase'])
  const forms = [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })] as const
  t.same(problem(z.discriminatedUnion('kind', forms), { kind: 'c' }), ['must be one of "a", "b"'])
  t.same(problem(z.int(), 1.5), ['must be a whole number'])
  t.same(problem(z.boolean(), null), ['must be true or false, got null'])
  t.same(problem(z.array(z.string()), {}), ['must be a list, got an object'])
  t.same(problem(z.record(z.string(), z.string()), []), ['must be an object, got a list'])
  t.same(problem(z.string(), undefined), ['is required'])
  t.same(problem(z.enum(['a', 'b', 'c|d']), 'c'), ['must be one of "a", "b", "c|d"'])
  t.same(problem(z.literal([1, true]), 'c'), ['must be one of 1, true'])
  t.same(problem(z.literal('a'), 'c'), ['must be "a"'])
  t.same(problem(z.literal(7), 'c'), ['must be 7'])
  t.same(problem(z.strictObject({}), { a: 1 }), ['unknown field: "a"'])
  t.same(problem(z.strictObject({}), { a: 1, b: 2 }), ['unknown fields: "a", "b"'])
  t.same(problem(z.union([z.string(), z.number()]), true), ['has none of the forms that its schema permits'])
  t.same(
    problem(
      z.string().refine(() => false),
      'b',
    ),
    ['is not valid'],
  )
  t.same(problem(z.string().length(3), 'b'), ['must have exactly 3 characters'])
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
  t.equal(issueText({ message: 'expected string' }), 'expected string')
  t.end()
})
