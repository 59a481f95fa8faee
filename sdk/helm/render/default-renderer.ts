import { PluginError } from '../../kube/error.js'
import { isFunctionChart } from '../chart/function-chart.js'
import { renderFunctionChart } from './code/render-function-chart.js'
import { engineRenderer } from './engine/engine-renderer.js'
import { type Environment, findEngine } from './engine/find-engine.js'
import { helmRenderer } from './program/helm-renderer.js'
import type { Chart, ChartRenderer } from './renderer.js'

/**
 * The renderer for charts if the program names none: Helm's template engine, else a helm program; nothing is needed if all
 * charts are in code; without a list of charts, templates are expected. Rejects with `PluginError` `NO_RENDERER` without either.
 */
export async function defaultRenderer(
  charts: readonly Chart[] | undefined,
  env: Environment,
): Promise<ChartRenderer> {
  if (charts?.every(isFunctionChart)) return codeRenderer
  const engine = findEngine(env)
  if (engine) return engineRenderer({ engine })
  try {
    return await helmRenderer({ env })
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    throw new PluginError('NO_RENDERER', missing, { cause: error })
  }
}

const missing =
  'charts cannot be rendered: there is neither the template engine of Helm nor a helm program. In a clone of the SDK, ' +
  'build the engine with `export HELM_ENGINE=$(npm run --silent helm-engine)`; elsewhere install helm 3.13 or later and ' +
  'set HELM_BIN, or use functionChart'

const codeRenderer: ChartRenderer = {
  name: 'code',
  async render(request) {
    if (isFunctionChart(request.chart)) return renderFunctionChart(request.chart, request)
    throw new PluginError('NO_RENDERER', missing)
  },
  close: async () => {},
}
