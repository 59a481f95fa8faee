import fc from 'fast-check'
import * as z from 'zod'

/** The fields that generated rules read. Some have limits and some have none. */
export const ruleFields = z.object({
  text: z.string(),
  short: z.string().max(40),
  number: z.int(),
  list: z.array(z.string().max(30)).max(50),
  open: z.array(z.string()),
  map: z.record(z.string(), z.string().max(10)),
  objects: z.array(z.object({ name: z.string().max(20), values: z.array(z.int()).max(30) })).max(40),
})

const texts = fc.constantFrom(
  'self.text',
  'self.short',
  '"a"',
  '"a longer text"',
  '(self.short + "x")',
  'self.text.lowerAscii()',
)
const lists = fc.constantFrom(
  'self.list',
  'self.open',
  'self.list.filter(f, f != "")',
  'self.objects.map(o, o.name)',
)
const numbers = fc.constantFrom('self.number', '3', 'self.list.size()', 'size(self.open)')

/** A condition about `x`, an element of a list of texts. */
const conditions = fc.oneof(
  texts.map((text) => `x == ${text}`),
  texts.map((text) => `x.contains(${text})`),
  lists.map((list) => `x in ${list}`),
  fc.constantFrom('x.matches("^[a-z]+$")', 'x.size() < 9', 'x.startsWith("a")'),
  lists.map((list) => `${list}.exists(y, y == x)`),
)

const simple = fc.oneof(
  fc.tuple(texts, texts).map(([a, b]) => `${a} == ${b}`),
  fc.tuple(texts, texts).map(([a, b]) => `${a}.contains(${b})`),
  fc.tuple(numbers, numbers).map(([a, b]) => `${a} < ${b}`),
  fc.tuple(texts, lists).map(([a, b]) => `${a} in ${b}`),
  texts.map((text) => `${text}.matches("^[a-z]{1,20}(-[0-9]+)*$")`),
  texts.map((text) => `${text}.split(",").all(x, x != "")`),
  lists.map((list) => `${list}.isSorted()`),
  fc.tuple(lists, lists).map(([a, b]) => `sets.contains(${a}, ${b})`),
  fc.constantFrom(
    'self == oldSelf',
    'self.map.all(k, self.map[k] != k)',
    'self.objects.all(o, o.values.all(v, v > 0))',
  ),
  fc.constantFrom(
    'has(self.text)',
    'self.list.join(",").size() < 90',
    'self.text.replace("a", "bcd").size() > 1',
  ),
)

const iterating = fc
  .tuple(lists, fc.constantFrom('all', 'exists', 'exists_one'), conditions)
  .map(([list, macro, condition]) => `${list}.${macro}(x, ${condition})`)

/** Rules about an object with {@link ruleFields}. */
export const generatedRules = fc.oneof(
  simple,
  iterating,
  fc.tuple(iterating, simple).map(([a, b]) => `${a} && ${b}`),
  fc.tuple(simple, iterating, iterating).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
)
