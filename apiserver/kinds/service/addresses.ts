import { jsonEqual } from '../../../sdk/engine/kube/json.js'
import { isIPv6 } from '../../base/is-ipv6.js'
import type { Pool } from '../../resources/kind-rules.js'
import { type FieldError, invalidValue } from '../../validation/field-error.js'
import { clusterIpErrors } from './cluster-ip-errors.js'
import { isHeadless, needsClusterIp, type ServiceSpec } from './spec.js'

/** A prepared spec with its errors. */
export interface PreparedSpec {
  readonly spec: ServiceSpec
  readonly errors: readonly FieldError[]
}

/**
 * Sets the families and the address of a Service, and keeps what an update omits, like
 * `pkg/registry/core/service/storage/alloc.go` of Kubernetes v1.36.3 in a cluster with only IPv4.
 */
export function withAddresses(
  spec: ServiceSpec,
  old: ServiceSpec | undefined,
  pool: Pool<string>,
): PreparedSpec {
  const completedIps = withMatchingIps(spec, old)
  if (!needsClusterIp(completedIps)) return { spec: completedIps, errors: [] }
  const { spec: completed, errors } = withIpFamilies(completedIps, old)
  if (errors.length > 0 || isHeadless(completed)) return { spec: completed, errors }
  const keepsAddress = old !== undefined && needsClusterIp(old)
  return keepsAddress ? { spec: completed, errors } : allocateAddress(completed, pool)
}

/**
 * Completes `clusterIP` and `clusterIPs` from each other and from the old spec. Both have the address: `clusterIP`, and
 * `clusterIPs` as its first element. Older clients know only `clusterIP`.
 */
function withMatchingIps(spec: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  const { clusterIP = '', clusterIPs = [] } = spec
  if (old === undefined || !needsClusterIp(old))
    return clusterIP !== '' && clusterIPs.length === 0 ? { ...spec, clusterIPs: [clusterIP] } : spec
  if (!needsClusterIp(spec)) return spec
  const ip = clusterIP === '' ? old.clusterIP : clusterIP
  const ips = clusterIPs.length === 0 ? old.clusterIPs : clusterIPs
  // The client changed clusterIP and sent back the old clusterIPs, which it does not know.
  const isListOutdated = ip !== old.clusterIP && jsonEqual(ips, old.clusterIPs) && ip !== undefined
  return withIps(spec, ip, isListOutdated ? [ip] : ips)
}

function withIps(spec: ServiceSpec, ip: string | undefined, ips: readonly string[] | undefined): ServiceSpec {
  return {
    ...spec,
    ...(ip === undefined ? {} : { clusterIP: ip }),
    ...(ips === undefined ? {} : { clusterIPs: ips }),
  }
}

/** A headless Service without a selector may have endpoints of any family. */
function isHeadlessWithoutSelector({ clusterIP, selector = {} }: ServiceSpec): boolean {
  return clusterIP === 'None' && Object.keys(selector).length === 0
}

/** Checks the addresses, and sets the policy and the families of a Service. */
function withIpFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): PreparedSpec {
  const defaultPolicy = isHeadlessWithoutSelector(spec) ? 'RequireDualStack' : 'SingleStack'
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? defaultPolicy
  const requested = { ...spec, ipFamilyPolicy }
  const addressErrors = clusterIpErrors(requested, old)
  if (addressErrors.length > 0) return { spec: requested, errors: addressErrors }
  const downgraded =
    old === undefined || ipFamilyPolicy !== 'SingleStack' ? requested : downgradeToOneFamily(requested, old)
  const inferred = inferFamilies(downgraded)
  const errors = [...singleStackErrors(downgraded), ...inferred.errors]
  if (errors.length > 0) return { spec: downgraded, errors }
  return isHeadlessWithoutSelector(downgraded)
    ? { spec: withSecondFamily(inferred.spec), errors }
    : withConfiguredFamilies(inferred.spec)
}

