// The values are those of sigs.k8s.io/yaml 1.6.0.
import t from 'tap'
import { yamlToJson } from './yaml-to-json.js'

void t.test('a block at the end of a text ends as in Go', (t) => {
  const read = (text: string) => (JSON.parse(yamlToJson(text).json) as { a: string }).a
  const blocks: [string, string][] = [
    ['a: |\n  text', 'text'],
    ['a: |\n  text\n', 'text\n'],
    ['a: |+\n  text', 'text'],
    ['a: |+\n  text\n\n  ', 'text\n\n'],
    ['a: |+\n  text\n  ', 'text\n'],
    ['a: |+\n\n  ', '\n'],
    ['a: |+\n  ', ''],
    ['a: |2+\n    text\n   ', '  text\n '],
    ['a: |\n  text\n   ', 'text\n '],
  ]
  for (const [text, value] of blocks) t.equal(read(text), value, JSON.stringify(text))
  t.end()
})
