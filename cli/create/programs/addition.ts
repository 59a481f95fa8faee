import { access, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PluginError } from '../../../sdk/engine/kube/error.js'
import { makeFolder } from '../../machine/make-folder.js'
import { writeNamed } from '../../machine/write-named.js'
import { UsageError } from '../../terminal/usage-error.js'
import type { FileContent } from '../chart/chart-content.js'
import type { Api } from '../kind/parse-api.js'

/** What `create` adds to an existing project for another kind or chart. */
export interface Addition {
  /** New files, by path. None of them may exist. */
  readonly files: Readonly<Record<string, FileContent>>
  /** Files of the project with their new texts, by path. */
  readonly changed: Readonly<Record<string, string>>
}

/**
 * Writes an addition. Rejects with `PluginError` `FOLDER_NOT_EMPTY` before anything is written if one of its new files
 * exists.
 */
export async function writeAddition(folder: string, { files, changed }: Addition): Promise<void> {
  for (const path of Object.keys(files)) await checkAbsent(join(folder, path))
  for (const [path, content] of Object.entries(files)) {
    await makeFolder(dirname(join(folder, path)))
    await writeNamed(join(folder, path), content, { flag: 'wx' })
  }
  for (const [path, text] of Object.entries(changed)) await writeNamed(join(folder, path), text)
}

/** Throws `PluginError` `FOLDER_NOT_EMPTY` for a file that exists. */
async function checkAbsent(path: string): Promise<void> {
  const exists = await access(path).then(
    () => true,
    () => false,
  )
  if (!exists) return
  throw new PluginError(
    'FOLDER_NOT_EMPTY',
    `${path} exists; nothing was written. Move it away, or choose another kind with --api or another chart with --chart`,
  )
}

/** The text of a file; `''` if there is none. */
export const fileText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })

/** Ends a text with a line break, unless the text is empty. */
export const withFinalNewline = (text: string): string =>
  text === '' || text.endsWith('\n') ? text : `${text}\n`

/** `samples.yaml` with one more sample. */
export function withSample(text: string, sample: string): string {
  return text.trim() === '' ? sample : `${withFinalNewline(text)}---\n${sample}`
}

/**
 * The entries of `watches.yaml`, whose text is given. Throws `PluginError` `INVALID_WATCHES` for a text to which no
 * entry can be appended: it is not a list, or not in block style.
 */
export async function watchEntries(path: string, text: string): Promise<readonly unknown[]> {
  const { parse } = await import('yaml')
  const entries: unknown = text.trim() === '' ? [] : parse(text)
  if (!(entries === null || Array.isArray(entries)) || /^\s*\[/m.test(text))
    throw new PluginError('INVALID_WATCHES', `${path} is not a list with one "- " for each entry`)
  return entries ?? []
}

/** Throws `UsageError` if the program has the kind already: in `watches.yaml`, or in a source that names it. */
export async function checkNewKind(folder: string, api: Pick<Api, 'group' | 'kind'>): Promise<void> {
  const path = join(folder, 'watches.yaml')
  const entries = await watchEntries(path, await fileText(path))
  if (entries.some((entry) => isSame(entry, api))) throw kindExistsError(path, api)
  for (const name of await sourcesOf(folder)) {
    const text = await fileText(join(folder, 'src', name))
    const namesGroup = new RegExp(`\\bgroup: ['"]${api.group}['"]`).test(text)
    if (namesGroup && new RegExp(`\\bkind: ['"]${api.kind}['"]`).test(text))
      throw kindExistsError(join(folder, 'src', name), api)
  }
}

/** The names of the sources. Tests are left out, because they name kinds that they do not define. */
async function sourcesOf(folder: string): Promise<string[]> {
  const { readdir } = await import('node:fs/promises')
  const names = await readdir(join(folder, 'src')).catch((): string[] => [])
  return names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
}

/** Whether an entry of `watches.yaml` is for the kind. */
function isSame(entry: unknown, api: Pick<Api, 'group' | 'kind'>): boolean {
  const { group, kind } = Object(entry)
  return group === api.group && kind === api.kind
}

const kindExistsError = (path: string, { group, kind }: Pick<Api, 'group' | 'kind'>) =>
  new UsageError(`${path} has ${kind} of the group ${group} already; choose another kind with --api`)
