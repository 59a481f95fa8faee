/**
 * `vcluster-plugin create`: asks for missing flags and writes the files of a new plugin.
 *
 * It overwrites no file. The new plugin installs, type-checks, passes its tests and runs with `dev` without changes. The texts
 * are in `templates/`.
 */
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { PluginError } from '../../sdk/kube/error.js'
import { defaultRelease, parseRelease } from '../helm/vcluster-release.js'
import { makeFolder } from '../machine/make-folder.js'
import { UsageError } from '../terminal/usage-error.js'
import { type Asked, ask, type Terminal } from './ask.js'
import { checkCopyable } from './kind/copyable.js'
import { type Direction, directions } from './kind/direction.js'
import { findKindDesign } from './kind/find-kind-design.js'
import type { PluginDesign } from './kind/plugin-design.js'
import { sampleProblems } from './kind/sample-problems.js'
import type { SampleProblem } from './sample/sample-trial.js'
import { sdkPackages } from './sdk-packages.js'
import { pluginFiles } from './templates/plugin-files.js'

/** Arguments of `create`. */
export interface CreateArguments {
  folder: string
  kind?: string | undefined
  direction?: string | undefined
  vclusterVersion?: string | undefined
  name?: string | undefined
  sdk?: string | undefined
}

const defaults: Asked = { kind: 'configmaps', direction: 'down', vclusterVersion: defaultRelease }

/** Writes a plugin. Throws `UsageError` or `PluginError` before anything is written. */
export async function runCreate(
  args: CreateArguments,
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Promise<void> {
  const name = nameOf(args)
  await checkEmpty(args.folder)
  const wanted = await ask(givenIn(args), defaults, terminal)
  const { versions, tarball } = await sdkPackages(args.sdk)
  const { direction } = wanted
  const found = await findKindDesign(wanted.kind)
  checkCopyable(found.resource, direction)
  const problems = await sampleProblems({ kind: found, direction })
  const design: PluginDesign = {
    name,
    kind: { ...found, problems },
    direction,
    vcluster: parseRelease(wanted.vclusterVersion),
    packages: versions,
  }
  const files = pluginFiles(design)
  for (const [path, text] of Object.entries(files)) await write(join(args.folder, path), text)
  const copied = tarball ? [basename(tarball)] : []
  if (tarball) await copyFile(tarball, join(args.folder, basename(tarball)))
  const notes = [
    ...(problems.length > 0 ? [sampleNote(design, problems)] : []),
    ...cloneNote(versions['vcluster-plugin-sdk']),
  ]
  terminal.output.write(report(args.folder, [...Object.keys(files), ...copied], notes))
}

/** The given flags; yargs sets the others to undefined. */
function givenIn({ kind, direction, vclusterVersion }: CreateArguments): Partial<Asked> {
  const known = directions.find((one): one is Direction => one === direction)
  return {
    ...(kind && { kind }),
    ...(known && { direction: known }),
    ...(vclusterVersion && { vclusterVersion }),
  }
}

/** The plugin's name, which is also the name of its container and a key in Helm values. */
function nameOf({ folder, name = basename(resolve(folder)) }: CreateArguments): string {
  if (/^[a-z]([a-z0-9-]{0,48}[a-z0-9])?$/.test(name)) return name
  throw new UsageError(
    `The plugin's name is ${JSON.stringify(name)}: use --name with at most 50 lower-case letters, digits and "-", beginning with a letter`,
  )
}

async function checkEmpty(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR')
      throw new PluginError('FOLDER_NOT_EMPTY', `${folder} is a file; choose a new folder`)
    throw error
  })
  if (found.some((entry) => entry !== '.git'))
    throw new PluginError('FOLDER_NOT_EMPTY', `${folder} is not empty; choose a new or empty folder`)
}

async function write(path: string, text: string): Promise<void> {
  await makeFolder(dirname(path))
  await writeFile(path, text, { flag: 'wx' })
}

/** Lists all problems of the sample, so that the user can fix them at once. */
function sampleNote({ kind, direction }: PluginDesign, problems: readonly SampleProblem[]): string {
  const { file } = kind.names
  const yaml = direction === 'up' ? 'host-samples.yaml' : 'samples.yaml'
  const lines = problems.map(({ field, reason }) => `  ${field ? `${field}: ` : ''}${reason}`)
  return `Cannot make a valid sample from the schema alone. The API server or the syncer reports:
${[...new Set(lines)].join('\n')}
Fill in these fields by hand, in ${yaml} and in \`sample\` of src/${file}-syncer.test.ts.`
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

function report(folder: string, paths: readonly string[], notes: readonly string[]): string {
  const list = paths.map((path) => `  ${join(relative('.', resolve(folder)) || '.', path)}`).join('\n')
  return `${[list, ...notes].join('\n\n')}

Next:
  cd ${folder}
  npm install
  npm run dev       # two embedded clusters and the plugin between them
  npm test
`
}
