import { isBuiltin } from 'node:module'
import { relative } from 'node:path'
import type { Plugin } from 'esbuild'

const namespace = 'node-builtin'

/**
 * Replaces import statements of Node's built-in modules by `require`. An import reads all exports of a module
 * (https://nodejs.org/api/esm.html#builtin-modules). Reading `WebSocket` of `node:http` loads Node's internal HTTP
 * client, which takes a third of a plugin's start time.
 *
 * In a bundle in parts each importer gets a module of its own. A shared one would be in a part of its own, which takes
 * longer to find than to run.
 */
export const builtinsByRequire: Plugin = {
  name: 'builtins-by-require',
  setup(build) {
    build.onResolve({ filter: /^(node:|[a-z_0-9]+(\/[a-z0-9]+)?$)/ }, ({ path, kind, importer }) => {
      if (kind !== 'import-statement' || !(path.startsWith('node:') || isBuiltin(path))) return
      const suffix = build.initialOptions.splitting ? `?${relative('.', importer)}` : ''
      return { path: path.replace(/^(?!node:)/, 'node:'), suffix, namespace, sideEffects: false }
    })
    build.onLoad({ filter: /^/, namespace }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
}
