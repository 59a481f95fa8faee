// Tests where actions end, also in texts that users made to be slow.
import t from 'tap'
import { partsOf } from './template-tokens.js'

const sources = (text: string) =>
  partsOf(text).map((part) => (part.type === 'action' ? part.source : part.text))

void t.test('an action ends after its strings, and an open quote begins none', async (t) => {
  for (const [text, expected] of [
    ['a{{ "}}" }}b', ['a', ' "}}" ', 'b']],
    ['{{ `}}` }}{{ "\\"}}" }}', [' `}}` ', ' "\\"}}" ']],
    ['{{/* 5" wide */}}a', ['a']],
    ['{{ " }}\n"}}" }}', [' " ', '\n"}}" }}']],
    ['{{ "`}}`" }}', [' "`}}`" ']],
    ['{{ "\\" `}}` }}', [' "\\" `}}` ']],
    ['{{ "a\\" `\n}}` "}}" }}', [' "a\\" `\n}}` "}}" ']],
  ] as const)
    t.strictSame(sources(text), expected, text)
})

void t.test('megabytes of escaped quotes without an end are read once', async (t) => {
  const open = `{{ "${'\\"'.repeat(1_000_000)}`
  t.throws(() => partsOf(open), { message: 'a template has no end: close it with }}' })
  t.equal(sources(`${open} }}`).length, 1)
  t.equal(sources(`${open}\n }}`).length, 1)
})
