import {
  type FieldError,
  forbiddenValue,
  invalidValue,
  required,
  unsupported,
} from '../validation/field-error.js'
import { labelName } from '../validation/names.js'
import { fieldAt, type KindRules, recordOf, textAt } from './kind-rules.js'

function withPortDefaults(port: unknown): unknown {
  const given = recordOf(port)
  return { protocol: 'TCP', targetPort: given.port, ...given }
}

function withAddress(spec: Record<string, unknown>, allocate: () => string): Record<string, unknown> {
  if (spec.type === 'ExternalName') return spec
  const clusterIP = spec.clusterIP || allocate()
  // Whoever makes the endpoints of a headless service without a selector may give them any address.
  const isOpen = clusterIP === 'None' && spec.selector === undefined
  const families = isOpen ? ['IPv4', 'IPv6'] : ['IPv4']
  const ipFamilyPolicy = isOpen ? 'RequireDualStack' : 'SingleStack'
  return { ...spec, clusterIP, clusterIPs: [clusterIP], ipFamilies: families, ipFamilyPolicy }
}

/** What a service is given when it says nothing. */
function withDefaults(given: Record<string, unknown>): Record<string, unknown> {
  const spec: Record<string, unknown> = { type: 'ClusterIP', sessionAffinity: 'None', ...given }
  if (Array.isArray(given.ports)) spec.ports = given.ports.map(withPortDefaults)
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.sessionAffinity === 'ClientIP') {
    spec.sessionAffinityConfig ??= { clientIP: { timeoutSeconds: 10_800 } }
  }
  return spec
}

const TYPES = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']

function validatePorts(ports: unknown): FieldError[] {
  if (!Array.isArray(ports)) return []
  return ports.flatMap((port, index) =>
    validatePort(recordOf(port), `spec.ports[${index}]`, ports.length > 1),
  )
}

function validatePort(port: Record<string, unknown>, path: string, named: boolean): FieldError[] {
  const errors = named && textAt(port, 'name') === '' ? [required(`${path}.name`, '')] : []
  for (const field of ['port', 'targetPort']) {
    const value = port[field]
    if (typeof value !== 'number' || (value > 0 && value < 65_536)) continue
    errors.push(invalidValue(`${path}.${field}`, value, 'must be between 1 and 65535, inclusive'))
  }
  return errors
}

/** https://kubernetes.io/docs/concepts/services-networking/service/ */
export const serviceRules: KindRules = {
  name: labelName,
  createOnUpdate: true,
  checksMetadataAgain: false,
  returnsDeleted: true,
  selectable: {
    'spec.clusterIP': (object) => textAt(object, 'spec', 'clusterIP'),
    'spec.type': (object) => textAt(object, 'spec', 'type'),
  },
  prepare(object) {
    object.spec = withDefaults(recordOf(object.spec))
    object.status ??= { loadBalancer: {} }
  },
  prepareCreate(object, { allocateClusterIp }) {
    object.spec = withAddress(recordOf(object.spec), allocateClusterIp)
    object.status = { loadBalancer: {} }
  },
  prepareUpdate(object, old) {
    const spec = recordOf(object.spec)
    const kept = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'].filter(
      (field) => spec[field] === undefined || spec[field] === '',
    )
    const carried = kept.map((field) => [field, fieldAt(old, 'spec', field)] as const)
    const present = carried.filter(([, value]) => value !== undefined)
    if (spec.type !== 'ExternalName') object.spec = { ...spec, ...Object.fromEntries(present) }
  },
  validate(object, old) {
    const { type, clusterIP, ports } = recordOf(object.spec)
    const isBare = type === 'ExternalName' || clusterIP === 'None'
    if (!isBare && !Array.isArray(ports)) return [required('spec.ports', '')]
    const errors = validatePorts(ports)
    if (!TYPES.includes(String(type))) errors.push(unsupported('spec.type', `"${type}"`, TYPES))
    if (type === 'ExternalName' && clusterIP) {
      errors.push(forbiddenValue('spec.clusterIPs', 'may not be set for ExternalName services'))
    }
    if (errors.length > 0) return errors
    const before = textAt(old, 'spec', 'clusterIP')
    const now = textAt(object, 'spec', 'clusterIP')
    if (before === '' || before === now || textAt(object, 'spec', 'type') === 'ExternalName') return []
    const why = 'may not change once set'
    return [invalidValue('spec.clusterIPs[0]', [now], why)]
  },
}
