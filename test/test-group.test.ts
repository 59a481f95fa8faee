// Tests how `npm test` runs several files in one process, in the versions of Node in which it does.
import module from 'node:module'
import { relative } from 'node:path'
import t, { type Test } from 'tap'
import { runFiles } from '../scripts/test-process.mjs'
import { asSubtest, type FileResult, resultsOf } from '../scripts/test-results.mjs'
import { root } from './dev-run.js'

const skip = !('registerHooks' in module) && 'this Node has no hooks of imports'
const importTap = "import t from 'tap'\n"
const passing = (title: string) => `${importTap}void t.test('${title}', async (t) => t.pass('held'))\n`

/** Runs files with these sources in one process. The paths of the results are the names of the files. */
async function results(t: Test, sources: Readonly<Record<string, string>>): Promise<FileResult[]> {
  const folder = relative(root, t.testdir(sources))
  const files = Object.keys(sources).map((name) => `${folder}/${name}`)
  const ended = await runFiles(files)
  return resultsOf(ended).map((result) => ({ ...result, file: result.file.replaceAll(`${folder}/`, '') }))
}

/** Whether each file of the results is ok. */
const verdicts = (all: readonly FileResult[]) => Object.fromEntries(all.map(({ file, isOk }) => [file, isOk]))

void t.test('each file has its own result, with its tests and its times', { skip }, async (t) => {
  const all = await results(t, {
    'a.test.ts': passing('of a'),
    'b.test.ts': `${importTap}void t.test('of b', async (t) => t.equal(process.argv[1].slice(-9), 'b.test.ts'))`,
  })
  t.same(verdicts(all), { 'a.test.ts': true, 'b.test.ts': true })
  const [first, second] = all
  t.match(first?.body.join('\n'), /# Subtest: of a\n +ok 1 - held/)
  t.notMatch(first?.body.join('\n'), 'of b')
  t.match(second, { ms: Number, processorMs: Number, ending: {} })
})

void t.test('a file that fails is named, and those after it run', { skip }, async (t) => {
  const all = await results(t, {
    'a.test.ts': `${importTap}void t.test('of a', async (t) => t.equal(1, 2, 'numbers'))`,
    'b.test.ts': "throw new Error('not loaded')",
    'c.test.ts': passing('of c'),
  })
  t.same(verdicts(all), { 'a.test.ts': false, 'b.test.ts': false, 'c.test.ts': true })
  t.match(all[0]?.body.join('\n'), 'not ok 1 - numbers')
  t.match(all[1]?.body.join('\n'), 'not loaded')
})

void t.test('a file that ends the process is named, and those after it are not run', { skip }, async (t) => {
  const all = await results(t, {
    'a.test.ts': passing('of a'),
    'b.test.ts': `${importTap}void t.test('of b', async () => process.reallyExit(3))`,
    'c.test.ts': passing('of c'),
  })
  t.same(verdicts(all), { 'a.test.ts': true, 'b.test.ts': false, 'c.test.ts': false })
  t.match(all[1]?.ending, { exitCode: 3 })
  t.match(all[2]?.ending, { message: /^not run, because the process of .*b\.test\.ts ended$/ })
})

void t.test('a file whose tests ran in a file before it is not ok', { skip }, async (t) => {
  const all = await results(t, {
    'a.test.ts': "await import('./b.test.ts')",
    'b.test.ts': passing('of b'),
  })
  t.same(verdicts(all), { 'a.test.ts': true, 'b.test.ts': false })
  t.match(all[1]?.ending, { message: /^no test ran: a file before it / })
})

void t.test('variables that a file sets are gone in the next', { skip }, async (t) => {
  const setting = "process.env.LEFT_BEHIND = '1'; delete process.env.TAP_TIMEOUT\n"
  const check = 't.same([process.env.LEFT_BEHIND, process.env.TAP_TIMEOUT], [undefined, "630"])'
  const all = await results(t, {
    'a.test.ts': setting + passing('of a'),
    'b.test.ts': `${importTap}void t.test('of b', async (t) => ${check})`,
  })
  t.same(verdicts(all), { 'a.test.ts': true, 'b.test.ts': true })
})

void t.test('an error after the tests of a file is a result of its own', { skip }, async (t) => {
  const leaving = `${importTap}void t.test('of a', async (t) => setTimeout(() => t.fail('too late'), 20) && t.pass())`
  const waiting = `${importTap}void t.test('of b', (t) => setTimeout(() => t.end(), 100))`
  const all = await results(t, { 'a.test.ts': leaving, 'b.test.ts': waiting })
  t.same(verdicts(all), { 'a.test.ts': true, 'b.test.ts': true, 'after a.test.ts to b.test.ts': false })
  t.match(all[2]?.body.join('\n'), /not ok 3 - test assertion after .*\n +---\n +stack: \|\n.*a\.test\.ts:2/)
})

void t.test(
  'a process that ends with an error after the tests of its files has failed',
  { skip },
  async (t) => {
    const late = "process.once('exit', () => process.reallyExit(4))"
    const all = await results(t, { 'a.test.ts': passing('of a'), 'b.test.ts': `${passing('of b')}${late}` })
    t.same(verdicts(all), { 'a.test.ts': true, 'b.test.ts': true, 'after a.test.ts to b.test.ts': false })
    t.match(all[2]?.ending, { exitCode: 4 })
  },
)

void t.test('a file alone in its process is the whole of its output', async (t) => {
  const [result] = resultsOf({
    files: ['a.test.ts'],
    output: 'TAP version 14\nok 1 - of a\n1..1\n',
    exitCode: 1,
    signal: null,
    ms: 12,
    processorMs: 10,
  })
  t.equal(
    result && asSubtest(result, 7),
    [
      '# Subtest: a.test.ts',
      '    ok 1 - of a',
      '    1..1',
      'not ok 7 - a.test.ts # time=12ms',
      '  ---',
      '  exitCode: 1',
      '  signal: null',
      '  processorMs: 10',
      '  ...',
      '\n',
    ].join('\n'),
  )
})
