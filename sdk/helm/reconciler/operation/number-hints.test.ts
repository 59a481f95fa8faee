// Tests which large numbers an Event names.
import t from 'tap'
import type { WantedRelease } from '../goal/wanted-release.js'
import type { ReleaseRun } from '../run/release-run.js'
import { reportLargeNumbers } from './number-hints.js'

function eventsFor(values: object, manifest: string): string[] {
  const events: string[] = []
  const warning = (_: string, message: string) => events.push(message)
  const run = { release: { name: 'shop' }, ctx: { events: { warning } } } as unknown as ReleaseRun
  reportLargeNumbers(run, { values, rendered: { manifest } } as unknown as WantedRelease)
  return events
}

void t.test('an Event names the large numbers that the chart prints with an exponent', async (t) => {
  t.strictSame(eventsFor({ a: [5_000_000], b: 7_000_000, c: 5 }, 'x: 5e+06\ny: 5'), [
    'the chart of shop prints a[0] as 5e+06; use text in place of the number, or `int` in the template',
  ])
  t.strictSame(eventsFor({ a: 5_000_000 }, 'x: 5000000'), [])
})

void t.test('a manifest of megabytes is searched for the first thousand of them', async (t) => {
  const many = Array.from({ length: 1_000_000 }, (_, index) => 1_000_001 + index)
  t.strictSame(eventsFor({ many }, 'x'.repeat(5_000_000)), [])
})
