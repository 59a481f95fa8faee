import { stringifyJson } from '../../../engine/kube/json.js'
import { checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import type { FileChart } from '../../chart/chart.js'
import { isFunctionChart } from '../../chart/function-chart.js'
import { renderFunctionChart } from '../code/render-function-chart.js'
import { crdsFilesOf } from '../crds-files.js'
import { noRendererError } from '../no-renderer.js'
import { RenderError, UnservedLookupError } from '../render-error.js'
import type { ChartRenderer, RenderedChart, RenderRequest } from '../renderer.js'
import { templateProblem } from '../template-problem.js'
import { valuesProblem } from '../values-problem.js'
import { chartBytes } from './chart-bytes.js'
import type { EngineAnswer, EngineRequest } from './engine-messages.js'
import { findEngine } from './find-engine.js'
import { LookupAnswers, maxLookupRounds } from './lookup-answers.js'
import { mayBeRandom } from './random-functions.js'
import { renderedChart, type UnpackedAnswer, unpackAnswer } from './read-answer.js'
import { openEngine, type SharedEngine } from './shared-engine.js'

/** Options of {@link engineRenderer}. */
export interface EngineRendererOptions {
  /**
   * The file of the engine, `.wasm` or `.wasm.br`; default the one that `HELM_ENGINE` names, else that of the package.
   */
  readonly engine?: string
  /** How long a rendering may take, in milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** The memory limit of templates, in MiB; default 512. */
  readonly memoryMiB?: number
}

const optionTypes: OptionTypes<EngineRendererOptions> = { engine: 'any', timeoutMs: 'any', memoryMiB: 'any' }

/**
 * A renderer with Helm's own template engine as WebAssembly. Templates reach no file, no network and no environment,
 * and a request with a seed gives equal random text each time. Rejects with `PluginError` `NO_RENDERER` if there is no
 * engine, and if the file is not the engine.
 *
 * @example
 * ```ts
 * const renderer = await engineRenderer({ timeoutMs: 5_000 })
 * console.log(renderer.name) // the template engine of Helm
 * await renderer.close()
 * ```
 */
export async function engineRenderer(options: EngineRendererOptions = {}): Promise<ChartRenderer> {
  checkOptions('engineRenderer', options, optionTypes)
  const { engine, timeoutMs = 30_000, memoryMiB = 512 } = options
  const file = engine ?? (await findEngine(process.env))
  if (file === undefined) throw noRendererError()
  return new EngineRenderer(await openEngine(file, memoryMiB), timeoutMs)
}

class EngineRenderer implements ChartRenderer {
  readonly name = 'the template engine of Helm'
  readonly mayReuse = true
  readonly #engine: SharedEngine
  readonly #timeoutMs: number

  constructor(engine: SharedEngine, timeoutMs: number) {
    this.#engine = engine
    this.#timeoutMs = timeoutMs
  }

  async render(request: RenderRequest, signal: AbortSignal): Promise<RenderedChart> {
    const { chart } = request
    if (isFunctionChart(chart)) return renderFunctionChart(chart, request)
    const answer = await this.#answer(chart, request, signal)
    if (answer.head.error !== undefined) throw renderError(answer.head)
    return renderedChart(answer, chart, request.skipCrds)
  }

  close(): Promise<void> {
    return this.#engine.close()
  }

  /**
   * Renders a chart with its variants, each of which costs as much as the chart itself. If this exceeds a limit, the
   * chart is rendered alone, because variants can be rendered when they are needed.
   */
  async #answer(chart: FileChart, request: RenderRequest, signal: AbortSignal): Promise<UnpackedAnswer> {
    const { variants = [], ...alone } = request
    if (variants.length === 0) return this.#rounds(chart, request, signal)
    return this.#rounds(chart, request, signal).catch((error: unknown) => {
      if (!(error instanceof RenderError) || error instanceof UnservedLookupError) throw error
      return this.#rounds(chart, alone, signal)
    })
  }

  /** Renders until every lookup is answered. */
  async #rounds(chart: FileChart, request: RenderRequest, signal: AbortSignal): Promise<UnpackedAnswer> {
    const { bytes: files } = chartBytes(chart)
    const { tenant = request.release.namespace } = request
    const lookups = new LookupAnswers(request.lookup, signal)
    const limits = { tenant, signal, timeoutMs: this.#timeoutMs, answerLookup: lookups.answer }
    for (let round = 0; ; round++) {
      const isLastRound = round === maxLookupRounds
      const head = stringifyJson(engineRequest(chart, request, { lookups: lookups.known, isLastRound }))
      const wanted = { head, files, ...repeatOf(chart, request), answersLookups: !isLastRound }
      const answer = unpackAnswer(await this.#engine.pool.run({ ...limits, request: wanted }))
      const asked = answer.head.asked ?? []
      if (asked.length === 0 || isLastRound) return answer
      await lookups.find(asked)
    }
  }
}

/** The seeds of a rendering; none for a chart that cannot be random. */
function repeatOf(chart: FileChart, { values, repeat, variants }: RenderRequest) {
  return repeat && mayBeRandom(chart, values) ? { repeat, variants } : {}
}

function engineRequest(
  chart: FileChart,
  request: RenderRequest,
  round: Pick<EngineRequest, 'lookups' | 'isLastRound'>,
): EngineRequest {
  const { values, release, capabilities, skipCrds = false } = request
  const { variants = [] } = repeatOf(chart, request)
  const { files, definitions } = chartBytes(chart)
  const { name, namespace, revision, isInstall } = release
  return {
    files,
    values: stringifyJson(values),
    release: { name, namespace, revision, isInstall },
    ...capabilities,
    ...round,
    // The engine does not read the files that are named here.
    knownCRDs: skipCrds ? crdsFilesOf(chart) : [...definitions.keys()],
    variants: variants.map(() => ({})),
  }
}

function renderError({ error = '', stage }: EngineAnswer): RenderError {
  return new RenderError(
    stage === 'values' ? 'InvalidValues' : 'RenderError',
    valuesProblem(templateProblem(error.trim())),
  )
}
