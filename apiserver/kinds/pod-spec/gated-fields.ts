import { type OpenObject, recordOf } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'

/**
 * The rules of a kind with a pod's spec at `path`, without fields of features that are off by default. Such
 * fields are tracked in the managed fields and then removed.
 */
export function withoutGatedFields(rules: KindRules, ...path: readonly string[]): KindRules {
  return {
    ...rules,
    prepareCreate(object, services, user) {
      dropBelow(object, path)
      return rules.prepareCreate?.(object, services, user)
    },
    prepareUpdate(object, old, services) {
      dropBelow(object, path)
      return rules.prepareUpdate?.(object, old, services)
    },
  }
}

function dropBelow(object: OpenObject, [first = '', ...rest]: readonly string[]): void {
  if (object[first] !== undefined) object[first] = without(recordOf(object[first]), rest)
}

function without(value: Record<string, unknown>, [first, ...rest]: readonly string[]): object {
  if (first === undefined) {
    const { schedulingGroup: _gated, ...spec } = value
    return spec
  }
  return value[first] === undefined ? value : { ...value, [first]: without(recordOf(value[first]), rest) }
}
