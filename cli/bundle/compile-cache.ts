import { execFile } from 'node:child_process'
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { PluginError } from '../../sdk/engine/kube/error.js'

/** Options of {@link writeCompileCache}. */
export interface CompileCacheOptions {
  /** The file of the bundle that Node runs. */
  outfile: string
  /** The user ID that the program runs as: each user has a cache of their own. */
  uid: number
}

/**
 * The folder of a bundle's compile cache, for Node's variable `NODE_COMPILE_CACHE`. It is among the parts of the
 * bundle, because other bundles may be in the same folder.
 */
export const compileCacheOf = (outfile: string) =>
  join(dirname(outfile), 'parts', basename(outfile, '.mjs'), 'compile-cache')

/**
 * Writes the code of all modules of a bundle as V8 compiles it, so that Node need not parse them at each start. Only
 * the Node that runs this command uses the cache, and only while the bundle is at the same path; another one ignores
 * it. Returns whether this Node has such a cache: Node 20 does not. Throws `PluginError` `BUNDLE_FAILED` for a module
 * that Node cannot compile.
 */
export async function writeCompileCache({ outfile, uid }: CompileCacheOptions): Promise<boolean> {
  const cache = compileCacheOf(outfile)
  await rm(cache, { recursive: true, force: true })
  await mkdir(cache)
  await compile(outfile, cache)
  const written = await readdir(cache)
  for (const name of written) await giveTo(uid, cache, name)
  return written.length > 0
}

/**
 * Compiles the modules without running them: before each one a module is imported that throws. A module that needs a
 * package that is not installed is left out: the program never loads it, `@kubernetes/client-node` for one.
 */
async function compile(outfile: string, cache: string): Promise<void> {
  const programs = (await modulesOf(outfile)).map((url) =>
    moduleOf(`import ${JSON.stringify(stop)}\nimport ${JSON.stringify(url)}`),
  )
  const code = `for (const program of ${JSON.stringify(programs)})
    await import(program).catch((error) => {
      if (error !== 0 && error.code !== 'ERR_MODULE_NOT_FOUND') throw error
    })`
  const env = { ...process.env, NODE_COMPILE_CACHE: cache, NODE_OPTIONS: '' }
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { env }).catch(
    ({ stderr = '' }: { stderr?: string }) => {
      const reason = /^\w*Error.*$/m.exec(stderr)?.[0] ?? 'Node could not compile it'
      throw new PluginError(
        'BUNDLE_FAILED',
        `the compile cache of ${outfile} was not written: ${reason}; correct the module, or leave out --compile-cache`,
      )
    },
  )
}

const moduleOf = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`
const stop = moduleOf('throw 0')

async function modulesOf(outfile: string): Promise<string[]> {
  const partsFolder = dirname(compileCacheOf(outfile))
  const names = (await readdir(partsFolder)).filter((name) => name.endsWith('.mjs'))
  return [outfile, ...names.map((name) => join(partsFolder, name))].map((file) => pathToFileURL(file).href)
}

/**
 * Gives the cache to another user: Node appends the user ID to the name of the folder, and only that user may read it.
 */
async function giveTo(uid: number, cache: string, name: string): Promise<void> {
  const folder = join(cache, name.replace(new RegExp(`-${process.getuid?.()}$`), `-${uid}`))
  await rename(join(cache, name), folder)
  for (const file of await readdir(folder)) await chmod(join(folder, file), 0o644)
}
