import t from 'tap'
import { textParts } from './text-parts.js'

void t.test('places in the code and times are found in a sentence', (t) => {
  t.same(textParts('no answer from 10.96.0.1:5432 at Syncer.syncDown (src/my main.ts:32:60).'), [
    { text: 'no answer from 10.96.0.1:5432 at ' },
    { frame: 'Syncer.syncDown (src/my main.ts:32:60)' },
    { text: '.' },
  ])
  t.same(textParts('it failed at src/main.ts:1:2'), [{ text: 'it failed at ' }, { frame: 'src/main.ts:1:2' }])
  const time = '2026-03-27T10:12:08Z'
  t.same(textParts(`the next try is at ${time}; stop`), [
    { text: 'the next try is at ' },
    { atMs: Date.parse(time), time },
    { text: '; stop' },
  ])
  t.same(textParts('at 2026-99-99T10:12:08Z'), [{ text: 'at ' }, { text: '2026-99-99T10:12:08Z' }])
  t.same(textParts('nothing special (really)'), [{ text: 'nothing special (really)' }])
  t.same(textParts(''), [])
  t.end()
})

void t.test('a very long word takes little time', async (t) => {
  const word = 'a'.repeat(1_000_000)
  t.same(textParts(`${word} sync (src/main.ts:12:3)`), [
    { text: `${word} ` },
    { frame: 'sync (src/main.ts:12:3)' },
  ])
})
