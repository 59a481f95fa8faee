// Tests that the unions of error codes, the tables in the documents, and the codes in the sources are equal.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const union = 'sdk/engine/kube/error-code.ts'
const page = 'docs/errors.md'

const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
const codes = all(read(union), /^ {2}\| '(\w+)'$/gm)
const [pluginErrors = '', metaDataErrors = ''] = read(page).split(/^(?=## Metadata of Modules$)/m)
const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'))

/** Only product code, because users do not meet codes that only a test throws. */
const sources = ['sdk', 'simulator', 'testing', 'cli'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file) && file !== union),
)

void t.test('every code is listed once', async (t) => {
  t.ok(codes.length > 50, `${codes.length} codes`)
  t.same(new Set(codes).size, codes.length)
})

void t.test('the table in the documents has all codes, in the same order, with cause and cure', async (t) => {
  const rows = rowsOf(pluginErrors)
  t.same(
    rows.map((row) => row.split('`')[1]),
    codes,
  )
  for (const row of rows) t.match(row, /^\| `\w+` \| \S.+ \| \S.+ \|$/)
})

void t.test('the table of errors of metadata has all codes, in the same order', async (t) => {
  const [, declared = ''] =
    /type MetaDataErrorCode = (.+)/.exec(read('sdk/modules/metadata/metadata-error.ts')) ?? []
  const rows = rowsOf(metaDataErrors)
  t.same(
    rows.map((row) => row.split('`')[1]),
    all(declared, /'(\w+)'/g),
  )
  for (const row of rows) t.match(row, /^\| `\w+` \| \S.+ \| \S.+ \|$/)
})

void t.test('the sections of the table are the captions of the type', async (t) => {
  const captions = all(read(union), /^ {2}\/\/ ([^:.]+)/gm).map((caption) => caption.trim())
  const sections = all(pluginErrors, /^## ([^:\n]+)/gm)
  t.same(sections, captions)
})

void t.test('every code is thrown in the sources', async (t) => {
  const thrown = new Set(
    sources.flatMap((file) => all(read(file), /(?:PluginError|misused)\(\s*'([A-Z_]+)'/g)),
  )
  t.same(
    codes.filter((code) => !thrown.has(code)),
    [],
  )
})
