import { createRequire } from 'node:module'

/**
 * Packages that are loaded at their first use, so that programs that do not use them start faster. `require` can load
 * them in the middle of a computation, which `import()` cannot. Bundlers do not see such a `require`: `vcluster-plugin
 * bundle` replaces this module, and adds each package that this module names to the bundle. No other module may load
 * packages in this way.
 */
const load = createRequire(import.meta.url)

/** Go's regular expressions, which match in linear time. */
export const re2 = (): typeof import('re2js') => load('re2js')

/** CEL, the language of the rules of custom resources. */
export const cel = (): typeof import('@marcbachmann/cel-js') => load('@marcbachmann/cel-js')
