// Tests which entries of a history are folded.
import t from 'tap'
import { foldRepeats } from './fold-repeats.js'

const fold = (text: string) =>
  foldRepeats([...text], (one) => one.toLowerCase())
    .map((one) => (typeof one === 'string' ? one : `(${one.times} ${one.first} ${one.last.join('')})`))
    .join('')

void t.test('blocks that repeat at least three times are folded into their last time', async (t) => {
  const table: [text: string, folded: string][] = [
    ['', ''],
    ['abc', 'abc'],
    ['aab', 'aab'],
    ['aaa', '(3 a a)'],
    ['abab', 'abab'],
    ['xababABy', 'x(3 a AB)y'],
    ['abcdabcdABCDa', '(3 a ABCD)a'],
    ['aaaaaabbbb', '(6 a a)(4 b b)'],
    ['aabaabaab', '(3 a aab)'],
    ['abcdefghiabcdefghiabcdefghi', 'abcdefghiabcdefghiabcdefghi'],
  ]
  for (const [text, folded] of table) t.equal(fold(text), folded, text)
})

void t.test('no entry is lost', async (t) => {
  for (let seed = 0; seed < 300; seed++) {
    const text = Array.from(
      { length: 30 },
      (_, at) => 'abc'[(seed * 7 + at * ((seed % 5) + 1) + (at >> 2)) % 3],
    )
    const counted = foldRepeats(text, (one) => one ?? '').reduce(
      (sum, one) => sum + (typeof one === 'object' ? one.times * one.last.length : 1),
      0,
    )
    t.equal(counted, text.length, text.join(''))
  }
})
