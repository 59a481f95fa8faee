/**
 * `vcluster-plugin bundle`: a plugin and all it imports in one folder that needs nothing but Node, and starts fast.
 *
 * It promises that the program reads no more at its start than what it imports at once: the rest lies in parts, which Node
 * reads when they are imported. Finding and packing what is imported is left to esbuild, Node for a place without one to
 * `vcluster-plugin runtime`. Why so: docs/adr/0010.
 */
import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve } from 'node:path'
import type { BuildOptions } from 'esbuild'
import { PluginError } from '../../sdk/kube/error.js'
import { findPlugin } from '../program/find-plugin.js'
import { runsFromSources } from '../program/plugin-process.js'
import { builtinsByRequire } from './builtins-by-require.js'
import { loadEsbuild } from './load-esbuild.js'
import { removeStaleParts } from './remove-stale-parts.js'
import { rxjsModules } from './rxjs-modules.js'
import { type BundleSizes, sizesOf } from './sizes.js'

/** What {@link bundlePlugin} is told. */
export interface BundleOptions {
  /** The plugin's program, or the folder in which it is found as by the other commands. */
  entry: string
  /** The file that Node is to run, `*.mjs`; parts come into the folder `parts` beside it, each bundle's into one of their own. */
  outfile: string
}

/** A bundle that was written. */
export interface Bundle extends BundleSizes {
  /** The file that Node runs, relative to the working directory. */
  file: string
}

// Packages in CommonJS call `require` and read `__dirname`, which a module does not have. `var`, because a program may
// declare the same names; no import, because Node would load a module of its own for it.
const banner =
  "var require = globalThis.process.getBuiltinModule('node:module').createRequire(import.meta.url), " +
  '__filename = import.meta.filename, __dirname = import.meta.dirname;'

/**
 * Writes the bundle over the one before. Throws `PluginError`: `NO_PLUGIN`, `NO_ESBUILD` where the plugin's project does not
 * have it, `BUNDLE_FAILED` after esbuild has said why.
 */
export async function bundlePlugin({ entry, outfile }: BundleOptions): Promise<Bundle> {
  const program = await programOf(entry)
  const { build } = loadEsbuild(program)
  const { metafile } = await build(buildOptions(program, resolve(outfile))).catch((cause: unknown) => {
    throw new PluginError('BUNDLE_FAILED', `cannot bundle ${entry}; see the errors of esbuild above`, {
      cause,
    })
  })
  await removeStaleParts(resolve(outfile), Object.keys(metafile.outputs))
  return { file: relative(process.cwd(), resolve(outfile)), ...sizesOf(metafile.outputs, resolve(outfile)) }
}

async function programOf(entry: string): Promise<string> {
  const isFile = await stat(entry).then(
    (stats) => stats.isFile(),
    () => false,
  )
  return isFile ? resolve(entry) : (await findPlugin(entry)).entry
}

function buildOptions(program: string, outfile: string): BuildOptions & { metafile: true } {
  const name = basename(outfile, '.mjs')
  return {
    entryPoints: [{ in: program, out: name }],
    outdir: dirname(outfile),
    outExtension: { '.js': '.mjs' },
    chunkNames: `parts/${name}/[name]-[hash]`,
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // The first is esbuild's own, which a list takes the place of.
    conditions: ['module', ...(runsFromSources ? ['vcluster-plugin-sdk:source'] : [])],
    banner: { js: banner },
    // Licences that ask to travel along stand beside the bundle.
    legalComments: 'external',
    logLevel: 'warning',
    metafile: true,
    plugins: [builtinsByRequire, rxjsModules],
  }
}
