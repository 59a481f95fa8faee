import { parseGoBoolean } from '../../annotations/go-boolean.js'
import type { ValuesContext } from './values-context.js'

/** Why a release is paused, for the condition `Paused`. */
export interface PauseReason {
  /** The reason, in CamelCase; default `Paused`. */
  readonly reason?: string
  readonly message: string
}

/** Says whether the release of an object is paused. */
export type PauseFunction = (context: ValuesContext) => boolean | PauseReason | Promise<boolean | PauseReason>

/**
 * Pauses releases by an annotation of their objects, such as `cache.example.com/pause: "true"`, for the option
 * `paused`.
 *
 * @example
 * ```ts
 * const paused: HelmControllerOptions['paused'] = pausedByAnnotation('cache.example.com/pause')
 * ```
 */
export function pausedByAnnotation(name: string): PauseFunction {
  return ({ resource }) => {
    const text = resource.metadata.annotations?.[name]
    if (text === undefined || parseGoBoolean(text) === false) return false
    if (parseGoBoolean(text))
      return { reason: 'PauseReconcileAnnotationTrue', message: `the annotation ${name} is ${text}` }
    throw new Error(`the annotation ${name} has the value ${JSON.stringify(text)}; use "true" or "false"`)
  }
}
