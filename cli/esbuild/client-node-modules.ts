import { join, sep } from 'node:path'
import type { Plugin } from 'esbuild'

/** The module of the SDK that imports the package; a missing package in the user's own code stays an error. */
const sdkPart = /[\\/]transport[\\/]client-node\.(js|ts)$/

const folder = ['', 'node_modules', '@kubernetes', 'client-node', 'dist', ''].join(sep)

/** Marks resolutions of this plugin, which must not call it again. */
const ownPluginData = {}

/**
 * Leaves out unused modules of `@kubernetes/client-node`. Its entry point exports 900 modules of generated
 * types and calls, and a bundle that only authenticates needs none of them. The package does not declare its
 * modules free of side effects, so this plugin does.
 *
 * A project without the package has none of it in its bundle. Its `import()` then fails when a kubeconfig needs it.
 */
export const clientNodeModules: Plugin = {
  name: 'client-node-modules',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir }) =>
      importer.includes(folder) ? { path: join(resolveDir, path), sideEffects: false } : undefined,
    )
    build.onResolve({ filter: /^@kubernetes\/client-node$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === ownPluginData) return undefined
      const { kind, importer, resolveDir } = from
      const resolution = await build.resolve(path, { kind, importer, resolveDir, pluginData: ownPluginData })
      return resolution.errors.length > 0 && sdkPart.test(importer) ? { path, external: true } : undefined
    })
  },
}
