import { existsSync } from 'node:fs'
import { sep } from 'node:path'
import type { Plugin } from 'esbuild'

const commonJs = `${sep}dist${sep}cjs${sep}`
const modules = `${sep}dist${sep}esm${sep}`
/** Marks a question of our own, so that it is not asked without end. */
const asked = Symbol('rxjs')

/**
 * Takes RxJS as ES modules, of which the operators that nobody uses can be left out: 35 KiB for 337. Its package offers Node
 * CommonJS before anything else, so the path is found as always and its folder changed; for all its entries alike, because
 * there must be one `Observable`.
 */
export const rxjsModules: Plugin = {
  name: 'rxjs-modules',
  setup(build) {
    build.onResolve({ filter: /^rxjs($|\/)/ }, async ({ path, pluginData, ...args }) => {
      if (pluginData === asked) return
      const { importer, namespace, resolveDir, kind } = args
      const found = await build.resolve(path, { importer, namespace, resolveDir, kind, pluginData: asked })
      const module = found.path.replace(commonJs, modules)
      return existsSync(module) ? { path: module, sideEffects: false } : found
    })
  },
}
