// Tests schedules against the clocks of four zones, and which missed times count.
import t from 'tap'
import { dueState, parseHibernation } from './due-state.js'
import { parseSchedule } from './schedule.js'

const iso = (date: Date) => date.toISOString().replace('.000Z', 'Z')

/** The next `count` times after `from`. */
function times(text: string, from: string, count: number, timeZone?: string): string[] {
  const schedule = parseSchedule(text, timeZone)
  const found: Date[] = []
  for (let at = schedule.next(new Date(from)); found.length < count; at = schedule.next(at)) found.push(at)
  return found.map(iso)
}

void t.test('fields of cron: names, ranges, lists, steps, seconds, shortcuts', async (t) => {
  const from = '2026-01-01T00:00:00Z'
  const table: [string, string[]][] = [
    ['*/20 * * * *', ['2026-01-01T00:20:00Z', '2026-01-01T00:40:00Z', '2026-01-01T01:00:00Z']],
    ['15/20 0 * * *', ['2026-01-01T00:15:00Z', '2026-01-01T00:35:00Z', '2026-01-01T00:55:00Z']],
    ['10,50 30 8 * * *', ['2026-01-01T08:30:10Z', '2026-01-01T08:30:50Z', '2026-01-02T08:30:10Z']],
    ['0 8 ? JAN-feb Mon', ['2026-01-05T08:00:00Z', '2026-01-12T08:00:00Z', '2026-01-19T08:00:00Z']],
    ['0 8 * * 7', ['2026-01-04T08:00:00Z', '2026-01-11T08:00:00Z', '2026-01-18T08:00:00Z']],
    ['0 8 31 2 mon', ['2026-02-02T08:00:00Z', '2026-02-09T08:00:00Z', '2026-02-16T08:00:00Z']],
    ['0 8 13 * fri', ['2026-01-02T08:00:00Z', '2026-01-09T08:00:00Z', '2026-01-13T08:00:00Z']],
    ['0 0 29 2 *', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z', '2036-02-29T00:00:00Z']],
    ['0 0 31 * *', ['2026-01-31T00:00:00Z', '2026-03-31T00:00:00Z', '2026-05-31T00:00:00Z']],
    ['@hourly', ['2026-01-01T01:00:00Z', '2026-01-01T02:00:00Z', '2026-01-01T03:00:00Z']],
    ['@weekly', ['2026-01-04T00:00:00Z', '2026-01-11T00:00:00Z', '2026-01-18T00:00:00Z']],
    ['@daily', ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z']],
    ['@midnight', ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z', '2026-01-04T00:00:00Z']],
    ['@monthly', ['2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z', '2026-04-01T00:00:00Z']],
    ['@yearly', ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z', '2029-01-01T00:00:00Z']],
    ['@annually', ['2027-01-01T00:00:00Z', '2028-01-01T00:00:00Z', '2029-01-01T00:00:00Z']],
    ['@every 1h30m', ['2026-01-01T01:30:00Z', '2026-01-01T03:00:00Z', '2026-01-01T04:30:00Z']],
    [
      'CRON_TZ=Asia/Kolkata 0 8 * * *',
      ['2026-01-01T02:30:00Z', '2026-01-02T02:30:00Z', '2026-01-03T02:30:00Z'],
    ],
  ]
  for (const [text, expected] of table) t.strictSame(times(text, from, 3), expected, text)
  t.strictSame(times('0 0 29 2 *', '1896-03-01T00:00:00Z', 1), ['1904-02-29T00:00:00Z'], 'eight years')
})

/**
 * All clock changes of 2026 in four zones, and the largest one there was: daily schedules around them, and when they
 * come due.
 */
const clockChanges: [zone: string, text: string, from: string, expected: string[]][] = [
  // 29 March, 2:00 becomes 3:00: 2:30 is skipped.
  [
    'Europe/Berlin',
    '30 2 * * *',
    '2026-03-28T00:00:00Z',
    ['2026-03-28T01:30:00Z', '2026-03-29T01:00:00Z', '2026-03-30T00:30:00Z'],
  ],
  // 25 October, 3:00 becomes 2:00: 2:30 comes twice.
  [
    'Europe/Berlin',
    '30 2 * * *',
    '2026-10-24T00:00:00Z',
    ['2026-10-24T00:30:00Z', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00Z'],
  ],
  // 8 March, 2:00 becomes 3:00.
  [
    'America/New_York',
    '30 2 * * *',
    '2026-03-07T05:00:00Z',
    ['2026-03-07T07:30:00Z', '2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z'],
  ],
  // 1 November, 2:00 becomes 1:00.
  [
    'America/New_York',
    '30 1 * * *',
    '2026-10-31T00:00:00Z',
    ['2026-10-31T05:30:00Z', '2026-11-01T05:30:00Z', '2026-11-02T06:30:00Z'],
  ],
  // 5 April, 2:00 becomes 1:30, by half an hour.
  [
    'Australia/Lord_Howe',
    '45 1 * * *',
    '2026-04-04T00:00:00Z',
    ['2026-04-04T14:45:00Z', '2026-04-05T15:15:00Z', '2026-04-06T15:15:00Z'],
  ],
  // 4 October, 2:00 becomes 2:30.
  [
    'Australia/Lord_Howe',
    '15 2 * * *',
    '2026-10-03T00:00:00Z',
    ['2026-10-03T15:30:00Z', '2026-10-04T15:15:00Z', '2026-10-05T15:15:00Z'],
  ],
  // 30 December 2011 was skipped as a whole, when the date line moved: it has no times.
  [
    'Pacific/Apia',
    '0 12 * * *',
    '2011-12-29T00:00:00Z',
    ['2011-12-29T22:00:00Z', '2011-12-30T22:00:00Z', '2011-12-31T22:00:00Z'],
  ],
  // 5 April, 0:00 becomes 23:00 of the day before.
  [
    'America/Santiago',
    '30 23 * * *',
    '2026-04-04T00:00:00Z',
    ['2026-04-04T02:30:00Z', '2026-04-05T02:30:00Z', '2026-04-06T03:30:00Z'],
  ],
  // 6 September, 0:00 becomes 1:00: midnight is skipped.
  [
    'America/Santiago',
    '0 0 * * *',
    '2026-09-05T00:00:00Z',
    ['2026-09-05T04:00:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z'],
  ],
]

void t.test(
  'clock changes: a skipped time comes due right after, one that comes twice comes once',
  async (t) => {
    for (const [zone, text, from, expected] of clockChanges)
      t.strictSame(times(text, from, 3, zone), expected, `${zone} ${text} from ${from}`)
  },
)

/** By definition: all instants at which the clocks show, or pass, a quarter of an hour for the first time. */
function quartersByClock(zone: string, from: number, to: number): number[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  const found: number[] = []
  let latest = ''
  for (let at = from - 6 * 3_600_000; at <= to; at += 60_000) {
    const local = format.format(at)
    const quarter = `${local.slice(0, -2)}${String(Math.floor(Number(local.slice(-2)) / 15) * 15).padStart(2, '0')}`
    if (quarter <= latest) continue
    latest = quarter
    if (at > from) found.push(at)
  }
  return found
}

void t.test(
  'around each clock change, the times before and after each moment agree with the clocks',
  async (t) => {
    for (const [zone, , start] of clockChanges) {
      const from = Date.parse(start)
      const to = from + 54 * 3_600_000
      const schedule = parseSchedule('*/15 * * * *', zone)
      const expected = quartersByClock(zone, from, to)
      for (let at = from + 1; at < to - 3_600_000; at += 13 * 60_000) {
        const { next, latest } = schedule
        t.equal(
          next(new Date(at)).getTime(),
          expected.find((one) => one > at),
          `${zone}, after ${at}`,
        )
        const last = expected.filter((one) => one <= at).at(-1)
        if (last) t.equal(latest(new Date(at)).getTime(), last, `${zone}, up to ${at}`)
      }
    }
  },
)

void t.test('refused schedules say what is wrong', async (t) => {
  const table: [string, RegExp][] = [
    ['', /0 fields, but needs 5 \(minute, .* weekday\), or 6 with seconds before them/],
    ['* * *', /3 fields/],
    ['60 * * * *', /minute "60" must be between 0 and 59/],
    ['0 8 * * mon-xyz', /day of week "mon-xyz" must be between/],
    ['0 9-8 * * *', /hour "9-8" ends before it begins/],
    ['*/0 * * * *', /minute "\*\/0" needs a step/],
    ['1/2/3 * * * *', /more than one "\/"/],
    ['1-2-3 * * * *', /more than one "-"/],
    ['0 0 30 2 *', /never comes due/],
    ['0 0 31 4,6,9,11 *', /never comes due/],
    ['@fortnightly', /@fortnightly is unknown; known are @yearly/],
    ['@every soon', /duration of at least 1s/],
    ['@every 10ms', /duration of at least 1s/],
    ['CRON_TZ=Europe/Atlantis 0 8 * * *', /"Europe\/Atlantis" is not an IANA name/],
    ['CRON_TZ=+01:00 0 8 * * *', /"\+01:00" is not an IANA name/],
  ]
  for (const [text, problem] of table)
    t.throws(() => parseSchedule(text), { name: 'ScheduleError', message: problem }, text)
  t.throws(() => parseHibernation({ schedule: '', wakeSchedule: '0 7 * * *' }), /needs a schedule/)
  t.throws(() => parseHibernation({ schedule: '@daily', wakeSchedule: '0 0 * * *' }), /at the same times/)
  t.doesNotThrow(() => parseHibernation({ schedule: '@daily', wakeSchedule: 'TZ=Asia/Tokyo 0 0 * * *' }))
})

void t.test(
  'the newest missed time counts once, and a switch by hand holds until the next one',
  async (t) => {
    const schedules = parseHibernation({ schedule: '0 20 * * *', wakeSchedule: '0 7 * * mon-fri' })
    const at = (now: string, last: string) => {
      const { due, nextAt } = dueState(schedules, new Date(now), new Date(last))
      return [due && iso(due.at), due?.hibernated, iso(nextAt)]
    }
    const [monday7, monday20] = ['2026-06-01T07:00:00Z', '2026-06-01T20:00:00Z']
    t.strictSame(at(monday20, monday7), [monday20, true, '2026-06-02T07:00:00Z'], 'due to the second')
    t.strictSame(at('2026-06-01T19:59:59Z', monday7), [undefined, undefined, monday20], 'not before')
    t.strictSame(at('2026-06-02T03:00:00Z', monday20), [undefined, undefined, '2026-06-02T07:00:00Z'], 'once')
    t.strictSame(
      at('2026-06-10T12:00:00Z', monday20),
      ['2026-06-10T07:00:00Z', false, '2026-06-10T20:00:00Z'],
      'after nine days of downtime: awake, since this morning',
    )
    t.strictSame(at('2026-05-01T00:00:00Z', monday20)[0], undefined, 'the clock went back')
    const both = parseHibernation({ schedule: '@hourly', wakeSchedule: '0 7 * * *' })
    t.equal(dueState(both, new Date(monday7), new Date(0)).due?.hibernated, false, 'at the same time: awake')
  },
)

void t.test('a century of downtime of a schedule of seconds needs no walk through it', async (t) => {
  const schedules = parseHibernation({
    schedule: '* * * * * *',
    wakeSchedule: '@yearly',
    timeZone: 'Europe/Paris',
  })
  const beganMs = process.cpuUsage().user / 1000
  const { due } = dueState(schedules, new Date('2120-06-01T00:00:00Z'), new Date('2020-06-01T00:00:00Z'))
  t.equal(due && iso(due.at), '2120-06-01T00:00:00Z')
  t.ok(process.cpuUsage().user / 1000 - beganMs < 1000)
})
