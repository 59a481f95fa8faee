// Tests the recording of `dev` in the README. `npm run recording` makes it again.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { animatedSvg } from '../scripts/recording/animated-svg.js'
import { root } from './dev-run.js'

void t.test(
  'the committed recording has each step, and nothing of the folder in which it was made',
  async (t) => {
    const svg = (await readFile(join(root, 'docs/images/dev.svg'), 'utf8')).replaceAll('\u00a0', ' ')
    const steps = [
      '$ npx vcluster-plugin dev my-plugin',
      '4 of 4 samples mirrored',
      'default/hello -&gt; vcluster-dev/hello-x-default-x-dev  created',
      'default/hello -&gt; vcluster-dev/hello-x-default-x-dev  updated',
      'cannot be loaded: my-plugin/main.ts:5:9: Unexpected ","',
      'waiting for the next save',
      'ready in',
    ]
    let from = 0
    for (const step of steps) {
      from = svg.indexOf(step, from)
      t.ok(from >= 0, step)
    }
    t.notMatch(svg, /\/tmp|\/home|\/root/)
    t.match(await readFile(join(root, 'README.md'), 'utf8'), '](docs/images/dev.svg)')
  },
)

void t.test('lines appear at their times, with long silences shortened, and as plain text', (t) => {
  const svg = animatedSvg('a & b', [
    { atMs: 0, text: '$ echo' },
    { atMs: 250, text: '<tag>  created' },
    { atMs: 90_000, text: 'x'.repeat(200) },
  ])
  t.strictSame(
    [...svg.matchAll(/animation-delay:(\d+)ms/g)].map(([, ms]) => Number(ms)),
    [300, 550, 2050],
  )
  t.match(svg, '<title>a\u00a0&amp;\u00a0b</title>')
  t.match(svg, /class="l green"[^>]*>&lt;tag&gt;\u00a0\u00a0created</)
  t.match(svg, /class="l typed"/)
  t.match(svg, new RegExp(`>${'x'.repeat(99)}…<`))
  t.end()
})
