import t, { type Test } from 'tap'
import { VirtualClock } from '../../../../testing/clock/virtual-clock.js'
import { follow, recordLines } from '../../../engine/leader/followed-leadership.fixture.js'
import {
  type LeaderAnswer,
  type VClusterLeadershipOptions,
  vclusterLeadership,
} from './vcluster-leadership.js'

/** A leadership over a scripted vcluster process: change `answer` to change what it says. */
function overProcess(t: Test, first: LeaderAnswer, options: Partial<VClusterLeadershipOptions> = {}) {
  const clock = new VirtualClock()
  const lines: string[] = []
  const process = {
    answer: first as LeaderAnswer | Promise<LeaderAnswer> | Error,
    askedAtMs: [] as number[],
  }
  const isLeader = async () => {
    process.askedAtMs.push(clock.now())
    if (process.answer instanceof Error) throw process.answer
    return process.answer
  }
  const leadership = vclusterLeadership({ isLeader, clock, logger: recordLines(lines), ...options })
  t.teardown(() => leadership.release())
  return { clock, lines, process, leadership, said: follow(leadership) }
}

const following = { leader: false, runID: 'run-1' }
const leading = { leader: true, runID: 'run-1' }

/** An answer that comes when the test says so. */
function heldBack() {
  let reply = (_answer: LeaderAnswer) => {}
  const answer = new Promise<LeaderAnswer>((resolve) => {
    reply = resolve
  })
  return { answer, reply }
}

