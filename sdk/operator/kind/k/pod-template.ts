import * as z from 'zod'
import { extend } from '../schema/extension.js'
import type { PodTemplate } from './objects.js'

/** Options of `k.podTemplate`. */
export interface PodTemplateOptions {
  /** Keeps whatever the template holds, without a check. */
  readonly preserve: true
}

/**
 * The template of a pod.
 *
 * @example
 * ```ts
 * const spec = z.object({ template: k.podTemplate({ preserve: true }) })
 * ```
 */
export function podTemplate(_options: PodTemplateOptions): z.ZodType<PodTemplate, PodTemplate> {
  return extend(z.looseObject({}), {
    schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  }) as unknown as z.ZodType<PodTemplate, PodTemplate>
}
