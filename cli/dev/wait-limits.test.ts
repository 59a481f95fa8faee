import t from 'tap'
import { notMirroredError, onceLimitMs } from './wait-limits.js'

const variable = 'VCLUSTER_PLUGIN_READY_TIMEOUT'

void t.test('a variable sets the time limit of --once, in seconds', (t) => {
  const messageEnds = (text: string) =>
    t.ok(notMirroredError('no copy of a').message.endsWith(`; if it only needs more time, set ${text}`), text)
  delete process.env[variable]
  t.equal(onceLimitMs(), 30_000)
  t.match(notMirroredError('no copy of a').message, /^no copy of a within 30 s; see the plugin's log/)
  messageEnds(`${variable}=120 (seconds)`)
  process.env[variable] = '1000'
  t.equal(onceLimitMs(), 1_000_000)
  t.match(notMirroredError('no copy of a').message, /^no copy of a within 1000 s;/)
  messageEnds(`${variable}=3600 (seconds)`)
  for (const text of ['', '2m', '0', '3601', '1.5']) {
    process.env[variable] = text
    const message = new RegExp(`^${variable} \\(seconds\\) must be an integer from 1 to 3600, got `)
    t.throws(onceLimitMs, { name: 'UsageError', message }, text)
  }
  t.end()
})
