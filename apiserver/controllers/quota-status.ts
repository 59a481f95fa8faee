import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { OpenObject } from '../base/object.js'
import { type Amounts, add, pick, textsOf, zero } from '../plugins/quota/amounts.js'
import { countedStorages, evaluatorOf } from '../plugins/quota/evaluators.js'
import { isCountedBy, quotaSpecOf, quotaStatusOf } from '../plugins/quota/quota-object.js'
import type { ServerParts } from '../server/context.js'
import type { Change } from '../store/entry.js'

/** The collections whose objects may use more or less of a quota after an update. */
const changing = new Set(['pods', 'services', 'persistentvolumeclaims'])

/**
 * Whether quotas must be counted after a change: of a quota, by a delete, or by some updates. Admission counts creates.
 */
export function changesUsage(storage: string, { type }: Change): boolean {
  if (storage === 'resourcequotas') return type !== 'DELETED'
  return type === 'DELETED' || (type === 'MODIFIED' && changing.has(storage))
}

/** Writes the limits and the usage of the quotas of a namespace into their status, as kube-controller-manager does. */
export function countUsage(server: ServerParts, namespace: string): void {
  const quotas = server.store.collection('resourcequotas')
  if (quotas.size === 0) return
  for (const entry of [...quotas.scan(`${namespace}/`)]) {
    const quota = entry.object as OpenObject
    const { hard = {} } = quotaSpecOf(quota)
    const status = { hard, used: textsOf(usageOf(server, quota, namespace)) }
    const before = quotaStatusOf(quota)
    if (jsonEqual(status.hard, before.hard ?? {}) && jsonEqual(status.used, before.used ?? {})) continue
    const counted: OpenObject = { ...quota, status }
    server.store.put('resourcequotas', entry.key, counted)
  }
}

function usageOf(server: ServerParts, quota: OpenObject, namespace: string): Amounts {
  const names = Object.keys(quotaSpecOf(quota).hard ?? {})
  const now = server.clock.date()
  const lists = countedStorages(names).map((storage) => {
    const evaluator = evaluatorOf(storage)
    if (evaluator === undefined) return {}
    let used: Amounts = Object.fromEntries(evaluator.matching(names).map((name) => [name, zero]))
    for (const { object: stored } of server.store.collection(storage).scan(`${namespace}/`)) {
      const object = stored as OpenObject
      if (isCountedBy(quota, { object, evaluator, names }))
        used = add(used, pick(evaluator.usage(object, now), names))
    }
    return used
  })
  return Object.assign({}, ...lists)
}
