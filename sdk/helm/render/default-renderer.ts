import type { Environment } from '../../engine/kube/environment.js'
import { PluginError } from '../../engine/kube/error.js'
import { isFunctionChart } from '../chart/function-chart.js'
import { renderFunctionChart } from './code/render-function-chart.js'
import { engineRenderer } from './engine/engine-renderer.js'
import { findEngine } from './engine/find-engine.js'
import { noRendererError } from './no-renderer.js'
import { helmRenderer } from './program/helm-renderer.js'
import type { Chart, ChartRenderer } from './renderer.js'

/**
 * Makes the renderer for charts if the program names none: Helm's template engine, or else a helm program. Charts in
 * code need neither. Without a list, charts with templates are expected. Rejects with `PluginError` `NO_RENDERER` if
 * there is neither.
 *
 * @example
 * ```ts
 * const chart = await loadChart('charts/memcached')
 * const renderer = await defaultRenderer([chart])
 * console.log(renderer.name) // the template engine of Helm
 * await renderer.close()
 * ```
 */
export async function defaultRenderer(
  charts?: readonly Chart[],
  env: Environment = process.env,
): Promise<ChartRenderer> {
  if (charts?.every(isFunctionChart)) return codeRenderer
  const engine = await findEngine(env)
  if (engine) return engineRenderer({ engine })
  try {
    return await helmRenderer({ env })
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    throw noRendererError({ cause: error })
  }
}

const codeRenderer: ChartRenderer = {
  name: 'code',
  async render(request) {
    if (isFunctionChart(request.chart)) return renderFunctionChart(request.chart, request)
    throw noRendererError()
  },
  close: async () => {},
}
