import { join, sep } from 'node:path'
import type { Plugin } from 'esbuild'

const folder = ['', 'node_modules', '@kubernetes', 'client-node', 'dist', ''].join(sep)

/**
 * Leaves out what nothing uses of `@kubernetes/client-node`: its entry point exports 900 modules of generated types and calls,
 * of which a part of a bundle that logs in needs none. The package does not say that its modules only declare, so this does.
 */
export const clientNodeModules: Plugin = {
  name: 'client-node-modules',
  setup(build) {
    build.onResolve({ filter: /^\.\.?\/.*\.js$/ }, ({ path, importer, resolveDir }) =>
      importer.includes(folder) ? { path: join(resolveDir, path), sideEffects: false } : undefined,
    )
  },
}
