import t from 'tap'
import { z } from 'zod'
import { defineKind } from '../define/define-kind.js'
import { k } from '../k/k.js'
import { formatProblem } from '../schema/problem.js'
import { ruleProblems } from './rule-problems.js'

/** The sentences about the rules of a spec. */
const sentences = (spec: z.ZodType) =>
  ruleProblems(defineKind({ group: 'rules.example.com', version: 'v1', kind: 'Thing', spec })).map(
    formatProblem,
  )

const texts = (max?: number) =>
  max === undefined ? z.array(z.string()) : z.array(z.string().max(64)).max(max)

void t.test(
  'a rule that iterates over something without a limit is refused, and the place is named',
  async (t) => {
    const refused: [z.ZodType, RegExp][] = [
      [
        k.rule(z.object({ a: texts() }), 'self.a.all(x, x != "")'),
        /^spec: rule "self\.a\.all.*" iterates over spec\.a, which has no limit; add \.max/,
      ],
      [
        k.rule(z.object({ a: z.record(z.string(), z.int()) }), 'self.a.exists(k, k == "x")'),
        /iterates over spec\.a, which has no limit/,
      ],
      [
        k.rule(
          z.object({ a: z.array(z.object({ b: texts() })).max(3) }),
          'self.a.map(x, x.b.filter(y, y != "")).size() > 0',
        ),
        /iterates over spec\.a\[\]\.b/,
      ],
      [
        z.object({ list: z.array(k.rule(z.object({ a: texts() }), '"x" in self.a')).max(3) }),
        /^spec\.list\[\]: .* iterates over spec\.list\[\]\.a/,
      ],
      [
        k.rule(z.object({ a: texts(), b: texts(3) }), 'sets.contains(self.a, self.b)'),
        /iterates over spec\.a/,
      ],
      [k.rule(z.object({ a: texts() }), 'cel.bind(x, self.a, x.all(y, y != ""))'), /iterates over spec\.a/],
    ]
    for (const [spec, sentence] of refused) t.match(sentences(spec).join('\n'), sentence)
  },
)

void t.test('a rule that costs too much is refused, with what it may cost', async (t) => {
  const nested = k.rule(z.object({ a: texts(5000) }), 'self.a.all(x, self.a.exists(y, y == x))')
  t.match(
    sentences(nested).join('\n'),
    /may cost \d{4,} % of what a rule may cost; limit lists, maps and texts/,
  )
  const inList = z.object({
    list: z.array(k.rule(z.object({ a: z.string() }), 'self.a.matches("^[a-z]+$")')),
  })
  t.match(sentences(inList).join('\n'), /may cost .* of what a rule may cost; limit spec\.list with/)
  const message = k.rule(z.object({ a: texts() }), 'true', {
    messageExpression: 'self.a.map(x, x + "!").join(",")',
  })
  t.match(sentences(message).join('\n'), /iterates over spec\.a/)
})

void t.test('rules of the usual form are accepted', async (t) => {
  const accepted: z.ZodType[] = [
    k.rule(z.object({ min: z.int(), max: z.int() }), 'self.min <= self.max'),
    k.rule(z.object({ a: texts(100) }), 'self.a.all(x, x.startsWith("a") || x.matches("^b[0-9]+$"))'),
    z.object({
      a: k.immutable(z.string()),
      b: k.immutable(texts()),
      c: k.immutable(z.object({ d: z.string() })),
    }),
    k.rule(z.object({ a: k.quantity() }), 'quantity(self.a).isGreaterThan(quantity("1Gi"))'),
    z.object({ list: z.array(k.rule(z.object({ a: z.int() }), 'self.a > 0')) }),
    k.rule(z.object({ 'a-b': z.string().max(20), in: z.string().max(5) }), 'self.a__dash__b != self.__in__'),
    k.rule(z.object({ a: z.string().max(63).optional() }), 'self.?a.orValue("x").size() > 0', {
      messageExpression: '"bad " + self.a',
    }),
  ]
  for (const spec of accepted) t.same(sentences(spec), [])
})

void t.test('the rules of a version have a budget together', async (t) => {
  const expensive = (n: number) => k.rule(texts(400), `self.all(x, self.exists(y, y == x) || x == "${n}")`)
  const spec = z.object(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, expensive(n)])))
  t.match(sentences(spec).join('\n'), /^v1: rules cost \d+ % of what a version may cost together/)
})

void t.test('a rule that is not CEL is reported at definition', async (t) => {
  t.match(
    sentences(k.rule(z.object({ a: z.int() }), 'self.a >')).join('\n'),
    /^spec: rule "self\.a >" is not CEL: /,
  )
})