/** A change to the policy SingleStack removes the second address and family, unless the request changes them. */
function downgradeToOneFamily(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const { clusterIPs, ipFamilies } = spec
  return {
    ...spec,
    ...(clusterIPs && jsonEqual(clusterIPs, old.clusterIPs) ? { clusterIPs: clusterIPs.slice(0, 1) } : {}),
    ...(ipFamilies && jsonEqual(ipFamilies, old.ipFamilies) ? { ipFamilies: ipFamilies.slice(0, 1) } : {}),
  }
}

function singleStackErrors({ ipFamilyPolicy, clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return []
  const tooManyError = (member: string) =>
    invalidValue(
      'spec.ipFamilyPolicy',
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${member} are specified`,
    )
  return [
    ...(clusterIPs.length === 2 ? [tooManyError('cluster IPs')] : []),
    ...(ipFamilies.length === 2 ? [tooManyError('IP families')] : []),
  ]
}

/** Adds the family of each address without one. An IPv6 address is an error, because the cluster has only IPv4. */
function inferFamilies(spec: ServiceSpec): PreparedSpec {
  const { clusterIPs = [], ipFamilies = [] } = spec
  if (isHeadless(spec)) return { spec, errors: [] }
  const ipsWithoutFamily = clusterIPs.slice(ipFamilies.length)
  const errors = ipsWithoutFamily.flatMap((ip, index) => {
    const field = `spec.clusterIPs[${ipFamilies.length + index}]`
    return isIPv6(ip) ? [invalidValue(field, clusterIPs, 'IPv6 is not configured on this cluster')] : []
  })
  return { spec: { ...spec, ipFamilies: [...ipFamilies, ...ipsWithoutFamily.map(() => 'IPv4')] }, errors }
}

/** Adds the second family for a headless Service without a selector, unless its policy is SingleStack. */
function withSecondFamily(spec: ServiceSpec): ServiceSpec {
  const { ipFamilies = [], ipFamilyPolicy } = spec
  const [first = 'IPv4', ...others] = ipFamilies
  if (others.length > 0 || ipFamilyPolicy === 'SingleStack')
    return { ...spec, ipFamilies: [first, ...others] }
  return { ...spec, ipFamilies: [first, first === 'IPv4' ? 'IPv6' : 'IPv4'] }
}

/** Rejects families that the cluster does not have. The default is IPv4. */
function withConfiguredFamilies(spec: ServiceSpec): PreparedSpec {
  const { ipFamilies = [], ipFamilyPolicy } = spec
  const requiresDualStack = ipFamilyPolicy === 'RequireDualStack'
  const why = 'this cluster is not configured for dual-stack services'
  const errors = [
    ...(requiresDualStack ? [invalidValue('spec.ipFamilyPolicy', ipFamilyPolicy, why)] : []),
    ...ipFamilies.flatMap((family, index) => {
      const field = `spec.ipFamilies[${index}]`
      return family === 'IPv4' ? [] : [invalidValue(field, family, 'not configured on this cluster')]
    }),
  ]
  return { spec: { ...spec, ipFamilies: ipFamilies.length === 0 ? ['IPv4'] : ipFamilies }, errors }
}

/** Allocates the requested address, or a free one. */
function allocateAddress(spec: ServiceSpec, pool: Pool<string>): PreparedSpec {
  const [requestedIp = ''] = spec.clusterIPs ?? []
  if (requestedIp === '') {
    const ip = pool.allocate()
    return { spec: { ...spec, clusterIP: ip, clusterIPs: [ip] }, errors: [] }
  }
  const problem = pool.problem(requestedIp)
  if (problem === undefined) return { spec, errors: [] }
  const why = `failed to allocate IP ${requestedIp}: ${problem}`
  return { spec, errors: [invalidValue('spec.clusterIPs', spec.clusterIPs, why)] }
}
