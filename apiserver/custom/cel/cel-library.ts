import { createRequire } from 'node:module'

/** The exports of `@marcbachmann/cel-js`. */
export type CelLibrary = typeof import('@marcbachmann/cel-js')

/** An environment to parse, check and run expressions. */
export type CelEnvironment = InstanceType<CelLibrary['Environment']>

const load = createRequire(import.meta.url)

/**
 * The CEL library. It is loaded at the first rule, so that a server without rules starts faster. `require`
 * can load it during a write, which `import` cannot.
 */
export function celLibrary(): CelLibrary {
  return load('@marcbachmann/cel-js') as CelLibrary
}
