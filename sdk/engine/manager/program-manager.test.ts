import { of, ReplaySubject } from 'rxjs'
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { RunningController } from '../controller/running-controller.js'
import { PluginError } from '../kube/error.js'
import type { Leadership } from '../leader/leadership.js'
import { ShardAssignment } from '../leader/shard-assignment.js'
import { silentLogger } from '../observe/logger.js'
import { noMetrics } from '../observe/metrics.js'
import { memoryCheck, runsCheck, watchesCheck } from './checks.js'
import { IdleCollector } from './idle-collector.js'
import type { ManagedProgram } from './managed-program.js'
import { ProgramManager } from './program-manager.js'
import type { Unit } from './unit.js'

const stopped = () => new PluginError('STOPPED', 'the test ends')

/** A program that writes down each of its steps; `won$` decides about its leadership. */
function recorded({
  won$ = of(true),
  names = ['a', 'b'],
}: {
  won$?: Leadership['leader$']
  names?: string[]
} = {}) {
  const steps: string[] = []
  const step = (name: string) => async () => {
    steps.push(name)
  }
  const leadership: Leadership = { leader$: won$, deadline: () => 5, release: step('release') }
  const units = names.map(
    (name): Unit => ({
      name,
      init: step(`init ${name}`),
      registerIndices: step(`indices ${name}`),
      register: step(`register ${name}`),
    }),
  )
  const program: ManagedProgram = {
    units,
    beforeLeading: step('before leading'),
    lead: () => {
      steps.push('lead')
      return leadership
    },
    afterWinning: step('won'),
    checkPermissions: step('check permissions'),
    close: async (failure) => {
      steps.push(failure === undefined ? 'close' : 'close after a failure')
    },
  }
  const manager = new ProgramManager({
    noun: 'operator',
    logger: silentLogger,
    metrics: noMetrics,
    clock: new VirtualClock(),
    stopDeadlineMs: 1000,
    containsRejections: false,
  })
  return { manager, program, steps }
}

void t.test(
  'units begin once leadership is won, step by step, and leadership is released last',
  async (t) => {
    const { manager, program, steps } = recorded()
    t.equal(manager.deadline(), Number.NEGATIVE_INFINITY, 'nothing may be written before it leads')
    const ended = manager.start(program)
    await manager.started
    t.equal(manager.isRunning, true)
    t.equal(manager.deadline(), 5)
    await manager.stop(stopped())
    await ended
    t.strictSame(steps, [
      'before leading',
      'lead',
      'won',
      ...['init a', 'init b', 'indices a', 'indices b'],
      'check permissions',
      ...['register a', 'register b'],
      'check permissions',
      'release',
      'close',
    ])
  },
)

void t.test('no unit begins while another process leads, and a stop ends the wait', async (t) => {
  const { manager, program, steps } = recorded({ won$: new ReplaySubject<boolean>(1) })
  const ended = manager.start(program)
  await new Promise(setImmediate)
  t.equal(manager.isRunning, false)
  await manager.stop(stopped())
  await ended
  t.strictSame(steps, ['before leading', 'lead', 'release', 'close'])
})

void t.test('lost leadership ends the program with an error, after its runs', async (t) => {
  const leader$ = new ReplaySubject<boolean>(1)
  leader$.next(true)
  const { manager, program, steps } = recorded({ won$: leader$, names: ['a'] })
  const ended = manager.start(program)
  await manager.started
  leader$.next(false)
  leader$.complete()
  await t.rejects(ended, { code: 'LEADERSHIP_LOST' })
  t.strictSame(steps.slice(-2), ['release', 'close after a failure'])
})

void t.test('a unit whose start fails ends the program with its error', async (t) => {
  const { manager, program, steps } = recorded()
  const broken: Unit = { name: 'broken', init: () => Promise.reject(new Error('no such table')) }
  await t.rejects(manager.start({ ...program, units: [broken, ...program.units] }), /no such table/)
  t.notOk(steps.includes('init a'))
  t.strictSame(steps.slice(-2), ['release', 'close after a failure'])
})

void t.test('later work that fails before all units have started ends the program in order', async (t) => {
  const { manager, program, steps } = recorded({ names: ['a'] })
  const assignment = new ShardAssignment({
    count: 2,
    deadline: () => 5,
    holder: () => '',
    onQuiet: () => undefined,
  })
  assignment.whenFirst = () => Promise.reject(new Error('no such queue'))
  const lead = () => ({ ...program.lead(), assignment })
  // Node reports a rejection that nothing handles within its turn of the event loop.
  const checkPermissions = () => new Promise<void>((resolve) => void setImmediate(resolve))
  await t.rejects(manager.start({ ...program, lead, checkPermissions }), /no such queue/)
  t.strictSame(steps.slice(-2), ['release', 'close after a failure'])
})

void t.test('a check of health names what does not go on', async (t) => {
  const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }
  const quiet = (quietMs: number) => ({ name: 'host', quiet: [{ resource: configMaps, quietMs }] })
  t.equal(watchesCheck(quiet(260_000)).wrong(), undefined)
  t.match(watchesCheck(quiet(261_000)).wrong(), /no event or bookmark of configmaps.* for 261 s/)
  const running = (ms: number) =>
    ({ name: 'mirror', runLimitMs: 1000, oldestRunMs: () => ms }) as RunningController
  t.equal(runsCheck([running(2000)]).wrong(), undefined)
  t.equal(runsCheck([running(2001)]).wrong(), 'a run does not end: mirror for 2 s')
  const memory = (usedBytes: number) => ({ usedBytes, limitBytes: 100 * 2 ** 20 })
  t.equal(memoryCheck(memory(2 ** 20)).wrong(), undefined)
  t.match(memoryCheck(memory(100 * 2 ** 20)).wrong(), /MiB/)
})

void t.test('garbage is collected once, three seconds after the last of a thousand runs', async (t) => {
  const clock = new VirtualClock()
  let collections = 0
  const memory = { usedBytes: 0, limitBytes: 1, releaseUnused: () => void collections++ }
  const collector = new IdleCollector({ memory, clock })
  for (let run = 0; run < 1000; run++) collector.recordRun()
  await clock.advance(2000)
  collector.recordRun()
  await clock.advance(2999)
  t.equal(collections, 0, 'a run is not delayed')
  await clock.advance(1)
  t.equal(collections, 1)
  await clock.advance(60_000)
  t.equal(collections, 1)
})
