import { fieldAt } from '../../base/object.js'
import { parseQuantity } from '../../schema/quantity.js'
import type { Container, PodSpec } from './spec.js'

/** In what a resource is counted where a refusal tells of it: cores by the thousandth, memory by the byte. */
const UNITS = { cpu: 1_000_000n, memory: 1_000_000_000n } as const

type Counted = keyof typeof UNITS

/** What a pod asks for beyond what its whole node could give, as the real server writes it; nothing where it fits. */
export function lackOfRoom(spec: PodSpec, node: unknown): string | undefined {
  const lacking = (['cpu', 'memory'] as const).flatMap((name) => {
    const requested = requestedBy(spec, name)
    const allocatable = amountOf(fieldAt(node, 'status', 'allocatable', name), name)
    return requested > allocatable ? [`${name}, requested: ${requested}, allocatable: ${allocatable}`] : []
  })
  return lacking.length === 0 ? undefined : lacking.join('; ')
}

/** What runs at once: the containers with those beside them, or before that one by one those that come first. */
function requestedBy({ containers = [], initContainers = [] }: PodSpec, name: Counted): bigint {
  let beside = 0n
  let most = 0n
  for (const container of initContainers) {
    const own = requestOf(container, name)
    if (container.restartPolicy === 'Always') beside += own
    const together = container.restartPolicy === 'Always' ? beside : beside + own
    if (together > most) most = together
  }
  const running = containers.reduce((sum, container) => sum + requestOf(container, name), beside)
  return running > most ? running : most
}

function requestOf({ resources = {} }: Container, name: Counted): bigint {
  return amountOf(resources.requests?.[name], name)
}

/** Rounded up to whole units. */
function amountOf(quantity: unknown, name: Counted): bigint {
  if (quantity === undefined || quantity === null) return 0n
  const unit = UNITS[name]
  return (parseQuantity(String(quantity)).nano + unit - 1n) / unit
}
