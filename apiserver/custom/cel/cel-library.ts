import { createRequire } from 'node:module'

/** What `@marcbachmann/cel-js` exports. */
export type CelLibrary = typeof import('@marcbachmann/cel-js')

/** Something that expressions are parsed, checked and run in. */
export type CelEnvironment = InstanceType<CelLibrary['Environment']>

const load = createRequire(import.meta.url)

/**
 * The CEL library. It is loaded when the first rule is met, because a server without rules should start as fast
 * as before; a `require` can do that in the midst of a write, which an `import` cannot.
 */
export function celLibrary(): CelLibrary {
  return load('@marcbachmann/cel-js') as CelLibrary
}
