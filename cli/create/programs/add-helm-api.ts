/** Adds a kind with releases of a chart to the project of an operator. Nothing is written if any of its files exists. */
import { access, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { makeFolder } from '../../machine/make-folder.js'
import { UsageError } from '../../terminal/usage-error.js'
import type { HelmApi } from '../chart/chart-content.js'
import { helmApi } from '../chart/helm-api.js'
import { apiFiles, sampleFile, watchEntry } from '../templates/helm/api-files.js'
import { checkWithoutVCluster } from './check-without-vcluster.js'
import type { CreateArguments } from './program-kind.js'

/**
 * Writes the files of a new kind, and adds it to `watches.yaml` and `samples.yaml`. Returns what to tell the user. Rejects with
 * `UsageError`, or with `PluginError` `INVALID_CHART`, `INVALID_WATCHES` or `FOLDER_NOT_EMPTY`.
 */
export async function addHelmApi(args: CreateArguments): Promise<string> {
  checkWithoutVCluster(args)
  const { folder, chart, name } = args
  if (chart === undefined && args.api === undefined)
    throw new UsageError(`${folder} is a program: name what to add to it with --chart, --api, or both`)
  const api = await helmApi({ name: name ?? kindName(args.api), chart, api: args.api })
  const files = apiFiles(api)
  const watches = await withEntry(join(folder, 'watches.yaml'), api)
  await checkAbsent(folder, Object.keys(files))
  for (const [path, content] of Object.entries(files)) {
    await makeFolder(dirname(join(folder, path)))
    await writeFile(join(folder, path), content, { flag: 'wx' })
  }
  await writeFile(join(folder, 'watches.yaml'), watches)
  await addSample(join(folder, 'samples.yaml'), api)
  return told(api, Object.keys(files), await registersWatches(folder))
}

const kindName = (api = '') => (api.split('/')[2] ?? 'chart').toLowerCase()

const textOf = (path: string) =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

/** The text of `watches.yaml` with one more entry; comments stay. */
async function withEntry(path: string, api: HelmApi): Promise<string> {
  const text = await textOf(path)
  const { parse } = await import('yaml')
  const entries: unknown = text.trim() === '' ? [] : parse(text)
  if (!(entries === null || Array.isArray(entries)) || /^\s*\[/m.test(text))
    throw new PluginError('INVALID_WATCHES', `${path} is not a list with one "- " for each entry`)
  if ((entries ?? []).some((entry: unknown) => isSame(entry, api)))
    throw new UsageError(
      `${path} has ${api.kind} of the group ${api.group} already; choose another kind with --api`,
    )
  return `${ended(text)}${watchEntry(api)}`
}

function isSame(entry: unknown, api: HelmApi): boolean {
  const { group, kind } = Object(entry)
  return group === api.group && kind === api.kind
}

const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

async function checkAbsent(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const exists = await access(join(folder, path)).then(
      () => true,
      () => false,
    )
    if (exists)
      throw new PluginError(
        'FOLDER_NOT_EMPTY',
        `${join(folder, path)} exists; nothing was written: remove it, or choose another chart or kind`,
      )
  }
}

async function addSample(path: string, api: HelmApi): Promise<void> {
  const text = await textOf(path)
  // Not the name of the first sample: a namespace has one release of a name.
  const added = `${ended(text)}---\n${sampleFile(api, `${api.kind.toLowerCase()}-sample`)}`
  await writeFile(path, text.trim() === '' ? sampleFile(api) : added)
}

async function registersWatches(folder: string): Promise<boolean> {
  return (await textOf(join(folder, 'src/register.ts'))).includes('loadWatches')
}

function told({ kind }: HelmApi, paths: readonly string[], isRegistered: boolean): string {
  const list = [...paths, 'watches.yaml', 'samples.yaml'].map((path) => `  ${path}`).join('\n')
  return `${list}\n\n${isRegistered ? `The program keeps a release for each ${kind}: npm test` : registerNote}\n`
}

const registerNote = `Register the kinds of watches.yaml in src/register.ts, make the function async, and write "await register(operator)"
in src/main.ts:

  import { helmReconciler, loadWatches } from 'vcluster-plugin-sdk/helm'

  for (const entry of await loadWatches(new URL('../watches.yaml', import.meta.url)))
    operator.register(helmReconciler(entry))

In the Dockerfile, write the bundle to /operator/dist/main.mjs and copy watches.yaml, charts and crds to /operator.`
