import t from 'tap'
import { yamlToJson } from './go-yaml/yaml-to-json.js'
import { readYaml } from './read-yaml.js'
import { checkYamlSize, countYamlValues } from './yaml-size.js'

void t.test('texts whose values are many times larger are refused before they are parsed', async (t) => {
  const bytes = 1_900_000
  const fill = (one: string, before = '') => before + one.repeat(bytes / one.length)
  const table = [
    ...[
      fill('{},', 'a: ['),
      fill('[],', 'a: ['),
      fill('[', 'a: '),
      fill(']'),
      fill('- '),
      fill('- a\n'),
      fill('? '),
    ],
    ...[
      fill('"a" '),
      fill("''", 'a: '),
      fill('*a '),
      fill('&a '),
      fill('!a '),
      fill('---\n'),
      fill('#\n'),
      fill('a: ['),
    ],
    ...[
      fill('a:b,', '{'),
      fill('"a":"b",', '{'),
      fill(': '),
      fill('a: b\n'),
      fill('%a\n'),
      fill('!!str a,', '['),
      fill('\n'),
    ],
  ]
  for (const text of table) {
    const beginMs = process.cpuUsage().user / 1000
    t.throws(
      () => yamlToJson(text),
      { name: 'SyntaxError', message: /^it has up to \d+ values/ },
      text.slice(0, 20),
    )
    await t.rejects(readYaml(text), { name: 'SyntaxError', message: /^it has up to \d+ values/ })
    t.ok(process.cpuUsage().user / 1000 - beginMs < 1_000)
  }
})

void t.test('ordinary texts count about as many values as they have', async (t) => {
  t.equal(countYamlValues('a: b'), 1)
  t.equal(countYamlValues('a: b\nc:\n  - d\n  - e: "f"\n'), 7)
  t.equal(countYamlValues('{"a": "b", "c": ["d", "e"]}'), 7)
  t.equal(countYamlValues('args: ["--name=x", *y]'), 4)
  t.doesNotThrow(() => checkYamlSize('key: "a value"\n'.repeat(90_000)))
  t.throws(() => checkYamlSize('key: value\n'.repeat(100_000)))
})
