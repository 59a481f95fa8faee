import { ownEntry } from '../../base/own-entry.js'
import { formatQuantity, parseQuantity, type Quantity } from '../../schema/quantity.js'
import type { Container, PodSpec, ResourceList } from './spec.js'

/** Sums of quantities by resource. */
export type Sums = Record<string, Quantity>

/**
 * The requests or limits of all containers of a pod: the sum of those that run together, or an init container's if that
 * is more.
 */
export function containerTotals(
  { containers = [], initContainers = [] }: PodSpec,
  member: 'requests' | 'limits',
): Sums {
  const listOf = ({ resources }: Container): ResourceList => resources?.[member] ?? {}
  const together: Sums = {}
  const maxSums: Sums = {}
  for (const container of initContainers) {
    if (container.restartPolicy === 'Always') {
      addTo(together, listOf(container))
      raiseToMaximum(maxSums, together)
    } else raiseToMaximum(maxSums, addLists(together, listOf(container)))
  }
  for (const container of containers) addTo(together, listOf(container))
  raiseToMaximum(maxSums, together)
  return maxSums
}

/** The total resources of a pod, as texts. Resources of the whole pod have precedence over those of its containers. */
export function podTotals(spec: PodSpec, member: 'requests' | 'limits'): ResourceList {
  const sums = Object.entries(containerTotals(spec, member)).map(([name, sum]) => [name, formatQuantity(sum)])
  const podAmounts = Object.entries(spec.resources?.[member] ?? {}).filter(([name]) => isOfPods(name))
  return Object.fromEntries([...sums, ...podAmounts])
}

/** Whether a pod as a whole may request a resource. */
export const isOfPods = (name: string) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')

function addTo(sums: Sums, list: ResourceList): void {
  for (const [name, text] of Object.entries(list)) {
    const quantity = parseQuantity(text)
    const before = ownEntry(sums, name)
    sums[name] = before === undefined ? quantity : { ...before, nano: before.nano + quantity.nano }
  }
}

function addLists(sums: Sums, list: ResourceList): Sums {
  const all = { ...sums }
  addTo(all, list)
  return all
}

function raiseToMaximum(maxSums: Sums, sums: Sums): void {
  for (const [name, sum] of Object.entries(sums)) {
    const before = ownEntry(maxSums, name)
    if (before === undefined || before.nano < sum.nano) maxSums[name] = sum
  }
}
