/**
 * `vcluster-plugin create`: asks for missing flags and writes the files of a new program.
 *
 * It overwrites no file, leaves none if one cannot be written, and records what it wrote for `vcluster-plugin upgrade`.
 * The new program installs, type-checks, passes its tests and runs with `dev` without changes. `programs/` has one file
 * per kind of program, the texts are in `templates/`.
 */
import { copyFile, readdir, rm } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { makeFolder } from '../machine/make-folder.js'
import { writeNamed } from '../machine/write-named.js'
import { UsageError } from '../terminal/usage-error.js'
import type { FileContent } from './chart/chart-content.js'
import { initGit } from './init-git.js'
import { newProject } from './new-project.js'
import type { Terminal } from './programs/ask.js'
import { checkFlags } from './programs/check-flags.js'
import type { CreateArguments, ProjectRequest } from './programs/program-kind.js'
import { isProject } from './programs/project.js'
import { sdkPackages } from './sdk-packages.js'

/** Writes a program. Throws `UsageError` or `PluginError` before anything is written. */
export async function runCreate(
  args: CreateArguments,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<void> {
  checkFlags(args)
  const loadAddition = (await isProject(args.folder)) ? additions[args.kind ?? ''] : undefined
  if (loadAddition) {
    const packages = async () => (await sdkPackages(args.sdk)).versions
    terminal.output.write(await (await loadAddition())(args, packages))
    return
  }
  const name = nameOf(args)
  await checkEmpty(args.folder)
  const { files, notes, dev, versions, tarball } = await newProject(name, args, terminal)
  const copiedFiles = tarball ? [basename(tarball)] : []
  await writeAll(args.folder, files, tarball).catch(async (error: unknown) => {
    await removeAll(args.folder, [...Object.keys(files), ...copiedFiles])
    throw error
  })
  if (args.git) await initGit(args.folder)
  const allNotes = [...notes, ...cloneNote(versions['vcluster-plugin-sdk'])]
  terminal.output.write(report({ ...args, dev }, [...Object.keys(files), ...copiedFiles], allNotes))
}

/** Adds a kind to an existing project. Resolves with the text for the user. */
type AddApi = (args: CreateArguments, packages: ProjectRequest['packages']) => Promise<string>

/** The kinds of programs that an existing project can have as well. */
const additions: Readonly<Record<string, () => Promise<AddApi>>> = {
  helm: async () => (await import('./programs/add-helm-api.js')).addHelmApi,
  operator: async () => (await import('./programs/add-code-api.js')).addCodeApi,
}

/** The program's name, which is also the name of its container and, for a plugin, a key in Helm values. */
function nameOf({ folder, name = basename(resolve(folder)) }: CreateArguments): string {
  if (/^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/.test(name)) return name
  throw new UsageError(
    `${JSON.stringify(name)} cannot be the name of a program, which has at most ${maxNameLength} lower-case letters, digits and "-", and begins with a letter; pass for example --name ${usableName(name)}`,
  )
}

const maxNameLength = 50

/** A name that is allowed and similar. */
function usableName(name: string): string {
  const allowed = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
  return allowed.slice(0, maxNameLength).replace(/-+$/, '') || 'my-program'
}

/** Throws `PluginError` `FOLDER_NOT_EMPTY` unless the folder is new, or holds only a git repository. */
async function checkEmpty(folder: string): Promise<void> {
  const fileNames = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR')
      throw new PluginError('FOLDER_NOT_EMPTY', `${folder} is a file; choose a new folder`)
    throw error
  })
  if (fileNames.some((entry) => entry !== '.git'))
    throw new PluginError('FOLDER_NOT_EMPTY', `${folder} is not empty; choose a new or empty folder`)
}

/** Writes the files, and copies the tarball of the SDK. */
async function writeAll(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
  tarball: string | undefined,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await makeFolder(dirname(join(folder, path)))
    await writeNamed(join(folder, path), content, { flag: 'wx' })
  }
  if (tarball) await copyFile(tarball, join(folder, basename(tarball)))
}

/** Removes what was written to a folder that had no files, so that `create` can be run again. */
async function removeAll(folder: string, paths: readonly string[]): Promise<void> {
  const written = new Set(paths.map((path) => path.split('/')[0] ?? path))
  for (const name of written) await rm(join(folder, name), { recursive: true, force: true })
}

/** A note for a plugin that links a clone of the SDK, which an image build does not see. */
function cloneNote(sdk = ''): string[] {
  if (!sdk.startsWith('file:') || sdk.endsWith('.tgz')) return []
  const clone = sdk.slice('file:'.length)
  return [
    `The SDK is a link to ${clone}: run npm run build there first. For an image or for CI, make a package
there (npm pack) and install it here: npm install ./vcluster-plugin-sdk-*.tgz`,
  ]
}

/** The output of `create`: the written files, the notes and the next commands. */
function report(
  { folder, dev }: { folder: string; dev: string },
  paths: readonly string[],
  notes: readonly string[],
): string {
  const list = paths.map((path) => `  ${join(relative('.', resolve(folder)) || '.', path)}`).join('\n')
  return `${[list, ...notes].join('\n\n')}

Next:
  cd ${folder}
  npm install
  npm run dev       # ${dev}
  npm test
`
}
