import t from 'tap'
import { formatAgo, formatIn, formatTime } from './page/format.js'

const noonMs = new Date(2026, 10, 28, 12, 0, 0, 7).getTime()

void t.test('a time has its date if it is not that of today, and says how long ago it was', (t) => {
  t.equal(formatTime(noonMs, noonMs + 60_000), '12:00:00.007')
  t.equal(formatTime(noonMs, noonMs + 86_400_000), '28 Nov 12:00:00.007')
  t.equal(formatAgo(noonMs, noonMs + 600), 'now')
  t.equal(formatAgo(noonMs, noonMs - 600), 'now')
  t.equal(formatAgo(noonMs, noonMs + 180_000), '3 min ago')
  t.equal(formatIn(noonMs, noonMs + 180_000), '3 min ago')
  t.equal(formatIn(noonMs, noonMs - 600), 'now')
  t.equal(formatIn(noonMs, noonMs - 180_000), 'in 3 min')
  t.end()
})
