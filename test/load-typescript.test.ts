// Tests the loader of the tests and of the programs that run from the sources of a clone.
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { root } from './dev-run.js'
import { loadTypeScript } from './plugin-process.js'
import { run } from './run-program.js'

const program = `import { until } from './test/until.ts'
await until(() => false, { withinMs: 0 }).catch((error) => console.log(error.stack))
console.log(process.sourceMapsEnabled)`

void t.test(
  'errors have the positions of the sources, without source maps where Node removes types',
  async (t) => {
    const lines = readFileSync(join(root, 'test/until.ts'), 'utf8').split('\n')
    const line = lines.findIndex((text) => text.includes('throw new Error'))
    const column = (lines[line] ?? '').indexOf('new Error')
    const said = await run(root, [process.execPath, loadTypeScript, '--input-type=module', '--eval', program])
    t.match(said, `test/until.ts:${line + 1}:${column + 1})`)
    if ('stripTypeScriptTypes' in process.getBuiltinModule('node:module')) t.match(said, /^false$/m)
  },
)

const importing = `import { createRequire } from 'node:module'
import omit from 'lodash/omit.js'
import { value } from './value.js'
const modules = Object.keys(createRequire(import.meta.url).cache)
const ofLodash = modules.filter((path) => path.includes('lodash'))
console.log(JSON.stringify({ value, rest: omit({ a: 1, b: 2 }, 'a'), ofLodash }))`

void t.test('a changed source is read again, and lodash is one module', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  for (const file of ['load-typescript.mjs', 'test-domains.mjs'])
    cpSync(join(root, 'scripts', file), join(folder, 'scripts', file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const [loader, main, source] = ['scripts/load-typescript.mjs', 'main.ts', 'value.ts'].map((file) =>
    join(folder, file),
  ) as [string, string, string]
  const said = async () => JSON.parse(await run(folder, [process.execPath, `--import=${loader}`, main]))
  writeFileSync(main, importing)
  writeFileSync(source, 'export const value: number = 1')
  t.strictSame(await said(), { value: 1, rest: { b: 2 }, ofLodash: [] })
  const { atime, mtime } = statSync(source)
  writeFileSync(source, 'export const value: number = 2')
  utimesSync(source, atime, mtime)
  t.match(await said(), { value: 2 })
})
