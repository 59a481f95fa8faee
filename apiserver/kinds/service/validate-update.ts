import { isIP } from 'node:net'
import { type OpenObject, recordOf } from '../../base/object.js'
import { type FieldError, forbiddenValue, invalidValue } from '../../validation/field-error.js'
import { checkSubdomainName } from '../../validation/names.js'
import { checkAddress, checkName, checkOptionalChoice } from '../../validation/values.js'
import { isHeadless, needsClusterIp, needsHealthCheck, type ServiceSpec } from './spec.js'
import { loadBalancerClassErrors } from './validate.js'

/**
 * The errors of an update; `ValidateServiceUpdate` of Kubernetes v1.36.3, before the validation of the spec.
 */
export function changeErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  return [
    ...addressErrors(spec, old),
    ...familyErrors(spec, old),
    ...classErrors(spec, old),
    ...loadBalancerClassErrors(spec),
    ...healthCheckErrors(spec, old),
  ]
}

function addressErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (!needsClusterIp(spec) || !needsClusterIp(old) || (isHeadless(spec) && isHeadless(old))) return []
  const { clusterIPs: now = [] } = spec
  const { clusterIPs: before = [] } = old
  const refuse = (index: number) => invalidValue(`spec.clusterIPs[${index}]`, now, 'may not change once set')
  if (now.length === before.length)
    return before.flatMap((ip, index) => (ip === now[index] ? [] : [refuse(index)]))
  return before.length > 0 && now[0] !== before[0] ? [refuse(0)] : []
}

function familyErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  if (!needsClusterIp(spec) || !needsClusterIp(old) || isHeadless(spec) || isHeadless(old)) return []
  const { ipFamilies: now = [] } = spec
  const { ipFamilies: before = [] } = old
  if (now.length !== before.length) return []
  return before.flatMap((family, index) =>
    family === now[index] ? [] : [invalidValue('spec.ipFamilies[0]', now, 'may not change once set')],
  )
}

function classErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const isBalanced = spec.type === 'LoadBalancer' && old.type === 'LoadBalancer'
  const { loadBalancerClass: now = null } = spec
  if (!isBalanced || now === (old.loadBalancerClass ?? null)) return []
  return [invalidValue('spec.loadBalancerClass', now, 'may not change once set')]
}

function healthCheckErrors(spec: ServiceSpec, old: ServiceSpec): FieldError[] {
  const isSame = spec.healthCheckNodePort === old.healthCheckNodePort
  if (isSame || !needsHealthCheck(spec) || !needsHealthCheck(old)) return []
  return [forbiddenValue('spec.healthCheckNodePort', 'field is immutable')]
}

interface Ingress {
  readonly ip?: string
  readonly ipMode?: string
  readonly hostname?: string
}

/** The errors of a Service's status. */
export function statusErrors(service: OpenObject, { type }: ServiceSpec): FieldError[] {
  const ingressList = recordOf(recordOf(service.status).loadBalancer).ingress
  const ingress: readonly Ingress[] = Array.isArray(ingressList) ? ingressList : []
  const field = 'status.loadBalancer.ingress'
  if (type === 'LoadBalancer')
    return ingress.flatMap((each, index) => ingressErrors(`${field}[${index}]`, each))
  const why = "may only be used when `spec.type` is 'LoadBalancer'"
  return ingress.length === 0 ? [] : [forbiddenValue(field, why)]
}

function ingressErrors(field: string, ingress: Ingress): FieldError[] {
  return [...ipErrors(field, ingress), ...hostnameErrors(`${field}.hostname`, ingress)]
}

function hostnameErrors(field: string, { hostname = '' }: Ingress): FieldError[] {
  if (hostname === '') return []
  const errors = checkName(field, hostname, checkSubdomainName)
  if (isIP(hostname) === 0) return errors
  return [...errors, invalidValue(field, hostname, 'must be a DNS name, not an IP address')]
}

function ipErrors(field: string, { ip = '', ipMode }: Ingress): FieldError[] {
  if (ip !== '') {
    return [
      ...checkAddress(`${field}.ip`, ip),
      ...checkOptionalChoice(`${field}.ipMode`, ipMode, ['Proxy', 'VIP']),
    ]
  }
  const why = 'may not be specified when `ip` is not set'
  return ipMode === undefined ? [] : [forbiddenValue(`${field}.ipMode`, why)]
}
