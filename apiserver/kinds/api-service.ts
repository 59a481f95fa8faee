import { fieldAt, type OpenObject, textAt } from '../base/object.js'
import type { KindRules } from '../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../validation/field-error.js'
import { rfc1035Label } from '../validation/names.js'
import { checkName } from '../validation/values.js'

/**
 * Who serves a version of a group; `ValidateAPIService` of k8s.io/kube-aggregator v0.36.3. Nobody is asked here: what an
 * APIService names is not served because of it.
 */
export const apiServiceRules: KindRules = {
  statusKeeps: 'metadata',
  versionedUpdate: true,
  // The name is told of by its own rule.
  name: () => undefined,
  validate(object) {
    const name = object.metadata.name ?? ''
    const version = textAt(object, 'spec', 'version')
    const group = textAt(object, 'spec', 'group')
    const expected = `${version}.${group}`
    const rule = `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(expected)}`
    return [
      ...(name === expected ? [] : [invalidValue('metadata.name', name, rule)]),
      ...(group === '' && version !== 'v1' ? [required('spec.group', NO_GROUP)] : []),
      ...checkName('spec.version', version, rfc1035Label),
      ...rangeErrors(object, 'groupPriorityMinimum', 20_000),
      ...rangeErrors(object, 'versionPriority', 1000),
    ]
  },
}

const NO_GROUP = 'only v1 may have an empty group and it better be legacy kube'

function rangeErrors(object: OpenObject, name: string, end: number): FieldError[] {
  const value = Number(fieldAt(object, 'spec', name) ?? 0)
  // The words say less than it is: the end itself is taken.
  const why = `must be positive and less than ${end}`
  return value > 0 && value <= end ? [] : [invalidValue(`spec.${name}`, value, why)]
}
