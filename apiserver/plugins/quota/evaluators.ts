import { ONE } from './amounts.js'
import { claimEvaluator } from './claim-evaluator.js'
import type { Evaluator } from './evaluator.js'
import { podEvaluator } from './pod-evaluator.js'
import { serviceEvaluator } from './service-evaluator.js'

const SPECIAL: Readonly<Record<string, Evaluator>> = {
  pods: podEvaluator,
  services: serviceEvaluator,
  persistentvolumeclaims: claimEvaluator,
}

/** Resources whose objects are also counted by a name without `count/`. */
const ALIASED = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']

/** Resources that no quota counts. */
const IGNORED = ['bindings', 'componentstatuses', 'events', 'events.events.k8s.io']

const counters = new Map<string, Evaluator>()

/** How a quota counts the objects of a resource, `plural` or `plural.group`; undefined if it does not. */
export function evaluatorOf(storage: string): Evaluator | undefined {
  if (IGNORED.includes(storage)) return undefined
  const known = SPECIAL[storage] ?? counters.get(storage)
  if (known !== undefined) return known
  const counter = objectCounter(storage)
  counters.set(storage, counter)
  return counter
}

/** Counts objects by `count/plural.group`. */
function objectCounter(storage: string): Evaluator {
  const names = [`count/${storage}`, ...(ALIASED.includes(storage) ? [storage] : [])]
  const usage = Object.fromEntries(names.map((name) => [name, ONE]))
  return {
    handles: ({ request: { target }, operation }) => operation === 'CREATE' && target.subresource === '',
    matching: (given) => given.filter((name) => names.includes(name)),
    usage: () => usage,
    isInScope: () => false,
  }
}

/** The resources that a quota with these names is about. */
export function countedStorages(names: readonly string[]): string[] {
  const special = Object.keys(SPECIAL).filter((storage) => SPECIAL[storage]?.matching(names).length !== 0)
  const counted = names.flatMap((name) => {
    const storage = name.startsWith('count/') ? name.slice('count/'.length) : name
    return name.startsWith('count/') || ALIASED.includes(name) ? [storage] : []
  })
  return [...new Set([...special, ...counted])]
}
