/**
 * `vcluster-plugin bundle`: bundles a plugin and its dependencies with esbuild into one folder that needs only Node.
 *
 * At its start the program reads only the modules that it imports statically. Modules behind `import()` are in separate
 * parts, which Node reads on demand. `vcluster-plugin runtime` adds Node itself. See docs/adr/0010.
 */
import { stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { builtinsByRequire } from '../esbuild/builtins-by-require.js'
import { clientNodeModules } from '../esbuild/client-node-modules.js'
import { code } from '../esbuild/code-options.js'
import { lazyPackageFiles } from '../esbuild/lazy-packages.js'
import { loadEsbuild } from '../esbuild/load-esbuild.js'
import { makeFolder } from '../machine/make-folder.js'
import { findPlugin } from '../program/find-plugin.js'
import { writeCompileCache } from './compile-cache.js'
import { helmEngine } from './helm-engine.js'
import { importFirst, preloadFor, preloadPart, preloadSpecifier } from './preload-first.js'
import { removeStaleParts } from './remove-stale-parts.js'
import { rxjsModules } from './rxjs-modules.js'
import { type BundleSizes, sizesOf } from './sizes.js'

/** Options of {@link bundlePlugin}. */
export interface BundleOptions {
  /** The plugin's program, or its folder. */
  entry: string
  /** The file for Node to run, `*.mjs`. Its parts go to `parts/<name>/` next to it. */
  outfile: string
  /**
   * Whether a missing template engine is an error for a program that renders charts; by default it is only in
   * {@link Bundle.notes}.
   */
  requireEngine?: boolean
  /** Writes a compile cache for processes of this user ID, see {@link writeCompileCache}; default none. */
  compileCache?: number | undefined
}

/** A written bundle. */
export interface Bundle extends BundleSizes {
  /** The file that Node runs, relative to the working directory. */
  file: string
  /** Sentences about the bundle for the user. */
  notes: readonly string[]
}

/**
 * Writes a bundle and replaces an earlier one. Throws `PluginError` `NO_PLUGIN`, `NO_ESBUILD` if the plugin's project
 * does not have esbuild, `BUNDLE_FAILED` after esbuild has printed its errors, or `NO_RENDERER` if the required engine
 * is missing.
 */
export async function bundlePlugin({
  entry,
  outfile,
  requireEngine = false,
  compileCache,
}: BundleOptions): Promise<Bundle> {
  const program = await programOf(entry)
  const { build } = loadEsbuild(program)
  const notes: string[] = []
  const options = buildOptions(program, resolve(outfile), notes)
  // Otherwise esbuild prints an error for each part.
  await makeFolder(dirname(resolve(outfile)))
  const { metafile } = await build(options).catch((cause: unknown) => {
    throw bundleError(entry, cause)
  })
  if (requireEngine && notes.includes(noEngine)) throw new PluginError('NO_RENDERER', `${entry}: ${noEngine}`)
  await removeStaleParts(resolve(outfile), Object.keys(metafile.outputs))
  const preload = await importFirst(resolve(outfile))
  if (compileCache !== undefined) {
    const isWritten = await writeCompileCache({ outfile: resolve(outfile), uid: compileCache })
    if (!isWritten) notes.push(noCompileCache)
  }
  const sizes = sizesOf(metafile.outputs, [resolve(outfile), preload])
  return { file: relative(process.cwd(), resolve(outfile)), notes, ...sizes }
}

async function programOf(entry: string): Promise<string> {
  const stats = await stat(entry).catch(() => undefined)
  if (stats?.isFile()) return resolve(entry)
  if (stats === undefined && /\.[cm]?[jt]s$/.test(entry))
    throw new PluginError(
      'NO_PLUGIN',
      `there is no file ${entry}; pass the main file of a program, or its folder`,
    )
  return (await findPlugin(entry)).entry
}

const noEngine =
  'the bundle renders charts but has no template engine, because the installed SDK has none: in a clone of the SDK run npm run ' +
  'helm-engine and pack it again, or set HELM_ENGINE or HELM_BIN where the bundle runs'

const noCompileCache = `the bundle has no compile cache, because Node ${process.version} cannot write one; Node 22 can`

function bundleError(entry: string, cause: unknown): PluginError {
  const [first] = (Object(cause).errors ?? []) as { text?: unknown }[]
  const text = String(first?.text)
  const why = text.startsWith('Failed to write')
    ? `: ${text}; choose another outfile`
    : '; see the errors of esbuild above'
  return new PluginError('BUNDLE_FAILED', `cannot bundle ${entry}${why}`, { cause })
}

function buildOptions(program: string, outfile: string, notes: string[]): BuildOptions & { metafile: true } {
  const name = basename(outfile, '.mjs')
  const partsFolder = join(dirname(outfile), 'parts', name)
  const lazy = lazyPackageFiles({ partsFolder, partsPath: `parts/${name}`, code })
  const engine = helmEngine({ partsFolder, code, onMissing: () => notes.push(noEngine) })
  return {
    ...code,
    entryPoints: [
      { in: program, out: name },
      { in: preloadSpecifier, out: preloadPart(name) },
    ],
    outdir: dirname(outfile),
    outExtension: { '.js': '.mjs' },
    chunkNames: `parts/${name}/[name]-[hash]`,
    splitting: true,
    bundle: true,
    // Licence comments go to a file next to the bundle.
    legalComments: 'external',
    logLevel: 'warning',
    // A full disk is an error for each of its files.
    logLimit: 5,
    metafile: true,
    plugins: [preloadFor(program), builtinsByRequire, rxjsModules, clientNodeModules, lazy, engine],
  }
}
