import t from 'tap'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { HeartbeatMonitor, isHeartbeat } from './heartbeat.js'
import { type MainThread, mainThreadOf } from './main-thread.js'

function monitored(threads: readonly MainThread[] = []) {
  const clock = new VirtualClock()
  const told: string[] = []
  const states = threads.values()
  const listener = {
    onBlocked: (silentMs: number, reason: string) => told.push(`blocked ${silentMs}: ${reason}`),
    onAnswer: (silentMs: number) => told.push(`answers ${silentMs}`),
  }
  const monitor = new HeartbeatMonitor(clock, listener, () => states.next().value)
  return { clock, told, monitor }
}

void t.test('a process without heartbeats for 5 s is blocked until the next one', async (t) => {
  const { clock, told, monitor } = monitored()
  await clock.advance(20_000)
  t.strictSame(told, [], 'before the first heartbeat it is starting')
  for (let second = 0; second < 10; second++) {
    monitor.beat()
    await clock.advance(1000)
  }
  t.strictSame(told, [])
  await clock.advance(30_000)
  t.match(told, [/^blocked 5000: a loop or a synchronous call blocks its event loop/], 'which is said once')
  t.equal(told.length, 1)
  monitor.beat()
  monitor.beat()
  t.strictSame(told.slice(1), ['answers 31000'])
  monitor.stop()
  t.equal(clock.pending, 0)
})

void t.test('a process is not blocked if its parent was asleep', async (t) => {
  const { clock, told, monitor } = monitored()
  monitor.beat()
  clock.jump(60_000)
  await clock.advance(0)
  monitor.beat()
  await clock.advance(1000)
  t.strictSame(told, [])
  t.ok(isHeartbeat({ heartbeat: true, isDebugged: false }))
  t.notOk(isHeartbeat({ message: 'boom' }))
  monitor.stop()
})

const silences: readonly [now: MainThread, reason: RegExp][] = [
  [{ state: 'T', cpuMs: 100 }, /: a signal or a debugger has stopped its process$/],
  [{ state: 'R', cpuMs: 5000 }, /: a loop blocks its event loop/],
  [{ state: 'R', cpuMs: 500 }, /: it gets little processor time/],
  [{ state: 'S', cpuMs: 110 }, /: a synchronous call, such as execSync, blocks its event loop/],
]

void t.test('the reason is what the process did meanwhile', async (t) => {
  for (const [now, reason] of silences) {
    const { clock, told, monitor } = monitored([{ state: 'S', cpuMs: 100 }, now])
    monitor.beat()
    await clock.advance(6000)
    t.match(told, [reason])
    monitor.stop()
  }
})

void t.test(
  'the state of a process is read',
  { skip: process.platform !== 'linux' && 'needs Linux' },
  (t) => {
    t.match(mainThreadOf(process.pid), { state: 'R', cpuMs: Number })
    t.ok((mainThreadOf(process.pid)?.cpuMs ?? 0) > 0)
    t.equal(mainThreadOf(2 ** 30), undefined)
    t.end()
  },
)
