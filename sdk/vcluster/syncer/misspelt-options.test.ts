// Misspelt options of syncers, in plugins whose types are not checked: each is refused where it is given.
import t from 'tap'
import { configMaps, priorityClasses, type Secret, secrets } from '../../engine/kube/builtin.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { systemClock } from '../../engine/time/clock.js'
import type { RegisterContext } from '../context/register-context.js'
import { applyManifests } from './apply-manifests.js'
import { ensureCRD } from './ensure-crd.js'
import { ExtraWatches } from './reconcile/extra-watches.js'
import { ClusterTranslator } from './translator/cluster-translator.js'
import { FromHostTranslator } from './translator/from-host-translator.js'
import { mirrorBoth, mirrorDown, mirrorUp } from './translator/mirror.js'
import { MirrorTranslator } from './translator/mirror-translator.js'
import { NamespacedTranslator } from './translator/namespaced-translator.js'
import { UpTranslator } from './translator/up-translator.js'

const ctx = { metrics: noMetrics, clock: systemClock, vclusterName: 'vc' } as RegisterContext
const resource = configMaps

class Namespaced extends NamespacedTranslator<Secret> {
  override syncDown = async () => undefined
  override sync = async () => undefined
}
class OfCluster extends ClusterTranslator<KubeObject> {
  override syncDown = async () => undefined
  override sync = async () => undefined
}
class Up extends UpTranslator<Secret> {
  override isManaged = () => true
  override hostToVirtual = () => undefined
  override virtualToHost = () => undefined
}

const misspelt: Readonly<Record<string, () => unknown>> = {
  'mirrorDown has no option excludeField; did you mean excludeFields?': () =>
    mirrorDown(ctx, resource, { excludeField: [] } as never),
  'mirrorBoth has no option onConflicts; did you mean onConflict?': () =>
    mirrorBoth(ctx, resource, { onConflicts: 'host' } as never),
  'mirrorUp has no option selects; did you mean select?': () =>
    mirrorUp(ctx, resource, { selects: 'all' } as never),
  'the syncer web has no option refernces; did you mean references?': () =>
    new Namespaced(ctx, 'web', secrets, { refernces: 'plain' } as never),
  'the syncer web has no option labelmode; did you mean labelMode?': () =>
    new OfCluster(ctx, 'web', priorityClasses, { labelmode: 'current' } as never),
  'the syncer web has no option adopt; did you mean adopts?': () =>
    new Up(ctx, 'web', secrets, { adopt: true } as never),
  'the syncer web has no option mapping; did you mean mappings?': () =>
    new FromHostTranslator(ctx, 'web', secrets, { mapping: {} } as never),
  'the syncer web has no option slect; did you mean select?': () =>
    new MirrorTranslator(ctx, 'web', priorityClasses, { slect: 'all' } as never),
  'a watch of the syncer web has no option namespaces; did you mean namespace?': () =>
    new ExtraWatches(ctx, 'web').watch(secrets, {
      side: 'host',
      keysOf: () => [],
      namespaces: [''],
    } as never),
}

void t.test('each function and class refuses an option that it does not have', async (t) => {
  for (const [message, call] of Object.entries(misspelt)) t.throws(call, new TypeError(message), message)
  await t.rejects(
    applyManifests(ctx, [], { sides: 'host' } as never),
    new TypeError('applyManifests has no option sides; did you mean side?'),
  )
  await t.rejects(
    ensureCRD(ctx, { from: 'host', resource, inot: 'host' } as never),
    new TypeError('ensureCRD has no option inot; did you mean into?'),
  )
})
