// The operators of examples are killed, and lose their leadership, at every write on a real API server.
import t from 'tap'
import { buckets } from '../examples/bucket/bucket.js'
import { FakeCloud } from '../examples/bucket/cloud.js'
import { register as registerBucket } from '../examples/bucket/register.js'
import { backups } from '../examples/memcached/backup.js'
import { register } from '../examples/memcached/register.js'
import { deployments } from '../sdk/engine/kube/builtin.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { realOperatorClusters } from '../testing/environment/real-clusters.js'
import { exhaust } from '../testing/explore/exhaust.js'
import { zoneScenario } from '../testing/explore/zone-scenario.fixture.js'
import { operatorScenario } from '../testing/scenario/operator-scenario.js'
import { missingAssets, startRealCluster } from './real/real-cluster.js'

t.setTimeout(600_000)
// The limit that tap reads for the file.
t.comment('timeout=600000')

const key = { namespace: 'default', name: 'daily' }

/** Without a garbage collector, which only kube-controller-manager has, no backup is deleted. */
const scenario = operatorScenario({
  register,
  definitions: [crdOf(backups)],
  steps: {
    'a backup is created': ({ client }) => client.create(backups, { metadata: key, spec: { size: 2 } }),
    'its Deployment is deleted': ({ client }) => client.delete(deployments, key),
    'it grows': ({ client }) => client.patch(backups, key, { type: 'merge', body: { spec: { size: 3 } } }),
  },
  simulate: ({ setAllReady }) => setAllReady(),
})

const skip = missingAssets()
// One API server for all tests, which take turns: each run removes the objects that it created.
const cluster = skip ? undefined : await startRealCluster()
t.teardown(() => cluster?.stop())
const environment = realOperatorClusters({ kubeconfigs: { main: cluster?.kubeconfigFile ?? '' } })

void t.test('an operator survives a crash at every write on a real API server', { skip }, async (t) => {
  const crashes = await exhaust({ ...scenario, environment }, { faults: ['crashes'] })
  t.same(crashes.missed, [])
  const embedded = await exhaust(scenario, { faults: ['crashes'] })
  t.same(crashes.writes, embedded.writes, 'the writes are those on an embedded API server')
  t.equal(crashes.runs, 3 * crashes.writes.length + 6)
  t.comment(`${crashes.runs} runs`)
})

/** A cloud that is new for each run. */
let cloud = new FakeCloud()
const photos = { namespace: 'default', name: 'photos' }

const bucketScenario = operatorScenario({
  register: (operator) => registerBucket(operator, cloud),
  definitions: [crdOf(buckets)],
  before: async () => {
    cloud = new FakeCloud()
  },
  steps: {
    'a bucket is created': ({ client }) =>
      client.create(buckets, { metadata: photos, spec: { region: 'north' } }),
    'it is deleted': ({ client }) => client.delete(buckets, photos),
  },
  writesPerChange: 6,
})

void t.test(
  'an effect is made once and removed at every crash and leader change on a real API server',
  { skip },
  async (t) => {
    const crashes = await exhaust({ ...bucketScenario, environment }, { faults: ['crashes'] })
    t.same(crashes.missed, [])
    t.ok(crashes.writes.includes('create outside bucket default/photos'))
    t.ok(crashes.writes.includes('delete outside bucket default/photos'))
    const changes = await exhaust({ ...bucketScenario, environment }, { faults: ['leader-changes'] })
    t.same(changes.missed, [])
    t.comment(`${crashes.runs} crashes, ${changes.runs} leader changes`)
  },
)

void t.test(
  'an effect with keys survives a crash at every write on a real API server',
  { skip },
  async (t) => {
    const crashes = await exhaust({ ...zoneScenario(), environment }, { faults: ['crashes'] })
    t.same(crashes.missed, [])
    const embedded = await exhaust(zoneScenario(), { faults: ['crashes'] })
    t.same(crashes.writes, embedded.writes, 'the writes are those on an embedded API server')
  },
)
