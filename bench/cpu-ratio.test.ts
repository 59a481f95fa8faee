// Tests that the plugin's CPU time has not grown. It compares it with that of a raw writer. Both run
// alternately in the same run, so that a slow or busy machine does not matter. Wall-clock time is not
// compared.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as z from 'zod'
import { embeddedClusters } from './embedded.js'

const count = 300
const rounds = 2
/** The maximum factor over the stored ratio. */
const tolerance = 1.5

const stored = z
  .object({ coldStart: z.number() })
  .parse(JSON.parse(readFileSync('bench/cpu-ratio.json', 'utf8')))

const skip = process.platform !== 'linux' && 'CPU time is read from /proc'

void t.test(
  'a cold start takes no more CPU time, relative to a raw writer, than before',
  { skip },
  async (t) => {
    const bundle = join(t.testdir(), 'main.mjs')
    const args = ['bin/vcluster-plugin.js', 'bundle', 'examples/sync-all-configmaps', bundle]
    execFileSync(process.execPath, args)
    const clusters = await embeddedClusters(count)
    t.teardown(() => clusters.close())
    const taken = { raw: Number.POSITIVE_INFINITY, plugin: Number.POSITIVE_INFINITY }
    for (let round = 0; round < rounds; round++) {
      // Interference only makes a run slower, so the minimum is the most accurate.
      taken.raw = Math.min(taken.raw, (await clusters.coldStart(['bench/raw-writer.mjs'])).cpuMs)
      taken.plugin = Math.min(taken.plugin, (await clusters.coldStart([bundle])).cpuMs)
    }
    const [ratio, most] = [taken.plugin / taken.raw, stored.coldStart * tolerance]
    const measured = `${ratio.toFixed(2)} times a raw writer's CPU time`
    t.ok(
      ratio < most,
      `${measured}, which must be less than ${most.toFixed(2)}; profile the plugin as described in bench/README.md`,
    )
  },
)
