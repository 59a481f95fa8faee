import { type OpenObject, recordOf } from '../../base/object.js'
import type { ResourceList } from '../../kinds/pod-spec/spec.js'
import type { Evaluator, ScopeSelector } from './evaluator.js'

interface QuotaSpec {
  readonly hard?: ResourceList
  readonly scopes?: readonly string[]
  readonly scopeSelector?: { readonly matchExpressions?: readonly ScopeSelector[] }
}

interface QuotaStatus {
  readonly hard?: ResourceList
  readonly used?: ResourceList
}

/** The requested limits of a quota, and its scopes. */
export const quotaSpecOf = ({ spec }: OpenObject): QuotaSpec => recordOf(spec)

/** The enforced limits of a quota, and the used amounts. */
export const quotaStatusOf = ({ status }: OpenObject): QuotaStatus => recordOf(status)

/** Whether a quota counts an object: it limits the object's resource, and the object is in all scopes of the quota. */
export function isCountedBy(
  quota: OpenObject,
  { object, evaluator, names }: { object: OpenObject; evaluator: Evaluator; names: readonly string[] },
): boolean {
  if (evaluator.matching(names).length === 0) return false
  return selectorsOf(quota).every((selector) => evaluator.isInScope(selector, object))
}

function selectorsOf(quota: OpenObject): ScopeSelector[] {
  const { scopes = [], scopeSelector } = quotaSpecOf(quota)
  const named = scopes.map((scopeName) => ({ scopeName, operator: 'Exists' }))
  return [...named, ...(scopeSelector?.matchExpressions ?? [])]
}
