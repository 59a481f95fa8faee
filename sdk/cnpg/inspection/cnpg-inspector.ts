import type { Pages } from '../../engine/health/pages.js'
import type { PrometheusMetrics } from '../../engine/health/prometheus-metrics.js'
import type { InspectableProgram } from '../../engine/inspector/inspected.js'
import type { InspectorView } from '../../engine/inspector/inspector-view.js'
import type { Clock } from '../../engine/time/clock.js'
import { type CallEnd, methodName } from '../calls/call-runner.js'
import type { ServedMethod } from '../calls/service.js'
import type { CallRecord } from './call-recorder.js'

/** Options of {@link cnpgInspector}. */
export interface CnpgInspectorOptions {
  name: string
  methods: readonly ServedMethod[]
  /** The metrics that the plugin serves; without them there is no inspector. */
  metrics: PrometheusMetrics | undefined
  env: Readonly<Record<string, string | undefined>>
  clock: Clock
  isServing: () => boolean
}

/** The inspector of a plugin. */
export interface CnpgInspector {
  readonly pages: Pages
  readonly onEnd: (end: CallEnd) => void
}

/** Makes the inspector of a plugin, if the environment enables it. The code of the inspector is loaded only then. */
export async function cnpgInspector({
  name,
  methods,
  metrics,
  env,
  clock,
  isServing,
}: CnpgInspectorOptions): Promise<CnpgInspector | undefined> {
  if (!metrics || env.VCLUSTER_PLUGIN_INSPECT !== '1') return undefined
  const { Inspector } = await import('../../engine/inspector/inspector.js')
  const { ParentChannel } = await import('../../engine/inspector/parent-channel.js')
  const { CallRecorder } = await import('./call-recorder.js')
  const { endedCall } = await import('./ended-call.js')
  const { methodsView } = await import('./methods-view.js')
  const calls = new CallRecorder(clock, methods.map(methodName))
  const plugin = inspectablePlugin({ name, clock, isServing }, methodsView(calls))
  const parent = ParentChannel.open()
  return {
    pages: new Inspector({ clock, metrics, inspected: () => plugin, parent }),
    onEnd: (end) => {
      const record: CallRecord = { what: 'call', call: endedCall(end) }
      calls.add(record.call)
      parent?.report(record)
    },
  }
}

/** The plugin as the inspector sees it: it has methods, and neither clusters nor a leader. */
function inspectablePlugin(
  { name, clock, isServing }: Pick<CnpgInspectorOptions, 'name' | 'clock' | 'isServing'>,
  methods: InspectorView,
): InspectableProgram {
  return { clock, facts: { name, mode: 'cnpg' }, views: [methods], isRunning: isServing }
}
