/**
 * Reads `watches.yaml`: which kinds have a release of which chart, with which options. All mistakes of a file are
 * reported at once, with their lines, before anything starts.
 */
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Environment } from '../../engine/kube/environment.js'
import { PluginError } from '../../engine/kube/error.js'
import { fileCure, readTextFile, whyUnreadable } from '../../engine/kube/read-text-file.js'
import { checkOptions, type OptionTypes } from '../../engine/manager/check-options.js'
import { explainRejection } from '../../engine/manager/explain-failure.js'
import { defaultRenderer } from '../render/default-renderer.js'
import type { ChartRenderer } from '../render/renderer.js'
import { EntryReader } from './entry-reader.js'
import { readEntry } from './read-entry.js'
import { ValueProblem } from './read-value.js'
import { renderText } from './render-text.js'
import type { WatchEntry } from './watch-entry.js'
import { WatchesText } from './watches-text.js'

/** Options of {@link loadWatches}. */
export interface LoadWatchesOptions {
  /** The environment that `${NAME}` in overrides refers to; default `process.env`. */
  readonly env?: Environment
  /** Whether a variable that is not set is an error; default false: it is empty. */
  readonly strictEnv?: boolean
  /** Renders overrides with `{{`; default the renderer that charts get. */
  readonly renderer?: ChartRenderer
}

const optionTypes: OptionTypes<LoadWatchesOptions> = { env: 'object', strictEnv: 'any', renderer: 'object' }

const maxBytes = 2 ** 20

/**
 * Loads a `watches.yaml` and the charts that it names, by paths from the folder of the file. Rejects with `PluginError`
 * `INVALID_WATCHES` that lists every mistake with file, line, column, entry and key.
 *
 * @example
 * ```ts
 * for (const { resource, chart } of await loadWatches(new URL('watches.yaml', import.meta.url))) {
 *   console.log(resource.kind, chart.metadata.version)
 * }
 * ```
 */
export async function loadWatches(
  fileOrUrl: string | URL,
  options: LoadWatchesOptions = {},
): Promise<WatchEntry[]> {
  checkOptions('loadWatches', options, optionTypes)
  return explainRejection(loadEntries(fileOrUrl, options))
}

async function loadEntries(fileOrUrl: string | URL, options: LoadWatchesOptions): Promise<WatchEntry[]> {
  const file = resolve(typeof fileOrUrl === 'string' ? fileOrUrl : fileURLToPath(fileOrUrl))
  const text = await readWatches(file)
  const content = text.content ?? []
  if (!Array.isArray(content))
    throw invalidError([text.describe({ path: [], message: 'the file is not a list of entries' })])
  if (content.length === 0) process.emitWarning(`${file} has no entries, so there is nothing to watch`)
  const templates = new Templates(options)
  try {
    return await readEntries(content, { file, text, templates, options })
  } finally {
    await templates.close()
  }
}

async function readWatches(file: string): Promise<WatchesText> {
  try {
    return await WatchesText.read(file, await readTextFile(file, { maxBytes }))
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidError([`${file}: ${error.message}`])
    const why = whyUnreadable(error)
    throw invalidError([
      why === 'ENOENT'
        ? `${file} does not exist; ${fileCure}`
        : `${file} cannot be read: ${why}; ${fileCure}`,
    ])
  }
}

interface LoadedFile {
  readonly file: string
  readonly text: WatchesText
  readonly templates: Templates
  readonly options: LoadWatchesOptions
}

async function readEntries(
  content: readonly unknown[],
  { file, text, templates, options }: LoadedFile,
): Promise<WatchEntry[]> {
  const { env = process.env, strictEnv = false } = options
  const shared = {
    env,
    strictEnv,
    folder: dirname(file),
    renderText: (value: string) => templates.render(value),
  }
  const readers = content.map((entry, index) => new EntryReader(index, entry))
  const entries = await Promise.all(readers.map((reader) => readEntry(reader, shared)))
  checkKinds(content, readers)
  const messages = readers.flatMap(({ problems }) => problems.map((problem) => text.describe(problem)))
  const problems = [...text.problems, ...messages]
  if (problems.length > 0) throw invalidError(problems)
  return entries.filter((entry) => entry !== undefined)
}

/** Reports a kind that several entries name: a custom resource has one release, whatever its version. */
function checkKinds(content: readonly unknown[], readers: readonly EntryReader[]): void {
  const first = new Map<string, number>()
  for (const [index, entry] of content.entries()) {
    const { group = '', kind } = (entry ?? {}) as { group?: unknown; kind?: unknown }
    if (typeof kind !== 'string' || kind === '') continue
    const other = first.get(`${kind}.${group}`)
    if (other === undefined) first.set(`${kind}.${group}`, index)
    else readers[index]?.add(['kind'], `entry ${other + 1} is about ${kind} of the group "${group}" as well`)
  }
}

/** Renders templates in values; the renderer is started with the first one. */
class Templates {
  readonly #options: LoadWatchesOptions
  #started: Promise<ChartRenderer> | undefined

  constructor(options: LoadWatchesOptions) {
    this.#options = options
  }

  async render(text: string): Promise<string> {
    const { renderer, env = process.env } = this.#options
    this.#started ??= renderer ? Promise.resolve(renderer) : startRenderer(env)
    return renderText(await this.#started, text)
  }

  async close(): Promise<void> {
    if (this.#options.renderer) return
    const started = await this.#started?.catch(() => undefined)
    await started?.close()
  }
}

async function startRenderer(env: Environment): Promise<ChartRenderer> {
  try {
    return await defaultRenderer(undefined, env)
  } catch (error) {
    if (!(error instanceof PluginError)) throw error
    throw new ValueProblem(`the template "{{" cannot be rendered: ${error.message}`, { cause: error })
  }
}

/** The error about problems that name the file; several have a line each. */
function invalidError(problems: readonly string[]): PluginError {
  const [problem = '', ...others] = problems
  const message = others.length === 0 ? problem : `watches.yaml cannot be used:\n${problems.join('\n')}`
  return new PluginError('INVALID_WATCHES', message)
}
