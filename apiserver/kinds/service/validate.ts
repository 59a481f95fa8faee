import { isIPv6 } from '../../base/is-ipv6.js'
import type { OpenObject } from '../../base/object.js'
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../../validation/field-error.js'
import { validateLabels } from '../../validation/metadata.js'
import { checkLabelName, checkSubdomainName } from '../../validation/names.js'
import { repeatedIndexes } from '../../validation/repeated.js'
import {
  checkAddress,
  checkChoice,
  checkName,
  checkOptionalChoice,
  checkPort,
  checkPortOrName,
  checkQualified,
} from '../../validation/values.js'
import { clusterIpErrors } from './cluster-ip-errors.js'
import { sourceRangeErrors } from './source-range-errors.js'
import {
  isHeadless,
  isReachableFromOutside,
  needsHealthCheck,
  type ServicePort,
  type ServiceSpec,
  specOf,
} from './spec.js'

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']
const affinities = ['ClientIP', 'None']
const policies = ['Cluster', 'Local']
const trafficDistributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode']
const maxAffinitySeconds = 86_400

/** The errors of a Service; `validateService` of Kubernetes v1.36.3, in its order. */
export function serviceErrors(service: OpenObject, oldService: OpenObject | undefined): FieldError[] {
  const spec = specOf(service)
  const old = oldService === undefined ? undefined : specOf(oldService)
  const { ports = [], type, selector } = spec
  return [
    ...typeErrors(spec),
    ...portErrors(ports),
    ...(selector === undefined ? [] : validateLabels(selector, 'spec.selector')),
    ...affinityErrors(spec),
    ...clusterIpErrors(spec, old),
    ...externalIpErrors(spec, old),
    ...checkChoice('spec.type', type, types),
    ...nodePortErrors(spec),
    ...duplicateErrors(ports),
    ...sourceRangeErrors(service, oldService),
    ...loadBalancerErrors(spec),
    ...policyErrors(spec),
  ]
}

function typeErrors(spec: ServiceSpec): FieldError[] {
  const { type, ports = [] } = spec
  if (type === 'ExternalName') return externalNameErrors(spec)
  if (isHeadless(spec)) {
    const why = `may not be set to 'None' for ${type} services`
    return type === 'LoadBalancer' || type === 'NodePort'
      ? [invalidValue('spec.clusterIPs[0]', 'None', why)]
      : []
  }
  return ports.length === 0 ? [required('spec.ports', '')] : []
}

function externalNameErrors(spec: ServiceSpec): FieldError[] {
  const { clusterIPs = [], ipFamilies = [], ipFamilyPolicy, externalName = '' } = spec
  const forbid = (name: string) => forbiddenValue(`spec.${name}`, 'may not be set for ExternalName services')
  const host = externalName.replace(/\.$/, '')
  return [
    ...(clusterIPs.length > 0 ? [forbid('clusterIPs')] : []),
    ...(ipFamilies.length > 0 ? [forbid('ipFamilies')] : []),
    ...(ipFamilyPolicy === undefined ? [] : [forbid('ipFamilyPolicy')]),
    ...(host === ''
      ? [required('spec.externalName', '')]
      : checkName('spec.externalName', host, checkSubdomainName)),
  ]
}

function portErrors(ports: readonly ServicePort[]): FieldError[] {
  const repeated = repeatedIndexes(ports.map(({ name }) => name))
  return ports.flatMap((port, index) => {
    const { name = '' } = port
    const field = `spec.ports[${index}].name`
    const nameless = ports.length > 1 ? [required(field, '')] : []
    return [
      ...(name === '' ? nameless : checkName(field, name, checkLabelName)),
      ...(name !== '' && repeated.has(index) ? [duplicate(field, name)] : []),
      ...onePortErrors(port, `spec.ports[${index}]`),
    ]
  })
}

