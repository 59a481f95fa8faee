/**
 * Adds a kind with releases of a chart to the project of an operator. Nothing is written if any of its files exists.
 */
import { join } from 'node:path'
import { UsageError } from '../../terminal/usage-error.js'
import { helmApi } from '../chart/helm-api.js'
import { withChartFiles } from '../edits/project-files.js'
import { type Registration, withAwait, withRegistration } from '../edits/register-file.js'
import { apiFiles, sampleFile, watchEntry } from '../templates/helm/api-files.js'
import {
  checkNewKind,
  fileText,
  watchEntries,
  withFinalNewline,
  withSample,
  writeAddition,
} from './addition.js'
import { checkWithoutVCluster } from './check-without-vcluster.js'
import type { CreateArguments } from './program-kind.js'

/**
 * Writes the files of a new kind, adds it to `watches.yaml` and `samples.yaml`, and lets the program register it.
 * Returns what to tell the user. Rejects with `UsageError`, or with `PluginError` `INVALID_CHART`, `INVALID_WATCHES` or
 * `FOLDER_NOT_EMPTY`.
 */
export async function addHelmApi(args: CreateArguments): Promise<string> {
  checkWithoutVCluster(args)
  const { folder, chart, name } = args
  if (chart === undefined && args.api === undefined)
    throw new UsageError(`${folder} is a program: name what to add to it with --chart, --api, or both`)
  const api = await helmApi({ ...args, name: name ?? chartNameOf(args.api) })
  await checkNewKind(folder, api)
  const files = apiFiles(api)
  const { edited, manualSteps } = await withRegisteredKinds(folder)
  const changed = {
    'watches.yaml': `${await watchesIn(folder)}${watchEntry(api)}`,
    // Not the name of the first sample: a namespace has one release of a name.
    'samples.yaml': await samplesWith(folder, (name) => sampleFile(api, name), api.kind),
    ...edited,
  }
  await writeAddition(folder, { files, changed })
  const list = [...Object.keys(files), ...Object.keys(changed)].map((path) => `  ${path}`).join('\n')
  const notes =
    manualSteps.length > 0 ? manualSteps : [`The program keeps a release for each ${api.kind}: npm test`]
  return `${[list, ...(api.origin ? [`charts/${api.chart} is ${api.origin}`] : []), ...notes].join('\n\n')}\n`
}

/** The kind of `GROUP/VERSION/KIND` in lower case, as the name of a chart that the template makes. */
const chartNameOf = (api = '') => (api.split('/')[2] ?? 'chart').toLowerCase()

/** The text of `watches.yaml`, to which an entry can be appended. */
async function watchesIn(folder: string): Promise<string> {
  const path = join(folder, 'watches.yaml')
  const text = await fileText(path)
  await watchEntries(path, text)
  return withFinalNewline(text)
}

/** The text of `samples.yaml` with a sample of the new kind. */
async function samplesWith(folder: string, sample: (name?: string) => string, kind: string): Promise<string> {
  const text = await fileText(join(folder, 'samples.yaml'))
  return withSample(text, text.trim() === '' ? sample() : sample(`${kind.toLowerCase()}-sample`))
}

/** The lines that register every kind of `watches.yaml`. */
const registration: Registration = {
  imports: [
    "import { type HelmControllerOptions, helmController, loadWatches } from 'vcluster-plugin-sdk/helm'",
  ],
  lines: (operator) => [
    "for (const entry of await loadWatches(new URL('../watches.yaml', import.meta.url)))",
    `  ${operator}.register(helmController({ ...entry, ...options }))`,
  ],
  needsOptions: true,
}

/** The files of a program without charts that have to change, and what to do by hand where that is not possible. */
async function withRegisteredKinds(
  folder: string,
): Promise<{ edited: Record<string, string>; manualSteps: readonly string[] }> {
  const text = await fileText(join(folder, 'src/register.ts'))
  if (text.includes('loadWatches')) return { edited: {}, manualSteps: [] }
  const register = withRegistration(text, registration)
  const main = register === undefined ? undefined : withAwait(await fileText(join(folder, 'src/main.ts')))
  const image = withChartFiles(await fileText(join(folder, 'Dockerfile')))
  const isRegistered = register !== undefined && main !== undefined
  return {
    edited: {
      ...(isRegistered && { 'src/register.ts': register, 'src/main.ts': main }),
      ...(image !== undefined && { Dockerfile: image }),
    },
    manualSteps: [...(isRegistered ? [] : [registerNote]), ...(image === undefined ? [imageNote] : [])],
  }
}

const registerNote = `Register the kinds of watches.yaml in src/register.ts, make the function async, and write "await register(operator)"
in src/main.ts:

  ${registration.imports.join('\n  ')}

  export async function register(
    operator: Operator,
    options: Pick<HelmControllerOptions, 'renderer'> = {},
  ): Promise<void> {
    ${registration.lines('operator').join('\n    ')}
  }`

const imageNote =
  'In the Dockerfile, write the bundle to /operator/dist/main.mjs and copy watches.yaml, charts and crds to /operator.'
