// Tests that templates of any content become lenient, and that large ones are read once.
import t from 'tap'
import type { FileChart } from './chart.js'
import { lenientChart } from './lenient-chart.js'

/** The text of a template in the lenient copy of its chart. */
function lenient(text: string): string {
  const templates = [{ name: 'templates/a.yaml', data: Buffer.from(text) }]
  const metadata = { apiVersion: 'v2', name: 'shop', version: '1.0.0' }
  const chart: FileChart = {
    source: 'shop',
    metadata,
    files: templates,
    templates,
    otherFiles: [],
    subcharts: [],
    values: {},
  }
  return Buffer.from(lenientChart(chart).templates[0]?.data ?? []).toString()
}

void t.test('fail and required are replaced in the code of actions only', async (t) => {
  for (const [text, expected] of [
    ['fail {{ fail "fail" }} required', 'fail {{ trunc 0 "fail" }} required'],
    ['{{ required `required` .fail }}', '{{ and `required` .fail }}'],
    ['{{ "a \\" fail" | fail }}', '{{ "a \\" fail" | trunc 0 }}'],
    ['{{ fail "open', '{{ trunc 0 "open'],
    ['{{ fail `open', '{{ trunc 0 `open'],
    ['{{ fail "open\\', '{{ trunc 0 "open\\'],
  ] as const)
    t.equal(lenient(text), expected)
})

const size = 1_000_000

void t.test('megabytes without the end of a literal or an action are read once', async (t) => {
  for (const text of [
    `{{"${'\\"'.repeat(size)} }}`,
    `{{"${'\\"'.repeat(size)}\\`,
    `{{"${'\\"'.repeat(size)}\\\n}}`,
    `{{ ${'`'.repeat(size + 1)} }}`,
    `{{ "${'x'.repeat(5 * size)}`,
    '{{'.repeat(2 * size),
  ])
    t.equal(lenient(text).length, text.length)
})