function onePortErrors(port: ServicePort, path: string): FieldError[] {
  const { protocol, targetPort = 0, appProtocol } = port
  return [
    ...checkPort(`${path}.port`, port.port),
    ...checkChoice(`${path}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']),
    ...checkPortOrName(`${path}.targetPort`, targetPort),
    ...(appProtocol === undefined ? [] : checkQualified(`${path}.appProtocol`, appProtocol)),
  ]
}

function affinityErrors({ sessionAffinity, sessionAffinityConfig }: ServiceSpec): FieldError[] {
  const errors = checkChoice('spec.sessionAffinity', sessionAffinity, affinities)
  const seconds = sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 1
  if (sessionAffinity !== 'ClientIP' || (seconds > 0 && seconds <= maxAffinitySeconds)) return errors
  const why = `must be greater than 0 and less than ${maxAffinitySeconds}`
  return [...errors, invalidValue('spec.sessionAffinityConfig.clientIP.timeoutSeconds', seconds, why)]
}

function externalIpErrors({ externalIPs = [] }: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  const allowed = new Set(old?.externalIPs)
  return externalIPs.flatMap((ip, index) => {
    const field = `spec.externalIPs[${index}]`
    const errors = allowed.has(ip) ? [] : checkAddress(field, ip)
    return errors.length > 0 ? errors : specialAddressErrors(field, ip)
  })
}

/** The errors of an address that no machine can have; `ValidateEndpointIP` of Kubernetes. */
export function specialAddressErrors(field: string, ip: string): FieldError[] {
  const refuse = (why: string) => [invalidValue(field, ip, `may not be ${why}`)]
  if (ip === '0.0.0.0' || ip === '::') return refuse(`unspecified (${ip})`)
  if (ip.startsWith('127.') || ip === '::1') return refuse('in the loopback range (127.0.0.0/8, ::1/128)')
  if (ip.startsWith('169.254.') || (isIPv6(ip) && /^fe[89ab]/i.test(ip))) {
    return refuse('in the link-local range (169.254.0.0/16, fe80::/10)')
  }
  return ip.startsWith('224.0.0.') || (isIPv6(ip) && /^ff02/i.test(ip))
    ? refuse('in the link-local multicast range (224.0.0.0/24, ff02::/10)')
    : []
}

function nodePortErrors({ type, ports = [] }: ServiceSpec): FieldError[] {
  const used = ports.map(({ nodePort = 0, protocol = '' }) =>
    nodePort === 0 ? '' : `${protocol} ${nodePort}`,
  )
  const internal = ports.flatMap(({ nodePort = 0 }, index) => {
    const why = "may not be used when `type` is 'ClusterIP'"
    return type === 'ClusterIP' && nodePort !== 0
      ? [forbiddenValue(`spec.ports[${index}].nodePort`, why)]
      : []
  })
  const repeated = repeatedIndexes(used)
  const duplicates = ports.flatMap(({ nodePort }, index) => {
    const isDuplicate = used[index] !== '' && repeated.has(index)
    return isDuplicate ? [duplicate(`spec.ports[${index}].nodePort`, nodePort)] : []
  })
  return [...internal, ...duplicates]
}

function duplicateErrors(ports: readonly ServicePort[]): FieldError[] {
  const repeated = repeatedIndexes(ports.map(({ port, protocol }) => `${protocol} ${port}`))
  return ports.flatMap(({ port, protocol }, index) => {
    // The real server prints its own type, whose other members are empty.
    const shownValue = {
      Name: '',
      Protocol: protocol,
      AppProtocol: null,
      Port: port,
      TargetPort: 0,
      NodePort: 0,
    }
    return repeated.has(index) ? [duplicate(`spec.ports[${index}]`, shownValue)] : []
  })
}

function loadBalancerErrors(spec: ServiceSpec): FieldError[] {
  const { type, allocateLoadBalancerNodePorts } = spec
  if (type === 'LoadBalancer') return loadBalancerClassErrors(spec)
  const forbid = (name: string) =>
    forbiddenValue(`spec.${name}`, "may only be used when `type` is 'LoadBalancer'")
  return [
    ...(allocateLoadBalancerNodePorts === undefined ? [] : [forbid('allocateLoadBalancerNodePorts')]),
    ...loadBalancerClassErrors(spec),
  ]
}

/** `validateLoadBalancerClassField` of Kubernetes v1.36.3, which an update calls twice. */
export function loadBalancerClassErrors({ type, loadBalancerClass }: ServiceSpec): FieldError[] {
  const field = 'spec.loadBalancerClass'
  if (loadBalancerClass === undefined) return []
  return type === 'LoadBalancer'
    ? checkQualified(field, loadBalancerClass)
    : [forbiddenValue(field, "may only be used when `type` is 'LoadBalancer'")]
}

function policyErrors(spec: ServiceSpec): FieldError[] {
  const { externalTrafficPolicy, internalTrafficPolicy, trafficDistribution } = spec
  const distributions = trafficDistributions.includes(trafficDistribution ?? 'PreferClose')
    ? []
    : [unsupported('spec.trafficDistribution', JSON.stringify(trafficDistribution), trafficDistributions)]
  const external = 'spec.externalTrafficPolicy'
  const misplaced =
    externalTrafficPolicy === undefined
      ? []
      : [invalidValue(external, externalTrafficPolicy, 'may only be set for externally-accessible services')]
  return [
    ...(isReachableFromOutside(spec) ? checkChoice(external, externalTrafficPolicy, policies) : misplaced),
    ...healthCheckErrors(spec),
    ...checkOptionalChoice('spec.internalTrafficPolicy', internalTrafficPolicy, policies),
    ...distributions,
  ]
}

function healthCheckErrors(spec: ServiceSpec): FieldError[] {
  const { healthCheckNodePort = 0 } = spec
  const field = 'spec.healthCheckNodePort'
  if (needsHealthCheck(spec)) {
    return healthCheckNodePort === 0 ? [required(field, '')] : checkPort(field, healthCheckNodePort)
  }
  const why = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
  return healthCheckNodePort === 0 ? [] : [invalidValue(field, healthCheckNodePort, why)]
}
