import { recordOf } from '../../base/object.js'
import { imageTag } from './image-tag.js'
import { type Defaults, isMissing, type Members, withMember, withMissingMembers } from './members.js'

function pullPolicyOf(image: unknown): string {
  return imageTag(String(image ?? '')) === 'latest' ? 'Always' : 'IfNotPresent'
}

function container(value: Members): Members {
  const defaults = {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(value.image),
  }
  return Object.keys(defaults).every((name) => value[name] !== undefined)
    ? value
    : withMissingMembers(defaults, value)
}

/** The resources of a container with a request for each limit without one; only in pods, not in templates. */
function withRequests(value: unknown): unknown {
  const { limits, requests } = recordOf(recordOf(value).resources)
  if (limits === undefined) return value
  const requested = recordOf(requests)
  if (requests !== undefined && Object.keys(recordOf(limits)).every((name) => requested[name] !== undefined))
    return value
  const complete = { limits, requests: { ...recordOf(limits), ...requested } }
  return { ...recordOf(value), resources: { ...recordOf(recordOf(value).resources), ...complete } }
}

/** The container with host ports, for a pod that uses the network of its node. */
function withHostPorts(value: unknown): unknown {
  const { ports } = recordOf(value)
  if (!Array.isArray(ports)) return value
  const host = ports.map((port) => withMember(recordOf(port), 'hostPort', recordOf(port).containerPort))
  return { ...recordOf(value), ports: host }
}

function pod(value: Members): Members {
  const spec = withMember(recordOf(value.spec), 'enableServiceLinks', true)
  for (const field of ['containers', 'initContainers']) {
    const list = spec[field]
    if (!Array.isArray(list)) continue
    const asking = list.map(withRequests)
    spec[field] = spec.hostNetwork === true ? asking.map(withHostPorts) : asking
  }
  return { ...value, spec }
}

const podSpecDefaults = {
  dnsPolicy: 'ClusterFirst',
  restartPolicy: 'Always',
  securityContext: {},
  terminationGracePeriodSeconds: 30,
  schedulerName: 'default-scheduler',
}

function podSpec(value: Members): Members {
  const isComplete = Object.keys(podSpecDefaults).every((name) => !isMissing(value[name]))
  const account = value.serviceAccountName ?? value.serviceAccount
  // Both names of the field are stored.
  if (isComplete && value.serviceAccount === account && value.serviceAccountName === account) return value
  const named =
    account === undefined ? value : { ...value, serviceAccountName: account, serviceAccount: account }
  return withMissingMembers(podSpecDefaults, named)
}

function volume(value: Members): Members {
  return Object.keys(value).some((name) => name !== 'name') ? value : { ...value, emptyDir: {} }
}

function imageVolume(value: Members): Members {
  return withMember(value, 'pullPolicy', pullPolicyOf(value.reference))
}

const fileMode = { defaultMode: 0o644 }

/** Pods, their templates and their parts; `pkg/apis/core/v1/defaults.go` of Kubernetes v1.36.3. */
export const podDefaults: Readonly<Record<string, Defaults>> = {
  'core/v1.Pod': pod,
  'core/v1.PodSpec': podSpec,
  'core/v1.Container': container,
  'core/v1.EphemeralContainer': container,
  'core/v1.ContainerPort': { protocol: 'TCP' },
  'core/v1.Probe': { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  'core/v1.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'core/v1.GRPCAction': { service: '' },
  'core/v1.ObjectFieldSelector': { apiVersion: 'v1' },
  'core/v1.FileKeySelector': { optional: false },
  'core/v1.Volume': volume,
  'core/v1.ImageVolumeSource': imageVolume,
  'core/v1.HostPathVolumeSource': { type: '' },
  'core/v1.SecretVolumeSource': fileMode,
  'core/v1.ConfigMapVolumeSource': fileMode,
  'core/v1.DownwardAPIVolumeSource': fileMode,
  'core/v1.ProjectedVolumeSource': fileMode,
  'core/v1.ServiceAccountTokenProjection': { expirationSeconds: 3600 },
  'core/v1.ISCSIVolumeSource': { iscsiInterface: 'default' },
  'core/v1.RBDVolumeSource': { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  'core/v1.ScaleIOVolumeSource': { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  'core/v1.AzureDiskVolumeSource': {
    cachingMode: 'ReadWrite',
    fsType: 'ext4',
    readOnly: false,
    kind: 'Shared',
  },
}
