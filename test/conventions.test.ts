// Tests that `npm run conventions` finds each of the habits that it checks.
import t from 'tap'
import { capitalConstants } from '../scripts/conventions/capital-constants.js'
import { longFiles } from '../scripts/conventions/long-files.js'
import { longFunctions } from '../scripts/conventions/long-functions.js'
import { needlessExports } from '../scripts/conventions/needless-exports.js'
import { spreadLiterals } from '../scripts/conventions/spread-literals.js'
import { untestedRooms } from '../scripts/conventions/untested-rooms.js'
import { wideLines } from '../scripts/conventions/wide-lines.js'
import { zodImports } from '../scripts/conventions/zod-imports.js'

const file = (path: string, text: string) => ({ path, text })
const words = (width: number) => `${'word '.repeat(40)}`.slice(0, width - 1).padEnd(width, 'x')

void t.test('a file of the product has at most 250 lines, but for indices and tables', (t) => {
  const lines = (count: number) => 'a\n'.repeat(count)
  t.strictSame(longFiles([file('sdk/a/b.ts', lines(250)), file('sdk/index.ts', lines(300))]), [])
  t.strictSame(longFiles([file('sdk/a/b.test.ts', lines(300)), file('test/a.ts', lines(300))]), [])
  t.match(longFiles([file('sdk/a/b.ts', lines(251))]), [/^sdk\/a\/b\.ts: 251 lines, at most 250/])
  t.end()
})

void t.test(
  'a function of the product has at most 30 lines, a component 40, without the lines of texts',
  (t) => {
    const calls = (count: number) => '  call()\n'.repeat(count)
    const found = (body: string, path = 'cli/a/b.ts') =>
      longFunctions([file(path, `/** A comment. */\nfunction Shown() {\n${body}}\n`)])
    t.strictSame(found(calls(28)), [])
    t.match(found(calls(29)), [/^cli\/a\/b\.ts:2: Shown has 31 lines, at most 30;/])
    t.strictSame(found(calls(38), 'cli/a/b.tsx'), [], 'a component')
    t.match(found(calls(39), 'cli/a/b.tsx'), [/Shown has 41 lines, at most 40;/])
    t.strictSame(found(calls(39), 'cli/a/b.test.ts'), [], 'a test')
    t.strictSame(found(`  return \`\n${'text\n'.repeat(60)}\`\n`), [], 'a text')
    t.match(found(`${calls(29)}  return \`\ntext\n\`\n`), [/Shown has 32 lines/], 'code with a text')
    t.match(longFunctions([file('cli/a.ts', `const shown = () => {\n${calls(29)}}\n`)]), [/:1: shown has 31/])
    t.end()
  },
)

void t.test('constants are in camel case', (t) => {
  t.match(capitalConstants([file('apiserver/a.ts', "\nexport const MAX_NAME = 'a'\n")]), [
    /^apiserver\/a\.ts:2: MAX_NAME is in capitals;/,
  ])
  t.strictSame(capitalConstants([file('apiserver/a.ts', 'const maxName = 1\nconst { RE2JS } = re2()\n')]), [])
  t.end()
})

void t.test('no object literal is spread into another', (t) => {
  t.match(spreadLiterals([file('sdk/a.ts', `\nconst a = { b, ${'...'}{ c, d } }`)]), [
    /^sdk\/a\.ts:2: a spread object/,
  ])
  t.strictSame(spreadLiterals([file('sdk/a.ts', 'const a = { b, ...(c && { d }), ...e }')]), [])
  t.end()
})

void t.test('comments and Markdown are at most 120 wide where they have a space to break at', (t) => {
  const found = (path: string, text: string) => wideLines([file(path, `\n${text}\n`)])
  t.match(found('sdk/a/b.ts', `// ${words(118)}`), [/^sdk\/a\/b\.ts:2: 121 characters, at most 120/])
  t.match(found('sdk/a/b.ts', ` * ${words(118)}`), [/:2: /])
  t.match(found('docs/a.md', words(121)), [/^docs\/a\.md:2: /])
  t.strictSame(found('docs/a.md', words(120)), [])
  t.strictSame(found('sdk/a/b.ts', `const a = '${words(120)}'`), [], 'code is for the formatter')
  t.strictSame(found('docs/a.md', `\`\`\`\n${words(121)}\n\`\`\`\n| ${words(121)} |`), [], 'code and tables')
  t.strictSame(found('docs/a.md', `* https://example.com/${'a'.repeat(120)}`), [], 'one word')
  t.end()
})

void t.test('an exported value or type has a user in another file', (t) => {
  const one = file(
    'sdk/a/b.ts',
    'export const one = 1\nexport function two(three: Three) {}\nexport interface Three {}\nexport type Four = 1\n',
  )
  t.match(needlessExports([one, file('sdk/a/b.test.ts', 'one')]), [
    /^sdk\/a\/b\.ts: no other file uses two;/,
    /^sdk\/a\/b\.ts: no other file uses Four;/,
  ])
  t.strictSame(needlessExports([file('sdk/a/index.ts', 'export const one = 1')]), [])
  t.end()
})

void t.test('a room with code has a test file', (t) => {
  const code = file('sdk/a/b/c.ts', 'export const one = 1\n')
  t.match(untestedRooms([code]), [/^sdk\/a\/b: no file \*\.test\.ts/])
  t.strictSame(untestedRooms([code, file('sdk/a/b/c/d.test.ts', '')]), [])
  t.strictSame(untestedRooms([file('sdk/a/b/c.ts', 'export type One = 1\n')]), [], 'types')
  t.end()
})

void t.test('zod as one object', async (t) => {
  const all = `import ${'{ z }'} from 'zod'`
  t.match(zodImports([file('sdk/a.ts', `\n${all}`), file('docs/a.md', all)]), [
    /^sdk\/a\.ts:2: all of zod in one object; write import \* as z from 'zod'$/,
    /^docs\/a\.md:1: /,
  ])
  t.strictSame(zodImports([file('sdk/a.ts', "import * as z from 'zod'\nimport type { z } from 'zod'")]), [])
})
