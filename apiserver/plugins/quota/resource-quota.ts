import type { OpenObject } from '../../base/object.js'
import { forbidden } from '../../request/status.js'
import type { Entry } from '../../store/entry.js'
import type { PluginWrite } from '../plugin.js'
import { type Amounts, add, amountsOf, increase, pick, textsOf, withoutZeros } from './amounts.js'
import type { Evaluator } from './evaluator.js'
import { evaluatorOf } from './evaluators.js'
import { isCountedBy, quotaStatusOf } from './quota-object.js'

/** A quota, and its usage after the write. */
interface Charge {
  readonly entry: Entry
  readonly used: Amounts
}

const storage = 'resourcequotas'

/**
 * `ResourceQuota`, which is checked last: throws 403 if a write exceeds a quota of its namespace. A quota counts by its
 * status, which a controller initializes, and which every allowed write increases.
 */
export function checkQuota(write: PluginWrite): void {
  chargesOf(write)
}

/**
 * Records what a write uses in the quotas of its namespace, just before it is stored. Throws 403 like {@link
 * checkQuota}.
 */
export function chargeQuota(write: PluginWrite): void {
  const { store } = write.request.server
  for (const { entry, used } of chargesOf(write)) {
    const quota = entry.object as OpenObject
    const charged: OpenObject = { ...quota, status: { ...quotaStatusOf(quota), used: textsOf(used) } }
    store.put(storage, entry.key, charged)
  }
}

function chargesOf(write: PluginWrite): Charge[] {
  const { resource, server, target } = write.request
  const quotas = server.store.collection(storage)
  if (quotas.size === 0 || target.namespace === '' || resource.storage === 'namespaces') return []
  const evaluator = evaluatorOf(resource.storage)
  if (evaluator === undefined || !evaluator.handles(write)) return []
  const counting = [...quotas.scan(`${target.namespace}/`)].filter((entry) =>
    isCounted(write, entry, evaluator),
  )
  return counting.flatMap((entry) => chargeOf(write, entry, evaluator) ?? [])
}

/** Whether a quota counts the object of a write. Throws 403 if the object or the quota is not complete. */
function isCounted(write: PluginWrite, { object: quotaObject }: Entry, evaluator: Evaluator): boolean {
  const quota = quotaObject as OpenObject
  const { hard = {}, used = {} } = quotaStatusOf(quota)
  const names = Object.keys(hard)
  if (!isCountedBy(quota, { object: write.object, evaluator, names })) return false
  const counted = evaluator.matching(names)
  const problem = evaluator.problem?.(counted, write.object)
  if (problem !== undefined) throw refusal(write, `failed quota: ${quota.metadata.name}: ${problem}`)
  if (counted.every((name) => used[name] !== undefined)) return true
  const why = `status unknown for quota: ${quota.metadata.name}, resources: ${[...counted].sort().join(',')}`
  throw refusal(write, why)
}

/** The usage of a quota after a write; undefined if it does not grow. Throws 403 if it exceeds the quota. */
function chargeOf(write: PluginWrite, entry: Entry, evaluator: Evaluator): Charge | undefined {
  const quota = entry.object as OpenObject
  const { hard, used } = quotaStatusOf(quota)
  const [limits, before] = [amountsOf(hard), amountsOf(used)]
  const added = withoutZeros(pick(addedUsage(write, quota, evaluator), Object.keys(limits)))
  if (Object.keys(added).length === 0) return undefined
  const after = add(before, added)
  const exceeded = Object.keys(added).filter((name) => (after[name]?.nano ?? 0n) > (limits[name]?.nano ?? 0n))
  if (exceeded.length === 0) return { entry, used: after }
  const [requested, present, limited] = [added, before, limits].map((amounts) =>
    printAmounts(pick(amounts, exceeded)),
  )
  const figures = `requested: ${requested}, used: ${present}, limited: ${limited}`
  throw refusal(write, `exceeded quota: ${quota.metadata.name}, ${figures}`)
}

function addedUsage({ object, old, request }: PluginWrite, quota: OpenObject, evaluator: Evaluator): Amounts {
  const now = request.server.clock.date()
  const usage = evaluator.usage(object, now)
  if (old === undefined) return usage
  const names = Object.keys(quotaStatusOf(quota).hard ?? {})
  return isCountedBy(quota, { object: old, evaluator, names })
    ? increase(usage, evaluator.usage(old, now))
    : usage
}

function printAmounts(amounts: Amounts): string {
  const texts = Object.entries(textsOf(amounts)).map(([name, text]) => `${name}=${text}`)
  return texts.sort().join(',')
}

function refusal({ request, object }: PluginWrite, why: string) {
  return forbidden(request.resource, object.metadata.name ?? '', why)
}
