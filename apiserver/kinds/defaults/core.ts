import { recordOf } from '../../base/object.js'
import { isReachableFromOutside, type ServiceSpec } from '../service/spec.js'
import { type Defaults, type Members, withMember, withMissingMembers } from './members.js'

const internalTypes = ['ClusterIP', 'NodePort', 'LoadBalancer']

function serviceSpec(value: Members): Members {
  const spec = withMissingMembers({ sessionAffinity: 'None', type: 'ClusterIP' }, value)
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  const { clientIP } = recordOf(spec.sessionAffinityConfig)
  if (spec.sessionAffinity === 'ClientIP' && recordOf(clientIP).timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } }
  }
  if (isReachableFromOutside(spec as ServiceSpec)) spec.externalTrafficPolicy ??= 'Cluster'
  if (internalTypes.includes(String(spec.type))) spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
  return spec
}

function servicePort(value: Members): Members {
  const { targetPort, port } = value
  const target = targetPort === undefined || targetPort === '' || targetPort === 0 ? port : targetPort
  return target === targetPort && value.protocol !== undefined
    ? value
    : { ...withMissingMembers({ protocol: 'TCP' }, value), targetPort: target }
}

/** An address of a load balancer gets an IP mode. */
function service(value: Members): Members {
  const { ingress } = recordOf(recordOf(value.status).loadBalancer)
  if (recordOf(value.spec).type !== 'LoadBalancer' || !Array.isArray(ingress)) return value
  const complete = ingress.map((each) =>
    recordOf(each).ip === undefined ? each : withMember(recordOf(each), 'ipMode', 'VIP'),
  )
  return { ...value, status: { ...recordOf(value.status), loadBalancer: { ingress: complete } } }
}

function claim(value: Members): Members {
  return { ...value, status: withMissingMembers({ phase: 'Pending' }, value.status) }
}

function replicationController(value: Members): Members {
  const spec = recordOf(value.spec)
  const labels = recordOf(recordOf(recordOf(spec.template).metadata).labels)
  if (Object.keys(labels).length === 0) return value
  const metadata = withMember(recordOf(value.metadata), 'labels', labels)
  return { ...value, metadata, spec: withMember(spec, 'selector', labels) }
}

function nodeStatus(value: Members): Members {
  return value.capacity === undefined ? value : withMember(value, 'allocatable', value.capacity)
}

function limitRangeItem(value: Members): Members {
  if (value.type !== 'Container') return value
  const limits = { ...recordOf(value.max), ...recordOf(value.default) }
  const requests = { ...recordOf(value.min), ...limits, ...recordOf(value.defaultRequest) }
  const isEmpty = Object.keys(requests).length === 0
  return isEmpty ? value : { ...value, default: limits, defaultRequest: requests }
}

/** The core group without pods; `pkg/apis/core/v1/defaults.go` of Kubernetes v1.36.3. */
export const coreDefaults: Readonly<Record<string, Defaults>> = {
  'core/v1.Secret': { type: 'Opaque' },
  'core/v1.Service': service,
  'core/v1.ServiceSpec': serviceSpec,
  'core/v1.ServicePort': servicePort,
  'core/v1.EndpointPort': { protocol: 'TCP' },
  'core/v1.ReplicationController': replicationController,
  'core/v1.ReplicationControllerSpec': { replicas: 1 },
  'core/v1.PersistentVolumeSpec': { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  'core/v1.PersistentVolumeStatus': { phase: 'Pending' },
  'core/v1.PersistentVolumeClaim': claim,
  'core/v1.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'core/v1.ISCSIPersistentVolumeSource': { iscsiInterface: 'default' },
  'core/v1.RBDPersistentVolumeSource': { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  'core/v1.ScaleIOPersistentVolumeSource': { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  'core/v1.NodeStatus': nodeStatus,
  'core/v1.LimitRangeItem': limitRangeItem,
}
