import type { RunningController } from '../../../engine/controller/running-controller.js'
import type { InspectedWork } from '../../../engine/inspector/inspected.js'
import type { InspectorView, ViewSources, WorkerView } from '../../../engine/inspector/inspector-view.js'
import type { SyncerView } from '../../../engine/inspector/model.js'
import type { Recorder } from '../../../engine/inspector/recorder.js'
import { workView } from '../../../engine/inspector/work-view.js'
import type { Key } from '../../../engine/kube/key.js'
import type { RegisterContext } from '../../context/register-context.js'
import { knownHosts } from '../../ownership/host-objects.js'
import { isSyncer, type RunningSyncer } from '../../syncer/reconcile/run-syncer.js'
import { Syncer } from '../../syncer/syncer.js'
import { explainPair } from './explain-pair.js'
import { pairView } from './pair-view.js'

/** Options of {@link syncersView}. */
export interface SyncersViewOptions extends Pick<InspectedWork, 'shardOf'> {
  ctx: RegisterContext
  /** The controllers that were started; only syncers are shown. */
  running: () => readonly RunningController[]
}

/** Shows the syncers of a plugin, and the pairs of their keys. */
export function syncersView({ running, ...options }: SyncersViewOptions): InspectorView {
  const syncers = () => running().filter(isSyncer)
  return {
    overview: async (sources) => ({
      syncers: await Promise.all(syncers().map((one) => syncerView(one, options.ctx, sources))),
    }),
    workers: (recorder) => syncers().map((one) => workerView(one, { ...options, recorder })),
  }
}

function workerView(
  running: RunningSyncer,
  options: Omit<SyncersViewOptions, 'running'> & { recorder: Recorder },
): WorkerView {
  return {
    name: running.name,
    resource: running.reconciler.resource,
    knownKeys: () => running.knownKeys(),
    viewOf: (key: Key) => pairView(running, key, options).view,
    runAgain: (key: Key) => running.runNow(key),
    explain: (key: Key) => explainPair(running, key, options),
  }
}

async function syncerView(
  running: RunningSyncer,
  ctx: RegisterContext,
  sources: ViewSources,
): Promise<SyncerView> {
  const { reconciler } = running
  const host = reconciler instanceof Syncer ? knownHosts(reconciler, ctx).length : 0
  return {
    ...(await workView(running, reconciler.resource, sources)),
    originals: reconciler instanceof Syncer ? reconciler.originals : null,
    objects: { virtual: ctx.virtual.store(reconciler.resource).size, host },
  }
}
