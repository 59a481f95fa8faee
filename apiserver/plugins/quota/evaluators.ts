import { one } from './amounts.js'
import { claimEvaluator } from './claim-evaluator.js'
import type { Evaluator } from './evaluator.js'
import { podEvaluator } from './pod-evaluator.js'
import { serviceEvaluator } from './service-evaluator.js'

const evaluatorsByStorage: Readonly<Record<string, Evaluator>> = {
  pods: podEvaluator,
  services: serviceEvaluator,
  persistentvolumeclaims: claimEvaluator,
}

/** Resources whose objects are also counted by a name without `count/`. */
const aliasedStorages = ['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']

/** Resources that no quota counts. */
const uncountedStorages = ['bindings', 'componentstatuses', 'events', 'events.events.k8s.io']

const counters = new Map<string, Evaluator>()

/** The evaluator for a resource, `plural` or `plural.group`; undefined if no quota counts its objects. */
export function evaluatorOf(storage: string): Evaluator | undefined {
  if (uncountedStorages.includes(storage)) return undefined
  const existing = evaluatorsByStorage[storage] ?? counters.get(storage)
  if (existing !== undefined) return existing
  const counter = objectCounter(storage)
  counters.set(storage, counter)
  return counter
}

/** Counts objects by `count/plural.group`. */
function objectCounter(storage: string): Evaluator {
  const names = [`count/${storage}`, ...(aliasedStorages.includes(storage) ? [storage] : [])]
  const usage = Object.fromEntries(names.map((name) => [name, one]))
  return {
    handles: ({ request: { target }, operation }) => operation === 'CREATE' && target.subresource === '',
    matching: (resourceNames) => resourceNames.filter((name) => names.includes(name)),
    usage: () => usage,
    isInScope: () => false,
  }
}

/** The resources that a quota with these names counts. */
export function countedStorages(names: readonly string[]): string[] {
  const special = Object.keys(evaluatorsByStorage).filter(
    (storage) => evaluatorsByStorage[storage]?.matching(names).length !== 0,
  )
  const counted = names.flatMap((name) => {
    const storage = name.startsWith('count/') ? name.slice('count/'.length) : name
    return name.startsWith('count/') || aliasedStorages.includes(name) ? [storage] : []
  })
  return [...new Set([...special, ...counted])]
}
