import { fieldAt } from '../../base/object.js'
import { parseQuantity } from '../../schema/quantity.js'
import type { Container, PodSpec } from './spec.js'

/** The unit of each resource in an error: thousandths of cores, and bytes of memory. */
const units = { cpu: 1_000_000n, memory: 1_000_000_000n } as const

type Counted = keyof typeof units

/**
 * The resources that a pod requests beyond its node's total, in the format of the real server; undefined if
 * it fits.
 */
export function missingResources(spec: PodSpec, node: unknown): string | undefined {
  const shortages = (['cpu', 'memory'] as const).flatMap((name) => {
    const requested = requestedBy(spec, name)
    const allocatable = amountOf(fieldAt(node, 'status', 'allocatable', name), name)
    return requested > allocatable ? [`${name}, requested: ${requested}, allocatable: ${allocatable}`] : []
  })
  return shortages.length === 0 ? undefined : shortages.join('; ')
}

/**
 * The resources in use at once: all containers with sidecars, or each init container with the sidecars before
 * it.
 */
function requestedBy({ containers = [], initContainers = [] }: PodSpec, name: Counted): bigint {
  let sidecars = 0n
  let maxInit = 0n
  for (const container of initContainers) {
    const request = requestOf(container, name)
    if (container.restartPolicy === 'Always') sidecars += request
    const together = container.restartPolicy === 'Always' ? sidecars : sidecars + request
    if (together > maxInit) maxInit = together
  }
  const running = containers.reduce((sum, container) => sum + requestOf(container, name), sidecars)
  return running > maxInit ? running : maxInit
}

function requestOf({ resources = {} }: Container, name: Counted): bigint {
  return amountOf(resources.requests?.[name], name)
}

/** Rounded up to whole units. */
function amountOf(quantity: unknown, name: Counted): bigint {
  if (quantity === undefined || quantity === null) return 0n
  const unit = units[name]
  return (parseQuantity(String(quantity)).nano + unit - 1n) / unit
}
