import type { RunningController } from '../controller/running-controller.js'
import { apiVersionOf, type Resource } from '../kube/resource.js'
import type { ViewSources } from './inspector-view.js'
import { windowMs } from './lag-windows.js'
import type { WorkView } from './model.js'
import { sums } from './samples.js'

/** How much a controller or a syncer has to do and how it goes. */
export async function workView(
  running: RunningController,
  resource: Resource,
  { recorder, samples }: ViewSources,
): Promise<WorkView> {
  const { name } = running
  const { windows, errors } = recorder.of(name)
  const runs = await samples('controller_runtime_reconcile_total')
  return {
    name,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    load: running.load(),
    oldestRunMs: running.oldestRunMs(),
    runs: sums(runs, { controller: name }, 'result'),
    perSecond: windows.perSecond,
    lag: { p50Ms: windows.quantileMs(0.5), p99Ms: windows.quantileMs(0.99) },
    windows: windows.windows(),
    windowMs,
    errors: errors.all,
  }
}
