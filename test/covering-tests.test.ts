// Tests which test files `npm test` runs for a folder that has none.
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

void t.test('folders of this project are covered by the tests of their neighbours', async (t) => {
  const files = typeScriptFiles(root, ['sdk', 'apiserver', 'simulator', 'testing', 'cli', 'test'])
  t.strictSame(coveringTests('cli/crd', files), [
    'test/kinds/crd-command.test.ts',
    'test/kinds/migrate.test.ts',
  ])
  t.ok(coveringTests('cli/create/templates', files).includes('cli/create/create.test.ts'))
  for (const folder of ['apiserver/store', 'apiserver/kinds/pod-spec'])
    for (const test of coveringTests(folder, files)) t.match(test, /^apiserver\//)
})
