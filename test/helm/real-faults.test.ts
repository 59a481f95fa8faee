// Tests releases on a real control plane where something else is broken: an API without a backend, a kind that is gone,
// a Job that was cleaned up.
import t from 'tap'
import { helmController } from '../../sdk/helm/reconciler/helm-controller.js'
import type { HelmControllerOptions } from '../../sdk/helm/reconciler/options/options.js'
import type { Operator } from '../../sdk/operator/operator.js'
import { openControlPlane } from '../real/open-control-plane.js'
import { missingAssets } from '../real/real-cluster.js'
import { missingEngine } from './charts.js'
import {
  apiDefinitions,
  apiReconcilers,
  breakApi,
  chartReconcilers,
  deletesWithoutApi,
  deploysWithoutApi,
  installCharts,
  missingCharts,
  reportsNeededApi,
  uninstallsCharts,
} from './real-api-services.js'
import { RealControlPlane } from './real-control-plane.js'
import { dampsIstiod, driftDefinitions, driftReconcilers, leavesFinishedJob } from './real-drift.js'
import { survivesHangingApi, survivesSilentApi } from './real-hanging-api.js'
import {
  restsForField,
  retryDefinitions,
  retryReconcilers,
  waitsForDeletedKind,
  waitsForForeign,
  waitsForLookedUpKind,
  waitsForLookup,
} from './real-retries.js'

const skip = missingAssets('kube-controller-manager') || missingEngine || missingCharts

void t.test('releases on a control plane with faults', { skip, timeout: 600_000 }, async (t) => {
  const { transport, cluster, client, startOperator } = await openControlPlane(t, [
    ...apiDefinitions,
    ...driftDefinitions,
    ...retryDefinitions,
  ])
  const register = (all: readonly HelmControllerOptions[]) => (operator: Operator) => {
    for (const options of all) operator.register(helmController(options))
  }
  const home = t.testdir({})
  const plane = new RealControlPlane(transport, { kubeconfigFile: cluster.kubeconfigFile, home })
  const ofCharts = await chartReconcilers()
  const ofDrift = await driftReconcilers()
  const ofRetries = await retryReconcilers(t)
  const installer = await startOperator({ name: 'installer', register: register(ofCharts) })
  await installCharts(plane)
  await installer.stop()
  await breakApi(client)
  // It asks for the kinds of the cluster when the APIs do not answer any more.
  await startOperator({
    name: 'greeter',
    register: register([...apiReconcilers, ...ofCharts, ...ofDrift, ...ofRetries]),
  })

  await t.test('an API without a backend stops no release that does not need it', (t) =>
    deploysWithoutApi(t, plane),
  )
  await t.test('a release that needs it says so, and goes with its object', (t) => reportsNeededApi(t, plane))
  await t.test('nor does one whose backend never answers', (t) => survivesHangingApi(t, plane))
  await t.test('nor one that does not say which kinds it has', (t) => survivesSilentApi(t, plane))
  await t.test('a release with an APIService is uninstalled', (t) => deletesWithoutApi(t, plane))
  await t.test('so are metrics-server and prometheus-adapter', (t) => uninstallsCharts(t, plane))
  await t.test('a release goes on when the objects in its way are gone', (t) => waitsForForeign(t, plane))
  await t.test('a field that no API server takes is named', (t) => restsForField(t, plane))
  await t.test('and when an object changes that lookup read', (t) => waitsForLookup(t, plane))
  await t.test('and when the kind that lookup asks for is served', (t) => waitsForLookedUpKind(t, plane))
  await t.test('a release of a kind that is gone says so, and goes on', (t) => waitsForDeletedKind(t, plane))
  await t.test('a Job that Kubernetes deletes after its end is not created again', (t) =>
    leavesFinishedJob(t, plane),
  )
  await t.test('a field that istiod sets is corrected rarely', (t) => dampsIstiod(t, plane))
})
