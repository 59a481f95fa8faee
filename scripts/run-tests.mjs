// Runs test files, each in its own process, and counts their assertions:
//   node scripts/run-tests.mjs [FILE | FOLDER ...]      (npm test -- sdk/engine/queue)
// Without arguments, every test file runs but those that scripts/slow-tests.txt lists. With TEST_SLOW=1 these run too,
// except the `nightly` ones (npm run test:slow), and with TEST_ALL=1 all (npm run test:all). Slow files start first, so
// that all processors have work until the end. Files that are named run as with TEST_ALL=1. TEST_JOBS is the number of
// files that run at a time; the default is one more than there are processors. A file that mostly waits for servers
// counts less, as scripts/slow-tests.txt says. While processors are idle, one more file runs, unless TEST_JOBS is set.
// With TEST_COVERAGE=1 the coverage of the room tests is measured. On Linux, each line has the file's processor time
// too.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative, resolve, sep } from 'node:path'
import { childrenTimeMs } from './children-time.mjs'
import { CountReporter } from './count-reporter.mjs'
import { coverageFolder, coverageReport, isMeasured } from './coverage.mjs'
import { coveringTests, typeScriptFiles } from './covering-tests.mjs'
import { IdleProcessors } from './idle-processors.mjs'
import { filesOfRun, readSlowTests, TestQueue } from './test-queue.mjs'

const root = resolve(import.meta.dirname, '..')
const folders = ['sdk', 'apiserver', 'simulator', 'testing', 'cli', 'examples', 'test', 'bench']
const loader = new URL('load-typescript.mjs', import.meta.url).href
const nodeFlags = [`--import=${loader}`, '--conditions=vcluster-plugin-sdk:source']
/** V8's code of what tests and the programs that they start load. */
const compiled = resolve(root, '.tap/compiled')
const coverage = process.env.TEST_COVERAGE ? coverageFolder(root) : undefined
/** The number of files that run at a time, if none of them waits. */
const jobs = Number(process.env.TEST_JOBS ?? availableParallelism() + 1)
/** The time limit of a file, and of each test in it, unless the file sets another, in seconds. */
const limitSeconds = 600
/** The time for a file over its limit to report what it waits for, in milliseconds. */
const lastWordsMs = 1000
/** If processors were idle for so long, in milliseconds, another file is started. */
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

/** The files to run in their order, with their loads. */
function chosenFiles(paths) {
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
  return filesOfRun(files, slow, isEverything ? 'all' : few)
}

/** Runs one file. Returns its TAP output, its times in milliseconds and its exit status. */
function run(file) {
  const startMs = performance.now()
  const child = spawn(process.execPath, [...nodeFlags, file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TAP: '1',
      TAP_TIMEOUT: `${limitSeconds}`,
      ...(isEverything && { TEST_ALL: '1' }),
      // Programs are described, and handle their samples, while other tests have the processors.
      VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT: process.env.VCLUSTER_PLUGIN_DESCRIBE_TIMEOUT ?? '120',
      VCLUSTER_PLUGIN_READY_TIMEOUT: process.env.VCLUSTER_PLUGIN_READY_TIMEOUT ?? '120',
      // Coverage is less precise for code from a compile cache.
      ...(coverage && isMeasured(file) ? { NODE_V8_COVERAGE: coverage } : { NODE_COMPILE_CACHE: compiled }),
    },
  })
  running.add(child)
  let timer = limit(child, limitSeconds * 1000)
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
    const wanted = /^# timeout=(\d+)$/m.exec(chunk)?.[1]
    if (!wanted) return
    clearTimeout(timer)
    timer = limit(child, Number(wanted))
  })
  let processorMs
  child.on('exit', () => {
    processorMs = newChildrenTimeMs()
  })
  return new Promise((done) => {
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer)
      running.delete(child)
      done({ file, output, exitCode, signal, processorMs, ms: performance.now() - startMs })
    })
  })
}

let knownChildrenMs = childrenTimeMs()

/** The processor time of the children that have ended since the last call: of one, unless two end in one turn. */
function newChildrenTimeMs() {
  const before = knownChildrenMs
  knownChildrenMs = childrenTimeMs()
  return before === undefined ? undefined : knownChildrenMs - before
}

/** Ends a process after its time. On SIGALRM, tap reports what the file waits for. */
function limit(child, ms) {
  return setTimeout(() => {
    child.kill('SIGALRM')
    setTimeout(() => child.kill('SIGKILL'), lastWordsMs).unref()
  }, ms)
}

const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.kill(process.pid, signal)
  })
}

/** A file's result as a subtest of the whole run. */
function asSubtest({ file, output, exitCode, signal, processorMs, ms }, number) {
  const isOk = exitCode === 0 && signal === null
  const body = output
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('TAP version'))
    .map((line) => `    ${line}\n`)
  const line = `${isOk ? 'ok' : 'not ok'} ${number} - ${file} # time=${ms.toFixed()}ms\n`
  const facts = { ...(!isOk && { exitCode, signal }), ...(processorMs !== undefined && { processorMs }) }
  const ending = Object.entries(facts).map(([name, value]) => `  ${name}: ${value}\n`)
  const diagnosis = ending.length > 0 ? `  ---\n${ending.join('')}  ...\n` : ''
  return `# Subtest: ${file}\n${body.join('')}${line}${diagnosis}\n`
}

const paths = process.argv.slice(2)
/** Whether nightly files and nightly cases run too. */
const isEverything = paths.length > 0 || process.env.TEST_ALL === '1'
const files = chosenFiles(paths)
const isCovered = coverage !== undefined && files.some(({ file }) => isMeasured(file))
const reporter = new CountReporter(() => (isCovered ? `\n${coverageReport(root, coverage)}\n` : ''))
reporter.pipe(process.stdout)
reporter.write(`TAP version 14\n1..${files.length}\n`)
let finished = 0
const queue = new TestQueue(files, jobs)
const works = []
async function work(taken) {
  const result = await run(taken.file)
  if (result.exitCode !== 0) process.exitCode = 1
  finished++
  reporter.write(asSubtest(result, finished))
  queue.done(taken)
  startAll()
}
/** Starts what may be started now. */
function startAll() {
  for (let taken = queue.take(); taken; taken = queue.take()) works.push(work(taken))
}
/** Starts one file if processors are idle: what it uses shows before the next one. */
function startIfIdle() {
  const taken = queue.take(idleProcessors.sinceLast())
  if (taken) works.push(work(taken))
}
startAll()
const idleProcessors = new IdleProcessors()
const timer = process.env.TEST_JOBS === undefined ? setInterval(startIfIdle, idlePeriodMs) : undefined
// A file that ends may start others.
for (const one of works) await one
clearInterval(timer)
reporter.end()
