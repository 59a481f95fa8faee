// Tests which test files `npm test` runs for a folder that has none.
import { dirname } from 'node:path'
import t from 'tap'
import { coveringTests, typeScriptFiles } from '../scripts/covering-tests.mjs'
import { root } from './dev-run.js'

/** The tests that cover a folder, given the files with what each imports. */
const covering = (folder: string, imports: Readonly<Record<string, string>>) => {
  const texts = Object.entries(imports).map(([path, specifier]): [string, string] => [
    path,
    specifier && `import { a } from '${specifier}'\n`,
  ])
  return coveringTests(folder, new Map(texts))
}

void t.test('the tests that import its modules cover a folder', async (t) => {
  const files = {
    'cli/crd/print.ts': '',
    'cli/commands/crd.ts': '../crd/print.js',
    'test/near.test.ts': '../cli/crd/print.js',
    'test/far.test.ts': '../cli/commands/crd.js',
    'test/none.test.ts': 'tap',
    'cli/help.test.ts': 'tap',
  }
  t.strictSame(covering('cli/crd', files), ['test/near.test.ts'])
})

void t.test('a test nearer by path is taken before one with fewer imports in between', async (t) => {
  const files = {
    'apiserver/store/store.ts': '',
    'apiserver/server.ts': './store/store.js',
    'apiserver/server.test.ts': './server.js',
    'sdk/watch.test.ts': '../apiserver/store/store.js',
  }
  t.strictSame(covering('apiserver/store', files), ['apiserver/server.test.ts'])
})

void t.test('the test of a command covers its folder', async (t) => {
  const files = { 'cli/crd/print.ts': '', 'test/kinds/crd-command.test.ts': '', 'cli/help.test.ts': '' }
  t.strictSame(covering('cli/crd', files), ['test/kinds/crd-command.test.ts'])
})

void t.test('a folder that no test imports is covered by those of the folder above', async (t) => {
  const files = { 'cli/why/a/b.ts': '', 'cli/why/c/c.test.ts': '', 'cli/help.test.ts': '' }
  t.strictSame(covering('cli/why/a', files), ['cli/help.test.ts'])
  t.strictSame(covering('docs', files), [])
})

void t.test('every folder of the sources has tests', async (t) => {
  const folders = ['sdk', 'apiserver', 'simulator', 'testing', 'cli']
  const files = typeScriptFiles(root, [...folders, 'examples', 'test', 'bench'])
  const isOf = (path: string) => folders.includes(path.split('/')[0] ?? '')
  const tested = new Set([...files.keys()].filter((path) => path.endsWith('.test.ts')).map(dirname))
  const untested = [...new Set([...files.keys()].filter(isOf).map(dirname))].filter((one) => !tested.has(one))
  t.ok(untested.length > 50)
  for (const folder of untested.slice(0, 5)) t.ok(coveringTests(folder, files).length > 0, folder)
})
