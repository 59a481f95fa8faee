import { isIPv6 } from '../../base/is-ipv6.js'
import { duplicate, type FieldError, invalidValue, required } from '../../validation/field-error.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import { checkAddress, checkChoice, checkOptionalChoice } from '../../validation/values.js'
import { isHeadless, type ServiceSpec } from './spec.js'

const ips = 'spec.clusterIPs'
const knownFamilies = ['IPv4', 'IPv6']
const policies = ['PreferDualStack', 'RequireDualStack', 'SingleStack']

/** The errors of the address, its list and the families; `ValidateServiceClusterIPsRelatedFields`. */
export function clusterIpErrors(spec: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  if (spec.type === 'ExternalName') return []
  const { clusterIPs = [] } = spec
  const before = [...formErrors(spec), ...familyErrors(spec)]
  const misplaced = clusterIPs[0] === 'None' && clusterIPs.length > 1
  const addresses = clusterIPs.flatMap((ip, index) => {
    if (index === 0 && ip === 'None') {
      return misplaced ? [invalidValue(ips, clusterIPs, "'None' must be the first and only value")] : []
    }
    return old?.clusterIPs?.includes(ip) ? [] : checkAddress(`${ips}[${index}]`, ip)
  })
  const countErrors =
    clusterIPs.length > 2 ? [invalidValue(ips, clusterIPs, 'may only hold up to 2 values')] : []
  const errors = [...before, ...addresses, ...countErrors]
  return addresses.length > 0 ? errors : [...errors, ...stackErrors(spec)]
}

function formErrors({ clusterIP = '', clusterIPs = [] }: ServiceSpec): FieldError[] {
  if (clusterIP === '') {
    return clusterIPs.length === 0
      ? []
      : [invalidValue(ips, clusterIPs, 'must be empty when `clusterIP` is not specified')]
  }
  if (clusterIPs.length === 0) return [required(ips, '')]
  return clusterIPs[0] === clusterIP
    ? []
    : [invalidValue(ips, clusterIPs, 'first value must match `clusterIP`')]
}

function familyErrors({ ipFamilies = [], ipFamilyPolicy }: ServiceSpec): FieldError[] {
  const repeated = repeatedIndexes(ipFamilies)
  const families = ipFamilies.flatMap((family, index) => {
    const field = `spec.ipFamilies[${index}]`
    const isDuplicate = repeated.has(index)
    return [...checkChoice(field, family, knownFamilies), ...(isDuplicate ? [duplicate(field, family)] : [])]
  })
  return [...families, ...checkOptionalChoice('spec.ipFamilyPolicy', ipFamilyPolicy, policies)]
}

function stackErrors(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [] } = spec
  const isDual = new Set(clusterIPs.map(isIPv6)).size > 1
  const alike =
    clusterIPs.length > 1 && !isDual
      ? [invalidValue(ips, clusterIPs, 'may specify no more than one IP for each IP family')]
      : []
  if (isHeadless(spec)) return alike
  const mismatched = clusterIPs.slice(0, ipFamilies.length).flatMap((ip, index) => {
    const expected = ipFamilies[index]
    if (!knownFamilies.includes(String(expected)) || isIPv6(ip) === (expected === 'IPv6')) return []
    const why = `expected an ${expected} value as indicated by \`ipFamilies[${index}]\``
    return [invalidValue(`${ips}[${index}]`, ip, why)]
  })
  return [...alike, ...mismatched]
}
