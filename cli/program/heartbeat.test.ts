import t from 'tap'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import { HeartbeatMonitor, isHeartbeat } from './heartbeat.js'

function monitored() {
  const clock = new VirtualClock()
  const told: string[] = []
  const monitor = new HeartbeatMonitor(clock, {
    onBlocked: (silentMs) => told.push(`blocked ${silentMs}`),
    onAnswer: (silentMs) => told.push(`answers ${silentMs}`),
  })
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
  t.strictSame(told, ['blocked 5000'], 'which is said once')
  monitor.beat()
  monitor.beat()
  t.strictSame(told.slice(1), ['answers 31000'])
  monitor.end()
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
  monitor.end()
})
