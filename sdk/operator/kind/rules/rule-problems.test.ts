import t from 'tap'
import * as z from 'zod'
import { defineKind } from '../define/define-kind.js'
import { crdOf } from '../definition/crd-of.js'
import { k } from '../k/k.js'
import { formatProblem } from '../schema/problem.js'
import { ruleFindings, ruleProblems } from './rule-problems.js'
import { uncheckedRules } from './unchecked-rules.js'

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
        k.rule(z.object({ a: texts() }), 'self.a.all(x, x.matches("^a+$"))'),
        /^spec: rule "self\.a\.all.*" may cost .*, because spec\.a has no limit; add \.max/,
      ],
      [
        k.rule(z.object({ a: z.record(z.string(), z.int()) }), 'self.a.exists(k, self.a.all(l, l == k))'),
        /because spec\.a has no limit/,
      ],
      [
        k.rule(
          z.object({ a: z.array(z.object({ b: texts() })).max(3) }),
          'self.a.map(x, x.b.filter(y, y != "")).size() > 0',
        ),
        /because spec\.a\[\]\.b has no limit/,
      ],
      [
        z.object({ list: z.array(k.rule(z.object({ a: texts() }), '"x" in self.a')).max(30) }),
        /^spec\.list\[\]: .* because spec\.list\[\]\.a has no limit/,
      ],
      [
        k.rule(z.object({ a: texts(), b: texts(30) }), 'sets.contains(self.a, self.b)'),
        /because spec\.a has no limit/,
      ],
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
  t.match(
    sentences(inList).join('\n'),
    /may cost .* of what a rule may cost, because spec\.list has no limit/,
  )
  const message = k.rule(z.object({ a: texts() }), 'true', {
    messageExpression: 'self.a.map(x, x + "!").join(",")',
  })
  t.match(sentences(message).join('\n'), /may cost any multiple/)
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

void t.test(
  'a rule that costs little for each element may iterate over a list without a limit',
  async (t) => {
    t.same(sentences(k.rule(z.object({ a: texts() }), 'self.a.all(x, x != "")')), [])
  },
)

void t.test('a function whose cost is not known is a warning, not a problem', async (t) => {
  const spec = k.rule(z.object({ a: texts(9) }), 'self.a.all(x, futureFunction(x))')
  const kind = defineKind({ group: 'rules.example.com', version: 'v1', kind: 'Thing', spec })
  const { problems, warnings } = ruleFindings(kind)
  t.same(problems, [])
  t.match(warnings.map(formatProblem), [/the cost of futureFunction\(\) is not known here/])
})

void t.test(
  'a rule with a reason in `unchecked` is not checked, and the definition has no reason',
  async (t) => {
    const unchecked = 'kube-apiserver 1.36 accepts it'
    const spec = k.rule(z.object({ a: texts() }), 'self.a.all(x, self.a.exists(y, y == x))', { unchecked })
    const kind = defineKind({ group: 'rules.example.com', version: 'v1', kind: 'Thing', spec })
    t.same(ruleFindings(kind), { problems: [], warnings: [] })
    t.same(uncheckedRules(kind), [{ rule: 'self.a.all(x, self.a.exists(y, y == x))', reason: unchecked }])
    t.notMatch(JSON.stringify(crdOf(kind)), /unchecked/)
  },
)
