import t from 'tap'
import { type Rule, WordFinder } from '../scripts/words/find-words.js'

const ring: Rule = { word: 'ring', names: ['ring', 'rung'], say: 'enqueue' }

function found(rule: Rule, text: string, file = 'sdk/a.ts'): string[] {
  return new WordFinder([rule]).find(file, text).map(({ line, text }) => `${line}:${text}`)
}

void t.test('a name is found as a word and as a part of identifiers, but not in other words', async (t) => {
  t.same(found(ring, 'ring it\nringAll() keyRing rungKeys$ on-ring ring_all'), [
    '1:ring',
    '2:ring',
    '2:Ring',
    '2:rung',
    '2:ring',
    '2:ring',
  ])
  t.same(found(ring, 'string during ringlet bring Ringlet'), [])
})

void t.test('an exact name is a whole identifier, including private ones and streams', async (t) => {
  const rule: Rule = { word: 'Touched', exact: ['Touched', 'touched$', '#moveIn'], say: 'Change' }
  t.same(found(rule, 'Touched store.touched$ this.#moveIn()'), ['1:Touched', '1:touched$', '1:#moveIn'])
  t.same(found(rule, 'untouched, touched, TouchedKey'), [])
})

void t.test('a phrase is a regular expression, which may match at the start of a line', async (t) => {
  const rule: Rule = { word: 'What', phrases: ['^What [a-z]'], say: 'the thing first' }
  t.same(found(rule, 'one\nWhat is left\n say What is'), ['2:What i'])
})

void t.test('a rule may apply to some folders only', async (t) => {
  const rule = { ...ring, only: ['testing/'] }
  t.same(found(rule, 'ring', 'testing/a.ts'), ['1:ring'])
  t.same(found(rule, 'ring'), [])
})

void t.test('a permission applies to its files and lines, and unused ones are reported', async (t) => {
  const buffer = { in: 'sdk/engine/queue/', line: 'ring buffer', why: 'a data structure' }
  const finder = new WordFinder([{ ...ring, allowed: [buffer] }])
  t.same(finder.unused(), [buffer])
  t.equal(finder.find('sdk/engine/store/a.ts', 'a ring buffer').length, 1)
  t.equal(finder.find('sdk/engine/queue/a.ts', 'a ring').length, 1)
  t.same(finder.unused(), [buffer])
  t.equal(finder.find('sdk/engine/queue/a.ts', 'a ring buffer').length, 0)
  t.same(finder.unused(), [])
})
