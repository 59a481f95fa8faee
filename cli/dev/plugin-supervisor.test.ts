import t from 'tap'
import { VirtualClock } from '../../testing/clock/virtual-clock.js'
import type { Exit, PluginProcess } from '../program/plugin-process.js'
import { PluginSupervisor } from './plugin-supervisor.js'

class FakeProcess implements PluginProcess {
  readonly exited: Promise<Exit>
  readonly pid = 1
  end: (exit: Exit) => void = () => {}

  constructor() {
    this.exited = new Promise((resolve) => {
      this.end = resolve
    })
  }

  async terminate(): Promise<void> {
    this.kill()
  }

  kill(): void {
    this.end({ code: null, signal: 'SIGKILL', failure: undefined })
  }
}

function keeperWithFakes() {
  const clock = new VirtualClock()
  const processes: FakeProcess[] = []
  const crashes: string[] = []
  const unloadable: string[] = []
  const keeper = new PluginSupervisor({
    folder: 'my-plugin',
    clock,
    spawn: () => processes[processes.push(new FakeProcess()) - 1] ?? new FakeProcess(),
    onStart: () => {},
    onCrash: (reason, delayMs) => crashes.push(`${reason} ${delayMs}`),
    onUnloadable: ({ message }) => unloadable.push(message),
  })
  const crash = async () => {
    processes.at(-1)?.end({ code: 1, signal: null, failure: undefined })
    await clock.settle()
  }
  return { clock, processes, crashes, unloadable, keeper, crash }
}

void t.test('a crashed plugin is restarted with growing delays until it has run for a while', async (t) => {
  const { clock, processes, crashes, keeper, crash } = keeperWithFakes()
  const ended = keeper.run()
  keeper.cameUp()
  for (const delayMs of [0, 1000, 2000, 4000]) {
    await crash()
    await clock.advance(delayMs)
  }
  t.equal(processes.length, 5)
  await clock.advance(10_001)
  await crash()
  t.strictSame(
    crashes.map((line) => line.replace('it exited with status 1 ', '')),
    ['0', '1000', '2000', '4000', '0'],
  )
  await keeper.stop()
  await ended
  t.equal(clock.pending, 0)
})

void t.test('a changed plugin is restarted at once, even while a crashed one waits', async (t) => {
  const { clock, processes, crashes, keeper, crash } = keeperWithFakes()
  const ended = keeper.run()
  keeper.cameUp()
  await keeper.restart()
  await clock.settle()
  t.strictSame([processes.length, crashes.length], [2, 0])
  await crash()
  await clock.advance(0)
  await crash()
  await keeper.restart()
  await clock.settle()
  t.equal(processes.length, 4)
  keeper.kill()
  await ended
})

void t.test('a plugin that never came up is not started again', async (t) => {
  const { keeper, processes } = keeperWithFakes()
  const ended = keeper.run()
  processes[0]?.end({ code: 1, signal: null, failure: { message: 'boom' } })
  await t.rejects(ended, { code: 'PLUGIN_FAILED', message: 'the program in my-plugin failed at start: boom' })
  const another = keeperWithFakes()
  const endedToo = another.keeper.run()
  another.processes[0]?.end({ code: 0, signal: null, failure: undefined })
  await t.rejects(endedToo, { message: /does it call start\(\)\?$/ })
})

void t.test(
  'a plugin whose sources cannot be loaded waits for a restart, also before it came up',
  async (t) => {
    const { clock, processes, crashes, unloadable, keeper } = keeperWithFakes()
    const ended = keeper.run()
    const failure = { message: 'a "}" is missing', isUnloadable: true } as const
    processes[0]?.end({ code: 1, signal: null, failure })
    await clock.advance(60_000)
    t.strictSame([processes.length, crashes, unloadable], [1, [], ['a "}" is missing']])
    await keeper.restart()
    await clock.settle()
    t.equal(processes.length, 2)
    processes[1]?.end({ code: 1, signal: null, failure })
    await clock.settle()
    await keeper.stop()
    await ended
    t.equal(processes.length, 2)
  },
)