void t.test('the leadership of a vcluster process', async (t) => {
  void t.test('is asked for quickly until it is won, then every 5 s', async (t) => {
    const { clock, process, leadership, said } = overProcess(t, following)
    await clock.advance(1700)
    t.strictSame(process.askedAtMs, [0, 100, 300, 700, 1200, 1700])
    t.strictSame(said, [])
    t.equal(leadership.deadline(), Number.NEGATIVE_INFINITY)
    process.answer = leading
    await clock.advance(10_500)
    t.strictSame(process.askedAtMs.slice(6), [2200, 7200, 12_200])
    t.strictSame(said, [true])
  })

  void t.test('holds for 15 s from the start of the question, not from its answer', async (t) => {
    const { clock, process, leadership } = overProcess(t, following)
    const { answer, reply } = heldBack()
    process.answer = answer
    await clock.advance(100)
    t.equal(process.askedAtMs.at(-1), 100)
    await clock.advance(4000)
    reply(leading)
    await clock.advance(0)
    t.equal(leadership.deadline(), 15_100)
  })

  void t.test('is not won by an answer that took longer than it holds', async (t) => {
    const { clock, process, said } = overProcess(t, following)
    const { answer, reply } = heldBack()
    process.answer = answer
    await clock.advance(15_100)
    process.answer = following
    reply(leading)
    await clock.advance(1000)
    t.strictSame(said, [])
    process.answer = leading
    await clock.advance(5000)
    t.strictSame(said, [true])
  })

  void t.test('replays what it said last', async (t) => {
    const { clock, process, leadership } = overProcess(t, leading)
    await clock.advance(1000)
    t.strictSame(follow(leadership), [true])
    process.answer = { leader: false, runID: 'run-1' }
    await clock.advance(5000)
    t.strictSame(follow(leadership), [false, 'end'])
  })

  const losses: [string, LeaderAnswer, RegExp][] = [
    ['the process restarted', { leader: false, runID: 'run-2' }, /lost: the vcluster process has restarted/],
    ['another run leads', { leader: true, runID: 'run-2' }, /lost: the vcluster process has restarted/],
    ['it no longer leads', { leader: false, runID: 'run-1' }, /lost: the vcluster process no longer leads/],
  ]
  for (const [what, answer, reason] of losses) {
    void t.test(`is lost when ${what}`, async (t) => {
      const { clock, process, leadership, said, lines } = overProcess(t, leading)
      await clock.advance(1000)
      process.answer = answer
      await clock.advance(5000)
      t.strictSame(said, [true, false, 'end'])
      t.equal(leadership.deadline(), Number.NEGATIVE_INFINITY)
      t.match(lines.at(-1), reason)
      t.equal(clock.pending, 0)
      const asked = process.askedAtMs.length
      process.answer = leading
      await clock.advance(60_000)
      t.equal(process.askedAtMs.length, asked)
      t.strictSame(said, [true, false, 'end'])
    })
  }

  void t.test('is never won from a run other than the one that gave the context', async (t) => {
    const { clock, said, lines } = overProcess(t, leading, { runID: 'run-0' })
    await clock.advance(0)
    t.strictSame(said, [false, 'end'])
    t.match(lines.at(-1), /restarted/)
  })

  void t.test('survives failed questions for 15 s, asking more often meanwhile', async (t) => {
    const { clock, process, leadership, said } = overProcess(t, leading)
    await clock.advance(0)
    process.answer = new Error('connection refused')
    await clock.advance(14_999)
    t.strictSame(said, [true])
    t.strictSame(process.askedAtMs.slice(0, 5), [0, 5000, 5100, 5300, 5700])
    process.answer = leading
    await clock.advance(0)
    t.equal(leadership.deadline() > 15_000, false)
    await clock.advance(1)
    t.strictSame(said, [true, false, 'end'])
    t.equal(clock.pending, 0)
  })

  void t.test('comes through an outage that ends in time', async (t) => {
    const { clock, process, leadership, said } = overProcess(t, leading)
    await clock.advance(0)
    process.answer = new Error('connection refused')
    await clock.advance(12_000)
    process.answer = leading
    await clock.advance(500)
    const answeredAtMs = process.askedAtMs.at(-1) ?? 0
    t.equal(leadership.deadline(), answeredAtMs + 15_000)
    process.answer = new Error('connection refused')
    await clock.advance(5500)
    const since = process.askedAtMs.filter((askedAtMs) => askedAtMs > answeredAtMs)
    t.strictSame(
      since.slice(0, 3).map((askedAtMs) => askedAtMs - answeredAtMs),
      [5000, 5100, 5300],
    )
    t.strictSame(said, [true])
  })

  void t.test('is lost at the deadline while a question hangs', async (t) => {
    const { clock, process, said, lines } = overProcess(t, leading)
    await clock.advance(0)
    process.answer = new Promise(() => {})
    await clock.advance(15_000)
    t.strictSame(said, [true, false, 'end'])
    t.match(lines.at(-1), /lost: the vcluster process has not answered for 15 s/)
  })

  void t.test('is lost at the deadline though the timer came early', async (t) => {
    const clock = new VirtualClock()
    const early = {
      now: () => clock.now(),
      date: () => clock.date(),
      schedule: (delayMs: number, callback: () => void) => clock.schedule(delayMs - 0.4, callback),
    }
    const { process, said } = overProcess(t, leading, { clock: early })
    await clock.advance(0)
    process.answer = new Promise(() => {})
    await clock.advance(15_001)
    t.strictSame(said, [true, false, 'end'])
  })

  void t.test(
    'is not held by an answer that comes after the deadline in a process that was suspended',
    async (t) => {
      const { clock, process, leadership, said } = overProcess(t, leading)
      await clock.advance(0)
      const { answer, reply } = heldBack()
      process.answer = answer
      await clock.advance(5000)
      clock.jump(30_000)
      reply(leading)
      await clock.settle()
      t.equal(leadership.deadline(), Number.NEGATIVE_INFINITY)
      t.strictSame(said, [true, false, 'end'])
    },
  )

  void t.test('once released ends silently', async (t) => {
    const { clock, leadership, said } = overProcess(t, leading)
    await clock.advance(1000)
    await leadership.release()
    t.equal(leadership.deadline(), Number.NEGATIVE_INFINITY)
    t.equal(clock.pending, 0)
    t.strictSame(said, [true])
  })
})
