import { fieldAt, type OpenObject } from '../../base/object.js'
import type { KindRules } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { isIPv6Family, strictRangeProblem } from '../../validation/strict-addresses.js'
import { checkName } from '../../validation/values.js'

const field = 'spec.cidrs'
const immutable = 'field is immutable'

function rangesOf(object: OpenObject): readonly string[] {
  const ranges = fieldAt(object, 'spec', 'cidrs')
  return Array.isArray(ranges) ? ranges.map(String) : []
}

/**
 * https://kubernetes.io/docs/concepts/services-networking/cluster-ip-allocation/
 * Services get addresses of one range.
 */
export const serviceCidrRules: KindRules = {
  metadata: {
    repeatedOnUpdate: 'change',
  },
  validate(object, old, subresource) {
    if (old === undefined) return rangeErrors(rangesOf(object))
    return subresource === 'status' ? [] : changeErrors(rangesOf(object), rangesOf(old))
  },
  status: {
    keptMetadata: 'metadata',
  },
}

/** `validateServiceCIDRSpec` of Kubernetes v1.36.3. */
function rangeErrors(ranges: readonly string[]): FieldError[] {
  if (ranges.length === 0) return [required(field, 'at least one CIDR required')]
  if (ranges.length > 2) return [invalidValue(field, { CIDRs: ranges }, 'may only hold up to 2 values')]
  const [first = '', second = ''] = ranges
  const problems = ranges.map(strictRangeProblem)
  const isSame = ranges.length === 2 && isIPv6Family(first) === isIPv6Family(second)
  const families = 'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'
  const isParsed = problems.every(
    (problem) => problem === undefined || !problem.startsWith('must be a valid'),
  )
  return [
    ...ranges.flatMap((range, index) => checkName(`${field}[${index}]`, range, strictRangeProblem)),
    ...(isSame && isParsed ? [invalidValue(field, ranges, families)] : []),
  ]
}

/** Only a range of the other family can be added. */
function changeErrors(ranges: readonly string[], old: readonly string[]): FieldError[] {
  const changed = (count: number) =>
    ranges
      .slice(0, count)
      .flatMap((range, index) =>
        range === old[index] ? [] : [invalidValue(`${field}[${index}]`, range, immutable)],
      )
  if (ranges.length === old.length) return changed(old.length)
  if (old.length === 1 && ranges.length === 2) return [...changed(1), ...rangeErrors(ranges)]
  return [invalidValue(field, ranges.length === 0 ? null : ranges, immutable)]
}
