import { invalidValue, required } from '../validation/field-error.js'
import { serviceName } from '../validation/names.js'
import { fieldAt, type KindRules, recordOf, textAt } from './kind-rules.js'

function withPortDefaults(port: unknown): unknown {
  const given = recordOf(port)
  return { protocol: 'TCP', targetPort: given.port, ...given }
}

function withAddress(spec: Record<string, unknown>, allocate: () => string): Record<string, unknown> {
  if (spec.type === 'ExternalName') return spec
  const clusterIP = spec.clusterIP || allocate()
  return { ...spec, clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }
}

/** https://kubernetes.io/docs/concepts/services-networking/service/ */
export const serviceRules: KindRules = {
  name: serviceName,
  returnsDeleted: true,
  selectable: {
    'spec.clusterIP': (object) => textAt(object, 'spec', 'clusterIP'),
    'spec.type': (object) => textAt(object, 'spec', 'type'),
  },
  prepare(object) {
    const given = recordOf(object.spec)
    const spec = { type: 'ClusterIP', sessionAffinity: 'None', internalTrafficPolicy: 'Cluster', ...given }
    if (Array.isArray(given.ports)) Object.assign(spec, { ports: given.ports.map(withPortDefaults) })
    object.spec = spec
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
    const before = textAt(old, 'spec', 'clusterIP')
    const now = textAt(object, 'spec', 'clusterIP')
    if (before === '' || before === now || textAt(object, 'spec', 'type') === 'ExternalName') return []
    const why = 'may not change once set'
    return [invalidValue('spec.clusterIPs[0]', [now], why)]
  },
}
