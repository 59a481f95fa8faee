import { listMap, listSet } from './lists.js'
import { atomic, embedded, objectMeta, oneOf, record } from './objects.js'
import { podTemplate } from './pod-template.js'
import { immutable, rule } from './rules.js'
import { sameQuantity } from './same-quantity.js'
import { duration, int64, intOrString, quantity } from './scalars.js'

/**
 * Schemas for what Kubernetes has and zod has not. They are zod schemas, to be used within others.
 *
 * @example
 * ```ts
 * const spec = z.object({ replicas: z.int32().min(1), size: k.quantity(), nodes: k.listSet(z.string()) })
 * ```
 */
export const k = {
  atomic,
  duration,
  embedded,
  immutable,
  int64,
  intOrString,
  listMap,
  listSet,
  objectMeta,
  oneOf,
  podTemplate,
  quantity,
  record,
  rule,
  sameQuantity,
} as const
