// Whether the plugin has become dearer: its processor time beside that of a raw writer, measured in turns in the same
// run, so that neither a slow nor a busy machine matters. Times are no part of it.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { z } from 'zod'
import { embeddedClusters } from './embedded.js'

const COUNT = 300
const ROUNDS = 2
/** How many times the stored ratio may be measured before it is an error. */
const TOLERANCE = 1.5

const stored = z
  .object({ coldStart: z.number() })
  .parse(JSON.parse(readFileSync('bench/cpu-ratio.json', 'utf8')))

const skip = process.platform !== 'linux' && 'processor time is read from /proc'

void t.test(
  'a cold start takes no more processor time beside a raw writer than before',
  { skip },
  async (t) => {
    const bundle = join(t.testdir(), 'main.mjs')
    const args = ['bin/vcluster-plugin.js', 'bundle', 'examples/sync-all-configmaps', bundle]
    execFileSync(process.execPath, args)
    const clusters = await embeddedClusters(COUNT)
    t.teardown(() => clusters.close())
    const taken = { raw: Number.POSITIVE_INFINITY, plugin: Number.POSITIVE_INFINITY }
    for (let round = 0; round < ROUNDS; round++) {
      // Whatever disturbs a run makes it dearer, so that the least is the truest.
      taken.raw = Math.min(taken.raw, (await clusters.coldStart(['bench/raw-writer.mjs'])).cpuMs)
      taken.plugin = Math.min(taken.plugin, (await clusters.coldStart([bundle])).cpuMs)
    }
    const [ratio, most] = [taken.plugin / taken.raw, stored.coldStart * TOLERANCE]
    const measured = `${ratio.toFixed(2)} times a raw writer's processor time`
    t.ok(
      ratio < most,
      `${measured}, and less than ${most.toFixed(2)}; else profile the plugin as bench/README.md tells`,
    )
  },
)
