import { dirname, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

/** The folder with the code of the SDK: the clone, or `dist` of the package. */
const root = `${dirname(dirname(dirname(fileURLToPath(import.meta.url))))}${sep}`
/** Identifies resolutions of this plugin, which must not call it again. */
const resolutionMark = Symbol('sdk')

/**
 * Lets esbuild leave out modules of the SDK that a program does not use: importing one changes nothing in the process.
 */
export const sdkModules: Plugin = {
  name: 'sdk-modules',
  setup(build) {
    build.onResolve(
      { filter: /^(vcluster-plugin-sdk(\/|$)|\.\.?\/)/ },
      async ({ path, pluginData, ...args }) => {
        if (pluginData === resolutionMark) return
        if (path.startsWith('.') && !args.importer.startsWith(root)) return
        const { importer, namespace, resolveDir, kind } = args
        const resolution = await build.resolve(path, {
          importer,
          namespace,
          resolveDir,
          kind,
          pluginData: resolutionMark,
        })
        return resolution.errors.length > 0 ? undefined : { path: resolution.path, sideEffects: false }
      },
    )
  },
}
