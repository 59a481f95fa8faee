/**
 * `vcluster-plugin upgrade`: says what changed in the templates since a project was written, and takes it over if
 * asked.
 */
import { readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { makeFolder } from '../machine/make-folder.js'
import { writeNamed } from '../machine/write-named.js'
import type { FileContent } from './chart/chart-content.js'
import { compareTemplates, type TemplateChange } from './compare-templates.js'
import { newProject } from './new-project.js'
import type { Terminal } from './programs/ask.js'
import { parseRecord, recordFile, type TemplateRecord } from './template-record.js'

/** Arguments of `upgrade`. */
export interface UpgradeArguments {
  /** The project's folder. */
  folder: string
  /** Write the changes; conflicting files go to `FILE.new`. */
  write: boolean
  /** npm spec of the SDK; default the source of this command. */
  sdk?: string | undefined
}

/** The words for each kind of change. */
const texts: Record<TemplateChange['change'], string> = {
  changed: 'the templates changed it, you did not',
  added: 'a new file of the templates',
  conflict: 'you and the templates changed it',
  dropped: 'the templates no longer have it',
}

/**
 * Compares a project with today's templates. Throws `PluginError` `NO_PLUGIN` if the folder has no record of its
 * templates, and the errors of `create` for its arguments.
 */
export async function runUpgrade(
  { folder, write, sdk }: UpgradeArguments,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<void> {
  const record = await readRecord(folder)
  const { name, ...create } = await inFolder(folder, record.create)
  const { templates, files, version } = await newProject(
    name,
    { ...create, folder, sdk },
    // Nothing is asked: the record has the answers.
    { ...terminal, input: new PassThrough() },
  )
  const paths = [...Object.keys(record.files), ...Object.keys(templates)]
  const changes = compareTemplates(record.files, templates, await readAll(folder, paths))
  const print = (text: string) => void terminal.output.write(`${text}\n`)
  if (changes.length === 0) print(`the templates of ${version} have no changes for this project`)
  else print(`templates of ${record.sdk}, now ${version}:`)
  for (const { path, change } of changes) print(`  ${change.padEnd(8)}  ${path}: ${texts[change]}`)
  if (!write) {
    if (changes.length > 0) print('\nvcluster-plugin upgrade --write takes this over')
    return
  }
  for (const { path, change } of changes) {
    const content = templates[path]
    if (content !== undefined) await takeOver(folder, { path, change, content }, print)
  }
  await writeInto(folder, recordFile, files[recordFile] ?? '')
}

/** A change with the new text of the templates. */
interface ChangedFile extends TemplateChange {
  readonly content: FileContent
}

/** Writes a file of the templates; next to the project's own, if both have changed it. */
async function takeOver(
  folder: string,
  { path, change, content }: ChangedFile,
  print: (text: string) => void,
): Promise<void> {
  const into = change === 'conflict' ? `${path}.new` : path
  await writeInto(folder, into, content)
  if (change === 'conflict') print(`compare ${path} with ${into}, then delete that file`)
}

/** Reads the record that `create` wrote. Throws `NO_PLUGIN` without a valid one. */
async function readRecord(folder: string): Promise<TemplateRecord> {
  const text = await readFile(join(folder, recordFile), 'utf8').catch(() => '')
  const record = parseRecord(text)
  if (record) return record
  const problem = text === '' ? 'has no' : 'has an invalid'
  const message = `${folder} ${problem} ${recordFile}, which create writes; create a new project, and compare the two`
  throw new PluginError('NO_PLUGIN', message)
}

/** The recorded arguments with paths that are valid here: the record has paths relative to the project. */
async function inFolder(
  folder: string,
  { chart, kind, ...create }: TemplateRecord['create'],
): Promise<TemplateRecord['create']> {
  const definition = kind?.includes('/') ? join(folder, kind) : undefined
  const isFile = definition !== undefined && (await stat(definition).catch(() => undefined))?.isFile()
  return {
    ...create,
    ...(kind !== undefined && { kind: isFile ? definition : kind }),
    ...(chart !== undefined && { chart: join(folder, chart) }),
  }
}

/** The contents of those of these files that exist, by path. */
async function readAll(folder: string, paths: readonly string[]): Promise<Map<string, FileContent>> {
  const contents = new Map<string, FileContent>()
  for (const path of new Set(paths)) {
    const content = await readFile(join(folder, path)).catch(() => undefined)
    if (content !== undefined) contents.set(path, content)
  }
  return contents
}

async function writeInto(folder: string, path: string, content: FileContent): Promise<void> {
  const full = join(folder, path)
  await makeFolder(dirname(full))
  await writeNamed(full, content)
}
