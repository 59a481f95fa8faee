import type { KubeObject } from '../../../engine/kube/object.js'
import { coalesceValues } from '../../chart/coalesce.js'
import type { FunctionChart } from '../../chart/function-chart.js'
import { hookOf, isHook, leftOutName } from '../hook-of.js'
import { inInstallOrder } from '../install-order.js'
import { recordedChart } from '../recorded-chart.js'
import type { ReleaseHook } from '../release-hook.js'
import { RenderError } from '../render-error.js'
import type { RenderedChart, RenderedObject, RenderRequest } from '../renderer.js'
import { yamlOf } from './yaml-of.js'

/** Renders a chart in code. Rejects with `RenderError` if its function throws. */
export async function renderFunctionChart(
  chart: FunctionChart,
  request: RenderRequest,
): Promise<RenderedChart> {
  const source = `${chart.metadata.name}/templates/objects.yaml`
  const allObjects = (await callObjects(chart, request)).map((object) => ({ source, object }))
  const objects = inInstallOrder(allObjects.filter(({ object }) => !isHook(object)))
  const asHooks = allObjects.filter(({ object }) => isHook(object))
  const hooks = await Promise.all(asHooks.map(recordedHook))
  const leftOut = asHooks.filter((_, index) => !hooks[index]).map((one) => leftOutName(one.object, source))
  const documents = await Promise.all(
    objects.map(async ({ object }) => documentOf(source, await yamlOf(object))),
  )
  return {
    manifest: documents.join(''),
    objects,
    hooks: hooks.filter((hook) => hook !== undefined),
    ...(leftOut.length > 0 && { leftOut }),
    crds: [],
    notes: '',
    chart: recordedChart(chart),
  }
}

const documentOf = (source: string, text: string) => `---\n# Source: ${source}\n${text}\n`

async function callObjects(
  chart: FunctionChart,
  { values, release }: RenderRequest,
): Promise<readonly KubeObject[]> {
  try {
    return await chart.objects(coalesceValues(values, chart.values), release)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const kind = error instanceof RenderError ? error.reason : 'RenderError'
    throw new RenderError(kind, `the chart ${chart.metadata.name} failed: ${reason}`, {
      cause: error,
    })
  }
}

async function recordedHook({ source, object }: RenderedObject): Promise<ReleaseHook | undefined> {
  return hookOf(object, source, await yamlOf(object))
}
