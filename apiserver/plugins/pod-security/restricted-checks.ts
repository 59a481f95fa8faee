import { procMount, unlessUserNamespace } from './baseline-checks.js'
import {
  type Check,
  containersText,
  type PodCheck,
  plural,
  quoteAll,
  settersText,
  sortedUnique,
} from './check.js'
import { seccompRestricted, unlessWindows } from './seccomp-checks.js'

const privilegeEscalation: PodCheck = ({ containers }) => {
  const bad = containers.filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false)
  if (bad.length === 0) return undefined
  const detail = `${containersText(bad)} must set securityContext.allowPrivilegeEscalation=false`
  return { reason: 'allowPrivilegeEscalation != false', detail }
}

const capabilities: PodCheck = ({ containers }) => {
  const forbiddenNames = (add: readonly string[] = []) => add.filter((name) => name !== 'NET_BIND_SERVICE')
  const withoutDrop = containers.filter(
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  )
  const adding = containers.filter(
    ({ securityContext }) => forbiddenNames(securityContext?.capabilities?.add).length > 0,
  )
  const names = sortedUnique(
    adding.flatMap(({ securityContext }) => forbiddenNames(securityContext?.capabilities?.add)),
  )
  const added = `must not include ${quoteAll(names)} in securityContext.capabilities.add`
  const details = [
    ...(withoutDrop.length > 0
      ? [`${containersText(withoutDrop)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding.length > 0 ? [`${containersText(adding)} ${added}`] : []),
  ]
  return details.length === 0
    ? undefined
    : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]
/** The types that a message names; any other type is `unknown`. */
const forbiddenVolumes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
]

const volumeTypes: PodCheck = ({ spec: { volumes = [] } }) => {
  const bad = volumes.filter((volume) => !allowedVolumes.some((type) => type in volume))
  if (bad.length === 0) return undefined
  const types = sortedUnique(
    bad.map((volume) => forbiddenVolumes.find((type) => type in volume) ?? 'unknown'),
  )
  const names = quoteAll(bad.map(({ name = '' }) => name))
  const uses = `${plural(bad.length, 'uses', 'use')} ${plural(types.length, 'restricted volume type')}`
  return {
    reason: 'restricted volume types',
    detail: `${plural(bad.length, 'volume')} ${names} ${uses} ${quoteAll(types)}`,
  }
}

const runAsNonRoot: PodCheck = ({ spec, containers }) => {
  const reason = 'runAsNonRoot != true'
  const podValue = spec.securityContext?.runAsNonRoot
  const bad = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === false)
  if (podValue === false || bad.length > 0) {
    const setters = settersText(podValue === false, bad)
    return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` }
  }
  const unset = containers.filter(({ securityContext }) => securityContext?.runAsNonRoot === undefined)
  if (podValue === true || unset.length === 0) return undefined
  return { reason, detail: `pod or ${containersText(unset)} must set securityContext.runAsNonRoot=true` }
}

const runAsUser: PodCheck = ({ spec, containers }) => {
  const isSetOnPod = spec.securityContext?.runAsUser === 0
  const bad = containers.filter(({ securityContext }) => securityContext?.runAsUser === 0)
  if (!isSetOnPod && bad.length === 0) return undefined
  return { reason: 'runAsUser=0', detail: `${settersText(isSetOnPod, bad)} must not set runAsUser=0` }
}

/** The checks of the level `restricted`, by their ids; k8s.io/pod-security-admission v0.36.3. */
export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      { since: 8, check: privilegeEscalation },
      { since: 25, check: unlessWindows(privilegeEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    versions: [
      { since: 22, check: capabilities },
      { since: 25, check: unlessWindows(capabilities) },
    ],
    overrides: 'capabilities_baseline',
  },
  {
    id: 'procMount_restricted',
    level: 'restricted',
    versions: [{ since: 35, check: procMount }],
    overrides: 'procMount',
  },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    versions: [{ since: 0, check: volumeTypes }],
    overrides: 'hostPathVolumes',
  },
  {
    id: 'runAsNonRoot',
    level: 'restricted',
    versions: [
      { since: 0, check: runAsNonRoot },
      { since: 35, check: unlessUserNamespace(runAsNonRoot) },
    ],
  },
  {
    id: 'runAsUser',
    level: 'restricted',
    versions: [
      { since: 23, check: runAsUser },
      { since: 35, check: unlessUserNamespace(runAsUser) },
    ],
  },
  seccompRestricted,
]
