import type { $ZodPipeDef } from 'zod/v4/core'

/** The name under which an author writes a pipe of zod: `.transform(...)`, `z.preprocess(...)` and codecs are pipes. */
export function pipeConstruct({ in: first, out: last, transform }: $ZodPipeDef): string {
  if (transform !== undefined) return 'codec'
  if (first._zod.def.type === 'transform') return 'preprocess'
  return last._zod.def.type === 'transform' ? 'transform' : 'pipe'
}
