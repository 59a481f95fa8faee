// Tests the processor time that `npm test` prints for each file.
import { spawnSync } from 'node:child_process'
import t from 'tap'
import { childrenTimeMs } from '../scripts/children-time.mjs'

void t.test('the ticks of ended children are milliseconds, whatever the program is called', async (t) => {
  const stat = '7 (a) b) (c) S 1 7 7 0 -1 4194304 100 200 0 0 11 12 130 14 20 0 1 0 5'
  t.equal(childrenTimeMs(stat), 1440)
})

const skip = process.platform !== 'linux' && 'the system does not tell it'

void t.test('a child that has ended counts, with the children that it waited for', { skip }, async (t) => {
  const before = childrenTimeMs() ?? 0
  const busy = 'while (process.cpuUsage().user < 100_000);'
  const parent = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`
  spawnSync(process.execPath, ['-e', parent])
  const ms = (childrenTimeMs() ?? 0) - before
  t.ok(ms >= 90, `${ms} ms`)
})
