import * as z from 'zod'
import { extend } from '../schema/extension.js'

/** A quantity as the API writes it; https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/ */
export const quantityPattern = /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$/
const maxQuantity = 64

const durationPattern = /^(0|-?([0-9]+(\.[0-9]+)?(ns|us|ms|s|m|h))+)$/
const maxDuration = 64

/** Options of `k.intOrString`. */
export interface IntOrStringOptions {
  /** The pattern of a text. Default: any text. */
  readonly pattern?: RegExp
  /** The largest number of characters of a text. Default: no limit. */
  readonly maxLength?: number
}

/**
 * An integer or a text, for example a port by number or name. It is the one union of types that a CRD can have.
 *
 * @example
 * ```ts
 * const maxUnavailable = k.intOrString({ pattern: /^[0-9]+%$/, maxLength: 4 })
 * ```
 */
export function intOrString({ pattern, maxLength }: IntOrStringOptions = {}) {
  const limited = maxLength === undefined ? z.string() : z.string().max(maxLength)
  const text = pattern === undefined ? limited : limited.regex(pattern)
  return extend(z.union([z.int(), text]), { text })
}

/**
 * A quantity such as `500m`, `1.5` or `10Gi`. A CRD keeps it as it was written: compare with {@link sameQuantity}.
 *
 * @example
 * ```ts
 * const spec = z.object({ size: k.quantity() })
 * ```
 */
export function quantity() {
  return intOrString({ pattern: quantityPattern, maxLength: maxQuantity })
}

/**
 * A duration as Go writes it, for example `1h30m`. CEL rules see it as a duration.
 *
 * @example
 * ```ts
 * const spec = z.object({ timeout: k.duration().default('30s') })
 * ```
 */
export function duration(): z.ZodString {
  return extend(z.string().max(maxDuration).regex(durationPattern), { members: { format: 'duration' } })
}

/** Options of `k.int64`. */
export interface Int64Options {
  /** The smallest value. Default: none. */
  readonly min?: number
  /** The largest value. Default: none. */
  readonly max?: number
}

/**
 * An integer of 64 bits. One that a `number` cannot hold is a `bigint`.
 *
 * @example
 * ```ts
 * const status = z.object({ bytesServed: k.int64({ min: 0 }).optional() })
 * ```
 */
export function int64({ min, max }: Int64Options = {}) {
  const smallest = min === undefined ? -(2n ** 63n) : BigInt(min)
  const largest = max === undefined ? 2n ** 63n - 1n : BigInt(max)
  const small = z
    .int()
    .min(min ?? Number.MIN_SAFE_INTEGER)
    .max(max ?? Number.MAX_SAFE_INTEGER)
  return extend(z.union([small, z.bigint().min(smallest).max(largest)]), {
    schema: {
      type: 'integer',
      format: 'int64',
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    },
  })
}
