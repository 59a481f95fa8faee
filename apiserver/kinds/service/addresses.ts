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
  const linked = withBothForms(spec, old)
  if (!needsClusterIp(linked)) return { spec: linked, errors: [] }
  const { spec: completed, errors } = withFamilies(linked, old)
  if (errors.length > 0 || isHeadless(completed)) return { spec: completed, errors }
  const isKept = old !== undefined && needsClusterIp(old)
  return isKept ? { spec: completed, errors } : allocateAddress(completed, pool)
}

/** The address is in `clusterIP` and first in `clusterIPs`; older clients know only `clusterIP`. */
function withBothForms(spec: ServiceSpec, old: ServiceSpec | undefined): ServiceSpec {
  const { clusterIP = '', clusterIPs = [] } = spec
  if (old === undefined)
    return clusterIP !== '' && clusterIPs.length === 0 ? { ...spec, clusterIPs: [clusterIP] } : spec
  if (!needsClusterIp(old) || !needsClusterIp(spec)) {
    return clusterIP !== '' && clusterIPs.length === 0 && !needsClusterIp(old)
      ? { ...spec, clusterIPs: [clusterIP] }
      : spec
  }
  const ip = clusterIP === '' ? old.clusterIP : clusterIP
  const ips = clusterIPs.length === 0 ? old.clusterIPs : clusterIPs
  const isOnlyOne = ip !== old.clusterIP && jsonEqual(ips, old.clusterIPs) && ip !== undefined
  return withAddress(spec, ip, isOnlyOne ? [ip] : ips)
}

function withAddress(
  spec: ServiceSpec,
  ip: string | undefined,
  ips: readonly string[] | undefined,
): ServiceSpec {
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

function withFamilies(spec: ServiceSpec, old: ServiceSpec | undefined): PreparedSpec {
  const usual = isHeadlessWithoutSelector(spec) ? 'RequireDualStack' : 'SingleStack'
  const ipFamilyPolicy = spec.ipFamilyPolicy ?? old?.ipFamilyPolicy ?? usual
  const requested = { ...spec, ipFamilyPolicy }
  const before = clusterIpErrors(requested, old)
  if (before.length > 0) return { spec: requested, errors: before }
  const shrunk =
    old === undefined || ipFamilyPolicy !== 'SingleStack' ? requested : withOneFamily(requested, old)
  const inferred = inferFamilies(shrunk)
  const errors = [...stackErrors(shrunk), ...inferred.errors]
  if (errors.length > 0) return { spec: shrunk, errors }
  return isHeadlessWithoutSelector(shrunk)
    ? { spec: withBothAddresses(inferred.spec), errors }
    : withConfiguredFamilies(inferred.spec)
}

/** A change to one family removes the second address. */
function withOneFamily(spec: ServiceSpec, old: ServiceSpec): ServiceSpec {
  const { clusterIPs, ipFamilies } = spec
  return {
    ...spec,
    ...(clusterIPs && jsonEqual(clusterIPs, old.clusterIPs) ? { clusterIPs: clusterIPs.slice(0, 1) } : {}),
    ...(ipFamilies && jsonEqual(ipFamilies, old.ipFamilies) ? { ipFamilies: ipFamilies.slice(0, 1) } : {}),
  }
}

function stackErrors({ ipFamilyPolicy, clusterIPs = [], ipFamilies = [] }: ServiceSpec): FieldError[] {
  if (ipFamilyPolicy !== 'SingleStack') return []
  const refuse = (member: string) =>
    invalidValue(
      'spec.ipFamilyPolicy',
      ipFamilyPolicy,
      `must be 'RequireDualStack' or 'PreferDualStack' when multiple ${member} are specified`,
    )
  return [
    ...(clusterIPs.length === 2 ? [refuse('cluster IPs')] : []),
    ...(ipFamilies.length === 2 ? [refuse('IP families')] : []),
  ]
}

function inferFamilies(spec: ServiceSpec): PreparedSpec {
  const { clusterIPs = [], ipFamilies = [] } = spec
  if (isHeadless(spec)) return { spec, errors: [] }
  const unknown = clusterIPs.slice(ipFamilies.length)
  const errors = unknown.flatMap((ip, index) => {
    const field = `spec.clusterIPs[${ipFamilies.length + index}]`
    return isIPv6(ip) ? [invalidValue(field, clusterIPs, 'IPv6 is not configured on this cluster')] : []
  })
  return { spec: { ...spec, ipFamilies: [...ipFamilies, ...unknown.map(() => 'IPv4')] }, errors }
}

function withBothAddresses(spec: ServiceSpec): ServiceSpec {
  const { ipFamilies = [], ipFamilyPolicy } = spec
  const [first = 'IPv4', ...others] = ipFamilies
  if (others.length > 0 || ipFamilyPolicy === 'SingleStack')
    return { ...spec, ipFamilies: [first, ...others] }
  return { ...spec, ipFamilies: [first, first === 'IPv4' ? 'IPv6' : 'IPv4'] }
}

function withConfiguredFamilies(spec: ServiceSpec): PreparedSpec {
  const { ipFamilies = [], ipFamilyPolicy } = spec
  const isDual = ipFamilyPolicy === 'RequireDualStack'
  const why = 'this cluster is not configured for dual-stack services'
  const errors = [
    ...(isDual ? [invalidValue('spec.ipFamilyPolicy', ipFamilyPolicy, why)] : []),
    ...ipFamilies.flatMap((family, index) => {
      const field = `spec.ipFamilies[${index}]`
      return family === 'IPv4' ? [] : [invalidValue(field, family, 'not configured on this cluster')]
    }),
  ]
  return { spec: { ...spec, ipFamilies: ipFamilies.length === 0 ? ['IPv4'] : ipFamilies }, errors }
}

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
