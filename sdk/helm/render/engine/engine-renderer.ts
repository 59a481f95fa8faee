import { parseJson, stringifyJson } from '../../../kube/json.js'
import type { FileChart } from '../../chart/chart.js'
import { isFunctionChart } from '../../chart/function-chart.js'
import { renderFunctionChart } from '../code/render-function-chart.js'
import { objectsOf } from '../manifest.js'
import { noRenderer } from '../no-renderer.js'
import { base64, recordedChart } from '../recorded-chart.js'
import type { ReleaseHook } from '../release-hook.js'
import { RenderError } from '../render-error.js'
import type { ChartRenderer, RenderedChart, RenderedObject, RenderRequest } from '../renderer.js'
import type { EngineAnswer, EngineRequest } from './engine-messages.js'
import { EngineWorker } from './engine-worker.js'
import { findEngine, readEngine } from './find-engine.js'
import { limitMemory } from './limit-memory.js'
import { type LookupAnswers, lookUp, maxLookupRounds } from './look-up.js'
import { mayBeRandom } from './random-functions.js'
import { webAssembly } from './web-assembly.js'

/** Options of {@link engineRenderer}. */
export interface EngineRendererOptions {
  /** The file of the engine, `.wasm` or `.wasm.br`; default the one that `HELM_ENGINE` names, else that of the package. */
  readonly engine?: string
  /** How long a rendering may take, in milliseconds; default 30,000. */
  readonly timeoutMs?: number
  /** The most memory that templates may use, in MiB; default 512. */
  readonly memoryMiB?: number
}

const pagesPerMiB = 16

/**
 * A renderer with Helm's own template engine as WebAssembly. Templates reach no file, no network and no environment, and a
 * request with a seed gives equal random text each time. Rejects with `PluginError` `NO_RENDERER` if there is no engine, and if
 * the file is not the engine.
 *
 * @example
 * ```ts
 * const renderer = await engineRenderer({ timeoutMs: 5_000 })
 * console.log(renderer.name) // the template engine of Helm
 * await renderer.close()
 * ```
 */
export async function engineRenderer(options: EngineRendererOptions = {}): Promise<ChartRenderer> {
  const { engine, timeoutMs = 30_000, memoryMiB = 512 } = options
  const file = engine ?? (await findEngine(process.env))
  if (file === undefined) throw noRenderer()
  const bytes = limitMemory(await readEngine(file), memoryMiB * pagesPerMiB)
  const module = await webAssembly.compile(bytes)
  const { threadFile } = await import('./engine-files.js')
  return new EngineRenderer(new EngineWorker({ module, threadFile, timeoutMs }))
}

class EngineRenderer implements ChartRenderer {
  readonly name = 'the template engine of Helm'
  readonly #worker: EngineWorker

  constructor(worker: EngineWorker) {
    this.#worker = worker
  }

  async render(request: RenderRequest, signal: AbortSignal): Promise<RenderedChart> {
    const { chart } = request
    if (isFunctionChart(chart)) return renderFunctionChart(chart, request)
    const answer = await this.#rounds(chart, request, signal)
    if (answer.error !== undefined) throw renderError(answer)
    return {
      manifest: answer.manifest,
      objects: await objectsOf(answer.manifest),
      hooks: (answer.hooks ?? []).map(newHook),
      ...(answer.leftOut && { leftOut: answer.leftOut }),
      crds: await definitionsOf(answer),
      notes: answer.notes,
      chart: answer.chart ?? recordedChart(chart),
    }
  }

  close(): Promise<void> {
    return this.#worker.close()
  }

  /** Renders until every lookup is answered. */
  async #rounds(chart: FileChart, request: RenderRequest, signal: AbortSignal): Promise<EngineAnswer> {
    const repeat = mayBeRandom(chart, request.values) ? request.repeat : undefined
    let lookups: LookupAnswers = {}
    for (let round = 0; ; round++) {
      const text = stringifyJson(engineRequest(chart, request, lookups))
      const answer = parseJson(await this.#worker.run({ text, repeat }, signal)) as EngineAnswer
      const asked = answer.asked ?? []
      if (asked.length === 0 || round === maxLookupRounds) return answer
      lookups = { ...lookups, ...(await lookUp(asked, request.lookup, signal)) }
    }
  }
}

/** The files as the engine gets them. */
const encodedFiles = new WeakMap<FileChart, EngineRequest['files']>()

function engineRequest(chart: FileChart, request: RenderRequest, lookups: LookupAnswers): EngineRequest {
  const { values, release, capabilities } = request
  const files = encodedFiles.get(chart) ?? chart.files.map(({ name, data }) => ({ name, data: base64(data) }))
  encodedFiles.set(chart, files)
  const { name, namespace, revision, isInstall } = release
  return {
    files,
    values: stringifyJson(values),
    release: { name, namespace, revision, isInstall },
    ...capabilities,
    lookups,
  }
}

/** The engine also writes an empty last run, and no weight for 0. */
function newHook({ last_run: _, ...hook }: ReleaseHook): ReleaseHook {
  return { ...hook, weight: hook.weight ?? 0 }
}

function renderError({ error = '', stage }: EngineAnswer): RenderError {
  return new RenderError(stage === 'values' ? 'InvalidValues' : 'RenderError', error.trim())
}

async function definitionsOf({ crds }: EngineAnswer): Promise<RenderedObject[]> {
  const found: RenderedObject[] = []
  for (const { name, data } of crds ?? []) {
    const objects = await objectsOf(data)
    found.push(...objects.map(({ object }) => ({ source: name, object })))
  }
  return found
}
