import * as z from 'zod'

/**
 * A parameter whose text holds JSON that fits a schema. An empty text counts as absent, so a default of the schema
 * applies.
 *
 * @example
 * ```ts
 * const parameters = z.object({ labels: jsonText(z.record(z.string(), z.string()).default({})) })
 * console.log(parameters.parse({ labels: '{"team":"a"}' })) // { labels: { team: 'a' } }
 * ```
 */
export function jsonText<T extends z.ZodType>(schema: T) {
  return z.codec(z.string().optional(), schema, {
    decode(text, ctx) {
      if (text === undefined || text.trim() === '') return undefined as z.input<T>
      try {
        return JSON.parse(text) as z.input<T>
      } catch {
        ctx.issues.push({ code: 'custom', message: 'is not JSON', input: text })
        return z.NEVER
      }
    },
    encode: (value) => JSON.stringify(value),
  })
}
