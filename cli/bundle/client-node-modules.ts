import { join, sep } from 'node:path'
import type { Plugin } from 'esbuild'

const folder = ['', 'node_modules', '@kubernetes', 'client-node', 'dist', ''].join(sep)

/**
 * Leaves out unused modules of `@kubernetes/client-node`. Its entry point exports 900 modules of generated
 * types and calls, and a bundle that only authenticates needs none of them. The package does not declare its
 * modules free of side effects, so this plugin does.
 */
export const clientNodeModules: Plugin = {
  name: 'client-node-modules',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir }) =>
      importer.includes(folder) ? { path: join(resolveDir, path), sideEffects: false } : undefined,
    )
  },
}
