// Runs test files and counts their assertions:
//   node scripts/run-tests.mjs [FILE | FOLDER ...]      (npm test -- sdk/engine/queue)
// Without arguments, every test file runs but those that scripts/slow-tests.txt lists. With TEST_SLOW=1 these run too,
// except the `nightly` ones (npm run test:slow), and with TEST_ALL=1 all (npm run test:all). Slow files start first, so
// that all processors have work until the end. Files that are named run as with TEST_ALL=1. TEST_JOBS is the number of
// processes that run at a time; the default is one more than there are processors. A file that mostly waits for servers
// counts less, as scripts/slow-tests.txt says. While processors are idle, one more runs, unless TEST_JOBS is set.
// TEST_SHARED quick files share a process, a slow one that may counts as four: 32, but in runs of all files or of named
// ones, and in Node before 22.15, one.
// With TEST_COVERAGE=1 the coverage of the room tests is measured. On Linux, each line has the file's processor time
// too.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { availableParallelism } from 'node:os'
import { relative, resolve, sep } from 'node:path'
import { CountReporter } from './count-reporter.mjs'
import { coverageFolder, coverageReport, isMeasured } from './coverage.mjs'
import { coveringTests, typeScriptFiles } from './covering-tests.mjs'
import { IdleProcessors } from './idle-processors.mjs'
import { passSignals, runFiles } from './test-process.mjs'
import { processesOf, readSlowTests, TestQueue } from './test-queue.mjs'
import { asSubtest, resultsOf } from './test-results.mjs'

const root = resolve(import.meta.dirname, '..')
const folders = ['sdk', 'apiserver', 'simulator', 'testing', 'cli', 'examples', 'test', 'bench']
const paths = process.argv.slice(2)
/** Whether nightly files and nightly cases run too. */
const isEverything = paths.length > 0 || process.env.TEST_ALL === '1'
const coverage = process.env.TEST_COVERAGE ? coverageFolder(root) : undefined
/** The number of processes that run at a time, if none of them waits. */
const jobs = Number(process.env.TEST_JOBS ?? availableParallelism() + 1)
const isAlone = isEverything || coverage !== undefined || module.registerHooks === undefined
/** So many quick files share a process. It takes about ten seconds, so that all processors have work until the end. */
const shared = isAlone ? 1 : Number(process.env.TEST_SHARED ?? 32)
/** If processors were idle for so long, in milliseconds, another process is started. */
const idlePeriodMs = 2000

/** The test files at a path, or those that cover a folder without any. */
function testFilesAt(path) {
  const full = resolve(path)
  const isFolder = statSync(full, { throwIfNoEntry: false })?.isDirectory() ?? false
  const files = isFolder ? readdirSync(full, { recursive: true }).map((file) => resolve(full, file)) : [full]
  const fromRoot = (file) => relative(root, file).split(sep).join('/')
  const found = files
    .map(fromRoot)
    .filter(
      (file) =>
        file.endsWith('.test.ts') && !file.includes('node_modules/') && existsSync(resolve(root, file)),
    )
  if (found.length > 0) return found
  const covering = isFolder ? coveringTests(fromRoot(full), typeScriptFiles(root, folders)) : []
  console.error(
    covering.length > 0
      ? `No test file at ${path}. Running those that cover it:\n  ${covering.join('\n  ')}`
      : `No test file at ${path}. Pass a file *.test.ts, or a folder of the sources.`,
  )
  if (covering.length === 0) process.exit(1)
  return covering
}

/** The processes to run in their order, with their files and loads. */
function chosenProcesses(paths) {
  const files = (paths.length > 0 ? paths : folders.map((folder) => resolve(root, folder))).flatMap(
    testFilesAt,
  )
  const slow = readSlowTests(readFileSync(resolve(root, 'scripts/slow-tests.txt'), 'utf8'))
  const gone = slow.filter(({ file }) => !existsSync(resolve(root, file)))
  if (gone.length > 0) {
    const names = gone.map(({ file }) => file).join(', ')
    console.error(`scripts/slow-tests.txt names ${names}, which does not exist. Remove or correct the line.`)
    process.exit(1)
  }
  const few = process.env.TEST_SLOW === '1' ? 'changes' : 'quick'
  return processesOf(files, slow, isEverything ? 'all' : few, shared)
}

/** The variables that a process has in addition to the environment. */
function environmentOf(files) {
  return {
    ...(isEverything && { TEST_ALL: '1' }),
    // Coverage is less precise for code from a compile cache.
    ...(coverage && isMeasured(files[0]) && { NODE_V8_COVERAGE: coverage, NODE_COMPILE_CACHE: undefined }),
  }
}

passSignals()
const processes = chosenProcesses(paths)
const isCovered = coverage !== undefined && processes.some(({ files }) => isMeasured(files[0]))
const reporter = new CountReporter(() => (isCovered ? `\n${coverageReport(root, coverage)}\n` : ''))
reporter.pipe(process.stdout)
reporter.write('TAP version 14\n')
let finished = 0
const queue = new TestQueue(processes, jobs)
const works = []
async function work(taken) {
  const ended = await runFiles(taken.files, environmentOf(taken.files))
  if (ended.exitCode !== 0) process.exitCode = 1
  for (const result of resultsOf(ended)) {
    finished++
    reporter.write(asSubtest(result, finished))
  }
  queue.done(taken)
  startAll()
}
/** Starts what may be started now. */
function startAll() {
  for (let taken = queue.take(); taken; taken = queue.take()) works.push(work(taken))
}
/** Starts one process if processors are idle: what it uses shows before the next one. */
function startIfIdle() {
  const taken = queue.take(idleProcessors.sinceLast())
  if (taken) works.push(work(taken))
}
startAll()
const idleProcessors = new IdleProcessors()
const timer = process.env.TEST_JOBS === undefined ? setInterval(startIfIdle, idlePeriodMs) : undefined
// A process that ends may start others.
for (const one of works) await one
clearInterval(timer)
reporter.write(`1..${finished}\n`)
reporter.end()
