import t from 'tap'
import { SortedTexts } from './sorted-texts.js'

/** The same as `lengthAt`, by comparing each text. */
function lengthAt(texts: readonly string[], message: string, position: number): number {
  const rest = message.slice(position)
  if (texts.some((text) => text.startsWith(rest))) return rest.length
  return Math.max(0, ...texts.filter((text) => rest.startsWith(text)).map(({ length }) => length))
}

/** The texts of up to some length with two letters. */
const wordsTo = (length: number): string[] =>
  length === 0 ? [''] : wordsTo(length - 1).flatMap((word) => [word, `${word}a`, `${word}b`])

void t.test('the longest text at a position is found, and the beginning of one at the end', async (t) => {
  const words = [...new Set(wordsTo(6))].filter((word) => word !== '')
  const message = 'abbaababbbaaabab'
  for (let set = 0; set < 2_000; set++) {
    // Each set has other words, and the same ones in each run.
    const texts = words.filter((_, index) => (set * 7_919 + index * index * 31) % 11 < 2)
    const sorted = new SortedTexts(texts)
    const found = [...message].map((_, position) => sorted.lengthAt(message, position, new Set()))
    const expected = [...message].map((_, position) => lengthAt(texts, message, position))
    if (String(found) !== String(expected)) t.strictSame(found, expected, texts.join())
  }
})

void t.test(
  'ignored texts are not found, but those that they begin with, and those after them',
  async (t) => {
    const sorted = new SortedTexts(['hell', 'hello', 'help', 'words', 'wordwise'])
    const at = (message: string, ...ignored: string[]) => sorted.lengthAt(message, 0, new Set(ignored))
    t.equal(at('hello you'), 5)
    t.equal(at('hello you', 'hello'), 4)
    t.equal(at('hello you', 'hello', 'hell'), 0)
    t.equal(at('hel', 'hell', 'hello'), 3, 'the beginning of help')
    t.equal(at('hel', 'hell', 'hello', 'help'), 0)
    t.equal(at('word', 'words'), 4)
    t.equal(at('wort'), 0)
    t.equal(new SortedTexts([]).lengthAt('a', 0, new Set()), 0)
  },
)
