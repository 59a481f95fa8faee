import type { InspectorView } from '../../engine/inspector/inspector-view.js'
import { sums } from '../../engine/inspector/samples.js'
import type { CallRecorder } from './call-recorder.js'

/** Shows the methods that a plugin serves, and their latest calls. */
export function methodsView(calls: CallRecorder): InspectorView {
  return {
    overview: async ({ samples }) => {
      const counted = await samples('cnpg_plugin_calls_total')
      const methods = [...calls.methods].map(([name, { windows, errors, refused }]) => ({
        name,
        calls: sums(counted, { method: name }, 'code'),
        refused,
        took: { p50Ms: windows.quantileMs(0.5), p99Ms: windows.quantileMs(0.99) },
        errors: errors.all,
      }))
      return { methods, calls: calls.recent }
    },
  }
}
