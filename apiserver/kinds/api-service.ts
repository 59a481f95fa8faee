import { fieldAt, type OpenObject, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { checkRfc1035Label } from '../validation/names.js'
import { checkName } from '../validation/values.js'

/**
 * APIServices; `ValidateAPIService` of k8s.io/kube-aggregator v0.36.3. Requests are not proxied: the group of
 * an APIService is not served.
 */
export const apiServiceRules: KindRules = {
  metadata: {
    // Another rule reports the name.
    name: () => undefined,
  },
  validate(object) {
    const name = object.metadata.name ?? ''
    const version = textAt(object, 'spec', 'version')
    const group = textAt(object, 'spec', 'group')
    const expected = `${version}.${group}`
    const rule = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`
    return [
      ...(name === expected ? [] : [invalidValue('metadata.name', name, rule)]),
      ...(group === '' && version !== 'v1' ? [required('spec.group', noGroup)] : []),
      ...checkName('spec.version', version, checkRfc1035Label),
      ...rangeErrors(object, 'groupPriorityMinimum', 20_000),
      ...rangeErrors(object, 'versionPriority', 1000),
    ]
  },
  update: {
    needsVersion: true,
  },
  status: {
    keptMetadata: 'metadata',
  },
}

const noGroup = 'only v1 may have an empty group and it better be legacy kube'

function rangeErrors(object: OpenObject, name: string, limit: number): FieldError[] {
  const value = Number(fieldAt(object, 'spec', name) ?? 0)
  // The text is inaccurate: the upper bound itself is allowed.
  const why = `must be positive and less than ${limit}`
  return value > 0 && value <= limit ? [] : [invalidValue(`spec.${name}`, value, why)]
}
