// Tests that programs and attempts which are not needed any more are forgotten.
import { readdir } from 'node:fs/promises'
import t from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { silentLogger } from '../../../engine/observe/logger.js'
import { programText } from '../../process/run-programs.fixture.js'
import { digestOf } from '../../program/digest.js'
import { RecordedAttempts } from '../connection/module-environment.js'
import { ModuleRun } from '../module-run.js'
import { moduleOf } from '../modules.fixture.js'
import { failedAttempt } from '../record/operation-record.js'
import { Programs, type ProgramsOptions } from './programs.js'

void t.test('a program that is not in use takes neither memory nor disk', async (t) => {
  const [clock, cacheFolder] = [new VirtualClock(), t.testdir()]
  const loaded = { allow: [], cacheFolder }
  const own = { builtIn: {}, defaultNamespaces: [], hasHelm: false, containers: undefined }
  const programs = new Programs({ ...own, loaded, logger: silentLogger, clock })
  t.teardown(() => programs.close())
  const content = Buffer.from(programText('sleep() {}'))
  const program = { digest: digestOf(content), configMap: { name: 'a', namespace: 'default', key: 'plugin' } }
  const reader = { readCopy: async () => ({ content, digest: program.digest }) } as never
  const definition = { kind: 'Custom', program } as never
  const identity = { name: 'shop', namespace: 'default', uid: '1', workspace: 'default/dev' }
  const runner = await programs.runnerOf(definition, reader)
  const session = await runner.open(identity, {}, {} as never)
  const files = async () => (await readdir(cacheFolder)).filter((file) => file.endsWith('.mjs')).length
  t.equal(await files(), 1)
  await clock.advance(300_000)
  for (let turn = 0; turn < 20; turn++) await clock.settle()
  t.equal(await programs.runnerOf(definition, reader), runner, 'a manager is open')
  const again = await runner.open(identity, {}, {} as never)
  for (const one of [session, again]) await one.close()
  await clock.advance(300_000)
  while ((await files()) > 0) await clock.settle()
  t.not(await programs.runnerOf(definition, reader), runner, 'it is loaded again when it is needed')
})

void t.test('only the last recorded attempt of a Module is remembered, until the Module goes', async (t) => {
  const attempts = new RecordedAttempts()
  attempts.add('uid', { id: 'a', attempt: 1 }, 'first')
  attempts.add('uid', { id: 'b', attempt: 1 }, 'changed')
  t.equal(attempts.size, 1)
  t.equal(attempts.take('uid', { id: 'a', attempt: 1 }), 'crash')
  t.equal(attempts.take('uid', { id: 'b', attempt: 1 }), 'changed')
  attempts.add('uid', { id: 'b', attempt: 2 }, 'retry')
  t.equal(attempts.take('uid', { id: 'b', attempt: 2 }), 'retry')
  attempts.add('uid', { id: 'b', attempt: 3 }, 'retry')
  attempts.delete('uid')
  t.equal(attempts.size, 0)
})

/** The delay after an attempt, in milliseconds. */
function delayAfter(attempt: number, retry?: { maxBackoff: string }): number {
  const module = { metadata: { name: 'shop' }, spec: { retry } } as never
  const operation = { id: 'a', kind: 'install', attempt, startedAt: '' } as const
  const failure = { message: 'm', reason: 'InstallError', isPermanent: false }
  const now = new Date(0)
  const { nextAttemptAt = '' } = failedAttempt(operation, failure, { now, module, inputs: undefined })
  return Date.parse(nextAttemptAt)
}

void t.test('attempts are at least a second apart, whatever a Module asks for', async (t) => {
  t.ok(delayAfter(5, { maxBackoff: '0s' }) >= 900)
  t.ok(delayAfter(5, { maxBackoff: '0s' }) <= 1_100)
})

void t.test('attempts are at most five minutes apart, or what the Module asks for', async (t) => {
  const cases: [attempt: number, ms: number, maxBackoff?: string][] = [
    [1, 1_000],
    [4, 8_000],
    [8, 128_000],
    [9, 256_000],
    [10, 300_000],
    [1_000, 300_000],
    [1_000, 10_000, '10s'],
    [2, 2_000, '10s'],
    [14, 3_600_000, '1h'],
  ]
  for (const [attempt, ms, maxBackoff] of cases)
    for (let times = 0; times < 20; times++) {
      const delayMs = delayAfter(attempt, maxBackoff === undefined ? undefined : { maxBackoff })
      t.ok(
        delayMs >= ms * 0.9 && delayMs <= ms * 1.1,
        `${delayMs} ms after attempt ${attempt}, at most ${maxBackoff}`,
      )
    }
})

void t.test('a deleted Module is noted only if it has a program whose copy may be deleted', async (t) => {
  const own = { builtIn: {}, defaultNamespaces: [], hasHelm: false, containers: undefined }
  const loaded = { allow: [], cacheFolder: t.testdir() }
  const noted = async (digest: string, options: Pick<ProgramsOptions, 'loaded'>) => {
    const programs = new Programs({ ...own, ...options, logger: silentLogger, clock: new VirtualClock() })
    t.teardown(() => programs.close())
    const memory = () => ({ checks: new Map(), sleepVerdicts: new Map(), refusals: new Map() })
    const leaving = new Map<string, string>()
    const environment = { programs, leaving, attempts: new RecordedAttempts(), ...memory() }
    const { metadata, ...module } = moduleOf()
    const frozen = JSON.stringify({ kind: 'Custom', pending: true, program: { digest } })
    const annotations = { 'forkspacer.com/resource': frozen }
    const ctx = { key: metadata, store: () => ({ get: () => undefined }) } as never
    const left = { ...module, metadata: { ...metadata, annotations } }
    await new ModuleRun(ctx, left as never, environment as never).uninstall()
    return [...leaving.values()].map((value) => value.slice(0, 60))
  }
  const digest = digestOf(Buffer.from('program'))
  t.strictSame(await noted(digest, { loaded }), [digest])
  t.strictSame(await noted(digest, { loaded: undefined }), [], 'there are no copies')
  t.strictSame(await noted('a'.repeat(1_000), { loaded }), [], 'no copy has that digest')
})
