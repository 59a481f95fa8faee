// Tests the example's scenario between two real API servers.
import t from 'tap'
import { scenario } from '../examples/sync-all-configmaps/scenario.fixture.js'
import { realClusters } from '../testing/environment/real-clusters.js'
import { exhaust } from '../testing/explore/exhaust.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'

/** Each server has its own ConfigMaps, which are copied, too. */
const isAboutGreeting = (write: string) => write.includes('greeting')

t.setTimeout(600_000)
// The limit that tap reads for the file.
t.comment('timeout=600000')

const skip = missingAssets()

void t.test(
  'the crash kit has the same result with real API servers',
  { skip, timeout: 560_000 },
  async (t) => {
    const [virtual, host] = [await startRealCluster(), await startRealCluster()]
    t.teardown(() => Promise.all([virtual.stop(), host.stop()]))
    const environment = realClusters({ virtual: virtual.kubeconfigFile, host: host.kubeconfigFile })
    const onReal = { ...scenario, environment }
    const crashes = await exhaust(onReal, { faults: ['crashes'] })
    t.same(crashes.missed, [])
    t.ok(crashes.runs > 40, `${crashes.runs} runs`)
    const embedded = await exhaust(scenario, { faults: ['crashes'] })
    t.same(
      crashes.writes.filter(isAboutGreeting),
      embedded.writes.filter(isAboutGreeting),
      'the writes are the same',
    )
    await t.resolves(exhaust(onReal, { faults: ['late-events'] }))
    await t.resolves(exhaust(onReal, { faults: ['lost-events'] }))
  },
)
