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
  part: 'requests' | 'limits',
): Sums {
  const listOf = ({ resources }: Container): ResourceList => resources?.[part] ?? {}
  const together: Sums = {}
  const most: Sums = {}
  for (const container of initContainers) {
    if (container.restartPolicy === 'Always') {
      addTo(together, listOf(container))
      raiseToMaximum(most, together)
    } else raiseToMaximum(most, addLists(together, listOf(container)))
  }
  for (const container of containers) addTo(together, listOf(container))
  raiseToMaximum(most, together)
  return most
}

/** The total resources of a pod, as texts. Resources of the whole pod have precedence over those of its containers. */
export function podTotals(spec: PodSpec, part: 'requests' | 'limits'): ResourceList {
  const sums = Object.entries(containerTotals(spec, part)).map(([name, sum]) => [name, formatQuantity(sum)])
  const own = Object.entries(spec.resources?.[part] ?? {}).filter(([name]) => isOfPods(name))
  return Object.fromEntries([...sums, ...own])
}

/** Whether a pod as a whole may request a resource. */
export const isOfPods = (name: string) => name === 'cpu' || name === 'memory' || name.startsWith('hugepages-')

function addTo(sums: Sums, list: ResourceList): void {
  for (const [name, text] of Object.entries(list)) {
    const quantity = parseQuantity(text)
    const before = sums[name]
    sums[name] = before === undefined ? quantity : { ...before, nano: before.nano + quantity.nano }
  }
}

function addLists(sums: Sums, list: ResourceList): Sums {
  const all = { ...sums }
  addTo(all, list)
  return all
}

function raiseToMaximum(most: Sums, sums: Sums): void {
  for (const [name, sum] of Object.entries(sums)) {
    const before = most[name]
    if (before === undefined || before.nano < sum.nano) most[name] = sum
  }
}
