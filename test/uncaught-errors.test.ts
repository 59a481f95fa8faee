// Tests that an error that nothing catches fails the test in which it occurs (scripts/test-domains.mjs).
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { root } from './dev-run.js'

const source = `
import t from 'tap'
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const forever = new Promise(() => {})
void t.test('a timer', async () => {
  setTimeout(() => { throw new Error('of the timer') }, 5)
  await forever
})
void t.test('outer', async (t) => {
  await t.test('a promise', async () => {
    void wait(5).then(() => { throw new Error('of the promise') })
    await forever
  })
})
void t.test('parallel', { jobs: 2 }, async (t) => {
  void t.test('a failing one', async () => {
    await wait(20)
    void Promise.reject(new Error('of the failing one'))
    await forever
  })
  void t.test('a passing one', async (t) => {
    await wait(100)
    t.ok(true)
  })
})
void t.test('a listener', async (t) => {
  const heard = new Promise((resolve) => process.once('unhandledRejection', resolve))
  void Promise.reject(new Error('heard'))
  t.match(await heard, { message: 'heard' })
})
void t.test('an event', async () => {
  setImmediate(() => process.emit('uncaughtException', new Error('of the event'), 'uncaughtException'))
  await forever
})
`

/** The lines of results of a test file, without indentation and numbers. */
async function resultsOf(file: string): Promise<string[]> {
  const loader = `--import=${join(root, 'scripts/load-typescript.mjs')}`
  const { NODE_OPTIONS: _, ...env } = process.env
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [loader, file], { env: { ...env, TAP: '1' } }, (_, stdout) => resolve(stdout))
  })
  return [...output.matchAll(/^ *((?:not )?ok) \d+ - ([^#\n]*?)(?: #.*| \{)?$/gm)].map(
    ([, state, name]) => `${state} ${name}`,
  )
}

void t.test('an uncaught error fails the test in which it occurs, and no other', async (t) => {
  const folder = t.testdir({ 'failing.mjs': source })
  t.strictSame(await resultsOf(join(folder, 'failing.mjs')), [
    ...['not ok of the timer', 'not ok a timer'],
    ...['not ok of the promise', 'not ok a promise', 'not ok outer'],
    ...['not ok of the failing one', 'not ok a failing one', 'ok should be equal', 'ok a passing one'],
    'not ok parallel',
    ...['ok should match pattern', 'ok a listener'],
    ...['not ok of the event', 'not ok an event'],
  ])
})
