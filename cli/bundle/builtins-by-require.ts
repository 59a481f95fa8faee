import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'

const namespace = 'node-builtin'

/**
 * Takes Node's own modules by `require` where they are imported by a statement. An import makes a module of all their
 * exports (https://nodejs.org/api/esm.html#builtin-modules), and to read `WebSocket` of `node:http` loads all of Node's inner
 * HTTP client, a third of the time that a plugin takes to start.
 */
export const builtinsByRequire: Plugin = {
  name: 'builtins-by-require',
  setup(build) {
    build.onResolve({ filter: /^(node:|[a-z_0-9]+(\/[a-z0-9]+)?$)/ }, ({ path, kind }) => {
      if (kind !== 'import-statement' || !(path.startsWith('node:') || isBuiltin(path))) return
      return { path: path.replace(/^(?!node:)/, 'node:'), namespace, sideEffects: false }
    })
    build.onLoad({ filter: /^/, namespace }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}
