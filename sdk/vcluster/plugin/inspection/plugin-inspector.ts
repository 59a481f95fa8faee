import type { PrometheusMetrics } from '../../../engine/health/prometheus-metrics.js'
import { controllersView } from '../../../engine/inspector/controllers-view.js'
import type { InspectableProgram } from '../../../engine/inspector/inspected.js'
import { inspectedWork } from '../../../engine/inspector/inspected-work.js'
import { Inspector } from '../../../engine/inspector/inspector.js'
import type { ProgramManager } from '../../../engine/manager/program-manager.js'
import type { Clock } from '../../../engine/time/clock.js'
import type { Mode } from '../mode.js'
import type { Registrations } from '../registrations.js'
import type { Wiring } from '../wire.js'
import { hooksView } from './hooks-view.js'
import { syncersView } from './syncers-view.js'

/** The parts of a plugin that its inspector shows. */
export interface InspectedParts {
  wiring: Wiring
  manager: ProgramManager
  registered: Registrations
  mode: Mode
}

/** Options of {@link pluginInspector}. */
export interface PluginInspectorOptions {
  clock: Clock
  metrics: PrometheusMetrics
  /** Undefined before both clusters are known. */
  parts: () => InspectedParts | undefined
}

/** Makes the inspector of a plugin. Only a plugin that serves it loads this module. */
export function pluginInspector({ parts, ...options }: PluginInspectorOptions): Inspector {
  const inspected = () => {
    const currentParts = parts()
    return currentParts && inspectedPlugin(currentParts)
  }
  return new Inspector({ ...options, inspected })
}

/** The plugin as the inspector sees it. */
function inspectedPlugin({ wiring, manager, registered, mode }: InspectedParts): InspectableProgram {
  const { ctx, virtual, host } = wiring
  const { pluginName: name, vclusterName, targetNamespace, currentNamespace, labelMode, clock } = ctx
  const work = inspectedWork({ manager, clock, clusters: [virtual, host] })
  const { shardOf } = work
  const running = () => manager.controllers.running
  return {
    clock,
    facts: { name, mode, vclusterName, targetNamespace, currentNamespace, labelMode },
    views: [
      syncersView({ ctx, running, shardOf }),
      controllersView({ running, shardOf, program: 'plugin' }),
      hooksView(registered),
    ],
    isRunning: () => manager.isRunning,
    work,
  }
}
