import { cel } from '../../../sdk/engine/kube/lazy-packages.js'

/** The exports of `@marcbachmann/cel-js`. */
export type CelLibrary = typeof import('@marcbachmann/cel-js')

/** An environment to parse, check and run expressions. */
export type CelEnvironment = InstanceType<CelLibrary['Environment']>

/**
 * The CEL library. It is loaded at the first rule, so that a server without rules starts faster. `require`
 * can load it during a write, which `import` cannot.
 */
export const celLibrary = (): CelLibrary => cel()
