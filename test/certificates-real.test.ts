// Tests a shorter scenario of the example between two real API servers.
import t from 'tap'
import { installCertManager, issueAll } from '../examples/certificates/cert-manager.fixture.js'
import { certificates } from '../examples/certificates/kinds.js'
import { key, scenario, spec } from '../examples/certificates/scenario.fixture.js'
import { createClient } from '../sdk/engine/client/create-client.js'
import { customResourceDefinitions, secrets } from '../sdk/engine/kube/builtin.js'
import { isNotFound } from '../sdk/engine/kube/error.js'
import { createTransport } from '../sdk/engine/transport/create-transport.js'
import { loadKubeconfig } from '../sdk/engine/transport/load-kubeconfig.js'
import { crdOf } from '../sdk/operator/kind/definition/crd-of.js'
import { realClusters } from '../testing/environment/real-clusters.js'
import { exhaust } from '../testing/explore/exhaust.js'
import type { Scenario } from '../testing/scenario/scenario.js'
import { missingAssets, type RealCluster, startRealCluster } from './real/real-cluster.js'

const skip = missingAssets()

void t.test('certificates on real API servers survive crashes', { skip, timeout: 600_000 }, async (t) => {
  const [virtual, host] = await Promise.all([startRealCluster(), startRealCluster()])
  t.teardown(() => Promise.all([virtual.stop(), host.stop()]))
  const clientOf = async ({ kubeconfig }: RealCluster) => {
    const transport = createTransport({ kubeconfig: await loadKubeconfig({ text: kubeconfig }) })
    t.teardown(() => transport.close())
    return createClient({ transport })
  }
  await installCertManager(await clientOf(host))
  await (await clientOf(virtual)).create(customResourceDefinitions, crdOf(certificates))
  const short: Scenario = {
    ...scenario,
    steps: {
      'a Certificate is created': ({ virtual }) => virtual.create(certificates, { metadata: key, spec }),
      'it is issued': ({ host, targetNamespace }) => issueAll(host, targetNamespace),
      'it is deleted': ({ virtual }) => virtual.delete(certificates, key),
      // An API server without a controller manager collects nothing.
      'its Secret is collected': ({ virtual }) =>
        virtual.delete(secrets, { ...key, name: spec.secretName }).catch((error: unknown) => {
          if (!isNotFound(error)) throw error
        }),
    },
  }
  const environment = realClusters({ virtual: virtual.kubeconfigFile, host: host.kubeconfigFile })
  const crashes = await exhaust({ ...short, before: async () => {}, environment }, { faults: ['crashes'] })
  // The Secret and the status of a host certificate reach the controller together or one by one, so a run has one write
  // of the status more or less than the reference run.
  const ofLast = `crash:${crashes.writes.length}:`
  t.strictSame(
    crashes.missed.filter((fault) => !fault.startsWith(ofLast)),
    [],
  )
  t.comment(`${crashes.runs} crashes`)
})
