import { isJsonObject } from '../../../engine/kube/json-object.js'
import { isFunctionChart } from '../../chart/function-chart.js'
import { lenientChart } from '../../chart/lenient-chart.js'
import { RenderError } from '../../render/render-error.js'
import type { ChartRenderer, RenderedChart, RenderRequest } from '../../render/renderer.js'
import type { ReleaseRun } from './release-run.js'

/** The longest failed rendering that is repeated to find Secrets, in milliseconds. */
const maxRepeatMs = 5_000

/** Options of {@link noteFailedSecrets}. */
export interface FailedRendering {
  readonly renderer: ChartRenderer
  readonly request: RenderRequest
  readonly error: unknown
  /** How long it took to fail, in milliseconds. */
  readonly tookMs: number
  /** Notes the values of Secrets of a chart. */
  readonly note: (chart: RenderedChart) => Promise<void>
}

/**
 * Notes the values of Secrets of a chart whose rendering failed: the error may quote them, and no revision has them
 * yet. The values are those of a lenient rendering, which ignores errors, and the values of the user and of the chart
 * whose names indicate secrets. If the lenient rendering fails, too, all values of the user are treated as secret.
 */
export async function noteFailedSecrets(run: ReleaseRun, failed: FailedRendering): Promise<void> {
  const { renderer, request, error, tookMs, note } = failed
  if (!(error instanceof RenderError)) return
  const { chart, values } = request
  for (const text of secretValues([values, chart.values])) run.secretTexts.noteText(text)
  if (isFunctionChart(chart) || tookMs > maxRepeatMs) return
  try {
    // The error may be about a file in `crds/`.
    const lenient = { ...request, chart: lenientChart(chart), skipCrds: true }
    await note(await renderer.render(lenient, run.ctx.signal))
  } catch (problem) {
    run.ctx.signal.throwIfAborted()
    // It is not known which values the chart puts into Secrets.
    for (const text of secretValues(values, true)) run.secretTexts.noteText(text)
    const name = problem instanceof Error ? problem.name : 'no error'
    run.ctx.logger.debug({ problem: name }, 'the Secrets of a chart that cannot be rendered are not known')
  }
}

/** Names of members whose values are probably secret. */
const secretName =
  /pass|pwd|secret|token|credential|creds|private|auth|bearer|cookie|session|signature|salt|seed|dsn|license|webhook|.key$|.pin$/i

/** The texts and numbers below members whose names indicate secrets. */
function secretValues(value: unknown, isSecret = false): string[] {
  if (Array.isArray(value)) return value.flatMap((member) => secretValues(member, isSecret))
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      secretValues(member, isSecret || secretName.test(name)),
    )
  return isSecret && ['string', 'number', 'bigint'].includes(typeof value) ? [String(value)] : []
}
