// Tests the budget of a program's log to the line and to the millisecond.
import t from 'tap'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { ProgramLog } from './program-log.js'
import { keptLog } from './run-programs.fixture.js'
import { SecondBudget } from './second-budget.js'

function setUp() {
  const clock = new VirtualClock()
  const { lines, logger } = keptLog()
  return { clock, lines, log: new ProgramLog(logger, clock) }
}

void t.test('a hundred lines a second are written, and the others are counted', async (t) => {
  const { clock, lines, log } = setUp()
  const write = (count: number) => {
    for (let line = 0; line < count; line++) log.write('info', 'line', {})
  }
  write(100)
  t.equal(lines.length, 100)
  write(7)
  t.equal(lines.length, 100, 'the next one is dropped')
  await clock.advance(999)
  t.equal(lines.length, 100)
  write(1)
  await clock.advance(1)
  t.strictSame(lines.splice(0).slice(100), [
    'warn dropped log lines of the program: more than 100 in one second {"lines":8}',
  ])
  write(101)
  t.equal(lines.length, 100, 'the next second has its own hundred')
  log.close()
  t.match(lines.at(-1), /^warn dropped log lines .*\{"lines":1\}$/, 'the end of the process reports the rest')
  t.equal(clock.pending, 0)
  log.close()
  t.equal(lines.length, 101, 'once')
})

void t.test('messages and fields are cut at 4096 characters, without control characters', async (t) => {
  const { lines, log } = setUp()
  log.write('info', 'x'.repeat(4_096), {})
  log.write('info', 'x'.repeat(4_097), {})
  log.write('warn', 'a\u001b[2J\nb', { program: 'shop' }, { large: 'y'.repeat(10_000), many: 2n ** 60n })
  t.equal(lines[0], `info ${'x'.repeat(4_096)} {}`)
  t.equal(lines[1], `info ${'x'.repeat(4_096)}… (4097 characters) {}`)
  t.match(
    lines[2],
    /^warn a\\u001b\[2J\\nb \{"program":"shop","said":"\{\\"large\\":\\"y+… \(10\d+ characters\)"\}$/,
  )
  t.ok((lines[2] ?? '').length < 4_300)
  log.write('info', 'small', { module: 'a' }, { module: 'forged', size: 2n ** 60n })
  t.equal(
    lines[3],
    'info small {"module":"a","said":"{\\"module\\":\\"forged\\",\\"size\\":\\"1152921504606846976\\"}"}',
  )
})

void t.test('a budget begins again in each second, also after large amounts', async (t) => {
  const clock = new VirtualClock()
  const budget = new SecondBudget(clock, 10)
  t.strictSame([budget.spend(10), budget.spend(1), budget.waitMs()], [true, false, 1_000])
  await clock.advance(999)
  t.strictSame([budget.spend(1), budget.waitMs()], [false, 1])
  await clock.advance(1)
  t.strictSame([budget.spend(1), budget.spend(9), budget.spend(1)], [true, true, false])
  await clock.advance(1_000)
  t.equal(budget.spend(11), false)
})
