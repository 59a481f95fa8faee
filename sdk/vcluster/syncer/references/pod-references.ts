import {
  configMaps,
  persistentVolumeClaims,
  priorityClasses,
  secrets,
  serviceAccounts,
} from '../../../engine/kube/builtin.js'
import type { ReferencePath } from './reference-path.js'
import type { ReferenceRule, References } from './reference-rules.js'

/** The members of a Pod's specification that are known. */
export const podMembers: readonly string[] = [
  ...[
    'activeDeadlineSeconds',
    'affinity',
    'automountServiceAccountToken',
    'containers',
    'dnsConfig',
    'dnsPolicy',
  ],
  ...[
    'enableServiceLinks',
    'ephemeralContainers',
    'hostAliases',
    'hostIPC',
    'hostNetwork',
    'hostPID',
    'hostUsers',
  ],
  ...['hostname', 'hostnameOverride', 'imagePullSecrets', 'initContainers', 'nodeName', 'nodeSelector', 'os'],
  ...['overhead', 'preemptionPolicy', 'priorityClassName', 'readinessGates', 'resources', 'restartPolicy'],
  ...['runtimeClassName', 'schedulerName', 'schedulingGates', 'securityContext', 'serviceAccount'],
  ...['serviceAccountName', 'setHostnameAsFQDN', 'shareProcessNamespace', 'subdomain'],
  ...['terminationGracePeriodSeconds', 'tolerations', 'topologySpreadConstraints', 'volumes'],
]

/**
 * The kinds of volumes that stay inside the pod, or whose references are known. All other kinds reach the host, or its
 * cloud.
 */
const volumeMembers = [
  ...['name', 'configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim'],
  ...['projected', 'secret'],
]

const claimMembers = [
  'accessModes',
  'resources',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
]
const envMembers = ['configMapKeyRef', 'fieldRef', 'fileKeyRef', 'resourceFieldRef', 'secretKeyRef']

const podRules: References = {
  nodeName: 'refused',
  nodeSelector: 'plain',
  hostNetwork: 'refused',
  hostPID: 'refused',
  hostIPC: 'refused',
  priorityClassName: priorityClasses,
  serviceAccountName: serviceAccounts,
  serviceAccount: serviceAccounts,
  'imagePullSecrets[*].name': secrets,
  'affinity.nodeAffinity': 'plain',
  ...podTermReferences('affinity.podAffinity'),
  ...podTermReferences('affinity.podAntiAffinity'),
  'topologySpreadConstraints[*].labelSelector': 'label-selector',
  'volumes[*]': { only: volumeMembers },
  'volumes[*].secret.secretName': secrets,
  'volumes[*].configMap.name': configMaps,
  'volumes[*].persistentVolumeClaim.claimName': persistentVolumeClaims,
  'volumes[*].csi.nodePublishSecretRef.name': secrets,
  // Each driver has attributes of its own, some of which name objects of the host namespace.
  'volumes[*].csi.volumeAttributes': 'refused',
  'volumes[*].ephemeral.volumeClaimTemplate.spec': { only: claimMembers },
  'volumes[*].projected.sources[*]': { only: ['configMap', 'downwardAPI', 'secret'] },
  'volumes[*].projected.sources[*].secret.name': secrets,
  'volumes[*].projected.sources[*].configMap.name': configMaps,
  ...containerRules('initContainers'),
  ...containerRules('containers'),
  ...containerRules('ephemeralContainers'),
}

/** Options of {@link podReferences}. */
export interface PodReferencesOptions {
  /**
   * Members that the kind has in addition to those of a Pod, such as a Knative Service's
   * `containerConcurrency`; default none.
   */
  members?: readonly string[]
}

/**
 * The references of a pod's specification at a path of another kind: `podReferences('spec.template.spec')`.
 *
 * Names of Secrets, ConfigMaps, claims, service accounts and priority classes are translated, and so are selectors of
 * pods. Refused are a node's name, the host's namespaces, tokens of the host's service accounts, volumes of the node
 * or its cloud (`hostPath`, `nfs`, …), attributes of CSI drivers, and members that are not known here. It is not a pod
 * security policy: privileged containers and host ports are for the host namespace's own admission to judge, and a pod
 * without a service account's name runs as `default` of the host namespace unless it has
 * `automountServiceAccountToken: false`.
 *
 * @example
 * ```ts
 * const robots = { group: 'example.com', version: 'v1', kind: 'Robot', plural: 'robots', namespaced: true }
 * const references = { ...podReferences('spec.template.spec'), 'spec.template.spec.nodeSelector': 'refused' } as const
 * plugin.register(mirrorDown(ctx, robots, { references }))
 * ```
 */
export function podReferences(at: ReferencePath, { members = [] }: PodReferencesOptions = {}): References {
  const below = Object.entries(podRules).map(([path, rule]): [string, ReferenceRule] => [
    `${at}.${path}`,
    rule,
  ])
  return { [at]: { only: [...podMembers, ...members] }, ...Object.fromEntries(below) }
}

function podTermReferences(path: ReferencePath): References {
  const terms = [
    `${path}.requiredDuringSchedulingIgnoredDuringExecution[*]`,
    `${path}.preferredDuringSchedulingIgnoredDuringExecution[*].podAffinityTerm`,
  ]
  return Object.assign(
    {},
    ...terms.map((term) => ({
      [`${term}.labelSelector`]: 'label-selector',
      [`${term}.namespaceSelector`]: 'refused',
      [`${term}.namespaces`]: 'refused',
    })),
  )
}

function containerRules(path: ReferencePath): References {
  return {
    [`${path}[*].env[*].valueFrom`]: { only: envMembers },
    [`${path}[*].env[*].valueFrom.secretKeyRef.name`]: secrets,
    [`${path}[*].env[*].valueFrom.configMapKeyRef.name`]: configMaps,
    [`${path}[*].env[*].valueFrom.fileKeyRef`]: 'plain',
    [`${path}[*].envFrom[*]`]: { only: ['prefix', 'configMapRef', 'secretRef'] },
    [`${path}[*].envFrom[*].secretRef.name`]: secrets,
    [`${path}[*].envFrom[*].configMapRef.name`]: configMaps,
  }
}
