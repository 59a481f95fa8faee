import { readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { PluginError } from '../../sdk/engine/kube/error.js'

/** A plugin's program, found in its folder. */
export interface FoundPlugin {
  /** The folder as the user named it, for messages; for `.` the absolute path. */
  folder: string
  /** Absolute path of the folder. */
  path: string
  /** Absolute path of the program. */
  entry: string
  /** The plugin's key in vcluster's values: the package's name without its scope, or the folder's name. */
  name: string
  /** Absolute paths of the sources of programs of Modules: `vcluster-plugin.programs` of package.json. */
  programs: readonly string[]
}

interface PackageFacts {
  name?: string
  main?: string
  programs: readonly string[]
}

/**
 * Finds a plugin's program: `vcluster-plugin.main` of the folder's package.json, or `main.ts`. Throws a `PluginError`
 * `NO_PLUGIN`.
 */
export async function findPlugin(argument: string): Promise<FoundPlugin> {
  const path = resolve(argument)
  const folder = argument === '.' ? path : argument
  if (!(await isA('directory', path)))
    throw noPluginError(
      (await isA('file', path))
        ? `${folder} is a file; pass the folder of a program`
        : `there is no folder ${folder}; pass the folder of a program`,
    )
  const facts = await readPackage(join(path, 'package.json'))
  const entry = join(path, facts.main ?? 'main.ts')
  const programs = facts.programs.map((file) => join(path, file))
  if (await isA('file', entry)) return { folder, path, entry, name: facts.name ?? basename(path), programs }
  if (facts.main !== undefined)
    throw noPluginError(
      `"vcluster-plugin.main" in package.json of ${folder} is ${facts.main}, which does not exist`,
    )
  throw noPluginError(
    `there is no program in ${folder}: add a main.ts, or a package.json with "vcluster-plugin": { "main": … }, or pass the folder of a program`,
  )
}

async function isA(type: 'file' | 'directory', path: string): Promise<boolean> {
  try {
    const stats = await stat(path)
    return type === 'file' ? stats.isFile() : stats.isDirectory()
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

async function readPackage(file: string): Promise<PackageFacts> {
  try {
    return factsOf(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (isMissing(error)) return { programs: [] }
    if (error instanceof SyntaxError) throw noPluginError(`${file} is not JSON: ${error.message}`)
    throw error
  }
}

function factsOf(manifest: unknown): PackageFacts {
  const { name, 'vcluster-plugin': plugin } = Object(manifest)
  const { main, programs } = Object(plugin)
  return {
    ...(typeof name === 'string' && { name: name.replace(/^@[^/]*\//, '') }),
    ...(typeof main === 'string' && { main }),
    programs: Array.isArray(programs) ? programs.filter((file) => typeof file === 'string') : [],
  }
}

const missingCodes = ['ENOENT', 'ENOTDIR']
const isMissing = (error: unknown) =>
  error instanceof Error && 'code' in error && missingCodes.includes(String(error.code))
const noPluginError = (message: string) => new PluginError('NO_PLUGIN', message)
