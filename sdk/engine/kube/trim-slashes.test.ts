import t from 'tap'
import { trimEndSlashes } from './trim-slashes.js'

void t.test('slashes at the end are removed, of megabytes too', async (t) => {
  for (const [text, expected] of [
    ['https://a/b//', 'https://a/b'],
    ['a', 'a'],
    ['/', ''],
    ['', ''],
  ] as const)
    t.equal(trimEndSlashes(text), expected)
  const middle = `https://a${'/'.repeat(2_000_000)}b`
  t.equal(trimEndSlashes(`${middle}/`), middle)
})
