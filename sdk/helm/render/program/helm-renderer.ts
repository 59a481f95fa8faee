import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { PluginError } from '../../../engine/kube/error.js'
import { stringifyJson } from '../../../engine/kube/json.js'
import { checkOptions, type OptionTypes } from '../../../engine/manager/check-options.js'
import { isFunctionChart } from '../../chart/function-chart.js'
import { renderFunctionChart } from '../code/render-function-chart.js'
import { recordedChart } from '../recorded-chart.js'
import { RenderError } from '../render-error.js'
import type { ChartRenderer, RenderedChart, RenderRequest } from '../renderer.js'
import { templateProblem } from '../template-problem.js'
import { isValuesProblem, valuesProblem } from '../values-problem.js'
import { ChartArchives } from './chart-archives.js'
import { type HelmProgram, helmProgram, isNewEnough } from './find-helm.js'
import { type HelmCommand, HelmFailure, type HelmOutput, runHelm } from './run-helm.js'
import { splitOutput } from './split-output.js'

/** Options of {@link helmRenderer}. */
export interface HelmRendererOptions {
  /** The program; default the one that `HELM_BIN` names, else the first `helm` of `PATH`. */
  readonly bin?: string
  /** The environment; default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** How long a rendering may take, in milliseconds; default 30,000. */
  readonly timeoutMs?: number
}

const optionTypes: OptionTypes<HelmRendererOptions> = { bin: 'any', env: 'object', timeoutMs: 'any' }

/**
 * A renderer that runs `helm template` of a helm program from 3.13 on. It has no notes, `lookup` finds nothing, the
 * release's revision is always 1, and random text differs each time. Charts are packed into the folder for temporary
 * files. Rejects with `PluginError` `NO_RENDERER` without such a program.
 *
 * @example
 * ```ts
 * const renderer = await helmRenderer({ bin: '/usr/local/bin/helm' })
 * console.log(renderer.name) // helm 4.1.4
 * ```
 */
export async function helmRenderer(options: HelmRendererOptions = {}): Promise<ChartRenderer> {
  checkOptions('helmRenderer', options, optionTypes)
  const { timeoutMs = 30_000 } = options
  const program = await findProgram(options)
  return new HelmProgramRenderer(program, timeoutMs, await makeHome())
}

/** Makes the only folder that is written to, for archives of charts; `helm template` itself writes nothing. */
async function makeHome(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'helm-')).catch((cause: Error) => {
    const message =
      `charts cannot be rendered: no folder can be made in ${tmpdir()}, which charts are packed into for helm: ${cause.message}; ` +
      'mount a volume there, as `vcluster-plugin manifest` prints it, or set TMPDIR'
    throw new PluginError('NO_RENDERER', message, { cause })
  })
}

async function findProgram({ bin, env = process.env }: HelmRendererOptions): Promise<HelmProgram> {
  const configuredPath = bin ?? env.HELM_BIN
  const paths = configuredPath
    ? [configuredPath]
    : (env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'helm'))
  for (const path of paths) {
    const program = await helmProgram(path)
    if (program && isNewEnough(program)) return program
    if (program) throw noProgramError(`${path} is helm ${program.version}, but 3.13 or later is needed`)
  }
  throw noProgramError(
    configuredPath ? `${configuredPath} is not a helm program` : 'no folder of PATH has a helm program',
  )
}

const noProgramError = (problem: string) =>
  new PluginError('NO_RENDERER', `charts cannot be rendered: ${problem}; install helm, or set HELM_BIN`)

class HelmProgramRenderer implements ChartRenderer {
  readonly name: string
  readonly repeatsRandom = false
  readonly mayReuse = true
  readonly writesTemporaryFiles = true
  readonly #program: HelmProgram
  readonly #timeoutMs: number
  readonly #home: string
  readonly #archives: ChartArchives

  constructor(program: HelmProgram, timeoutMs: number, home: string) {
    this.name = `helm ${program.version}`
    this.#program = program
    this.#timeoutMs = timeoutMs
    this.#home = home
    this.#archives = new ChartArchives(home)
  }

  async render(request: RenderRequest, signal: AbortSignal): Promise<RenderedChart> {
    const { chart } = request
    if (isFunctionChart(chart)) return renderFunctionChart(chart, request)
    signal.throwIfAborted()
    const input = stringifyJson(request.values)
    const output = await this.#archives.use(chart, (archive) =>
      this.#run({ args: templateArgs(request, archive), input, signal }),
    )
    const leftOut = leftOutIn(output.stderr)
    return {
      ...(await splitOutput(output.stdout)),
      ...(leftOut.length > 0 && { leftOut }),
      notes: '',
      chart: recordedChart(chart),
    }
  }

  async close(): Promise<void> {
    await rm(this.#home, { recursive: true, force: true })
  }

  async #run(call: Pick<HelmCommand, 'args' | 'input' | 'signal'>): Promise<HelmOutput> {
    const { path } = this.#program
    try {
      return await runHelm({ ...call, path, home: this.#home, timeoutMs: this.#timeoutMs })
    } catch (error) {
      if (error instanceof HelmFailure) throw renderError(error)
      throw error
    }
  }
}

function templateArgs({ release, capabilities, skipCrds }: RenderRequest, archive: string): string[] {
  const { name, namespace, isInstall } = release
  const { kubeVersion, apiVersions } = capabilities
  return [
    ...['template', name, archive, '--namespace', namespace, '--values', '-'],
    ...(skipCrds ? [] : ['--include-crds']),
    ...['--kube-version', kubeVersion, ...(isInstall ? [] : ['--is-upgrade'])],
    ...(apiVersions.length > 0 ? ['--api-versions', apiVersions.join(',')] : []),
  ]
}

/** Names the hooks that helm leaves out. It prints only their events, and Helm 4 in another form than Helm 3. */
function leftOutIn(stderr: string): string[] {
  const matches = stderr.matchAll(/skipping unknown hooks?(?:: |" hookTypes=)("(?:[^"\\]|\\.)*"|\S+)/g)
  return [...matches].map(([, events]) => `a hook (${events?.replace(/^"|"$/g, '')})`)
}

function renderError({ message, wasEnded }: HelmFailure): RenderError {
  if (wasEnded) return new RenderError('RenderError', `the chart cannot be rendered: ${message}`)
  const problem = message
    .split('\n')
    .filter((line) => !/^(?:level=|Use --debug )/.test(line))
    .join('\n')
    .replace(/^Error: /, '')
    .trim()
  return new RenderError(
    isValuesProblem(problem) ? 'InvalidValues' : 'RenderError',
    valuesProblem(templateProblem(problem)),
  )
}
