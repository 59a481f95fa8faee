import type { BuildOptions } from 'esbuild'
import { runsFromSources } from '../program/typescript-flags.js'

// CommonJS packages use `require` and `__dirname`, which ES modules do not have. `var`, because a program may declare
// the same names; no import, because Node would load another module for it.
const banner =
  "var require = globalThis.process.getBuiltinModule('node:module').createRequire(import.meta.url), " +
  '__filename = import.meta.filename, __dirname = import.meta.dirname;'

/** The options of esbuild for all code that Node runs. */
export const code = {
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // `module` is esbuild's default, which this list replaces.
  conditions: ['module', ...(runsFromSources ? ['vcluster-plugin-sdk:source'] : [])],
  banner: { js: banner },
} satisfies BuildOptions
