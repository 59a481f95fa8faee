/** Warnings about pods and their templates; `pkg/api/pod/warnings.go` of Kubernetes v1.36.3, in its order. */
import { type OpenObject, recordOf, textAt } from '../../base/object.js'
import { checkLabelName } from '../../validation/names.js'
import { addressWarnings } from '../../validation/strict-addresses.js'
import { fractionalBytes } from './byte-warnings.js'
import { deprecatedNodeLabel, listAt, placementWarnings } from './node-label-warnings.js'
import { type ContainerAtPath, containersAt, portWarnings } from './port-warnings.js'
import { volumeWarnings } from './volume-warnings.js'

type Spec = Record<string, unknown>

/** Annotations of pods that were replaced by fields. */
const deprecatedAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod':
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
}
const seccompAnnotation = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/'
const appArmor = 'container.apparmor.security.beta.kubernetes.io/'
const noSeccomp = 'non-functional in v1.27+; use the "seccompProfile" field instead'
const oldAppArmor = 'deprecated since v1.30; use the "appArmorProfile" field instead'

/** The warnings for a create of a pod. */
export function podWarnings(pod: OpenObject): string[] {
  const hostname = hostnameWarning(pod, "the Pod's hostname")
  return [...hostname, ...warningsOf(pod, '')]
}

/** The warnings for a pod template at its path. */
export function templateWarningsAt(value: unknown, pathPrefix: string): string[] {
  return warningsOf(recordOf(value), `${pathPrefix}.`)
}

/** A name that becomes part of a hostname should be a DNS label. */
export function hostnameWarning({ metadata }: OpenObject, use: string): string[] {
  const { name = '' } = metadata
  const problem = name === '' ? undefined : hostnameProblem(name)
  if (problem === undefined) return []
  const advice = `which can result in surprising behavior; a DNS label is recommended: [${problem}]`
  return [`metadata.name: this is used in ${use}, ${advice}`]
}

const maxLabel = 63

/** The problems of a name in one text; Go lists them without a separator. */
function hostnameProblem(name: string): string | undefined {
  const isLong = name.length > maxLabel ? [`must be no more than ${maxLabel} characters`] : []
  const form = checkLabelName(name.slice(0, maxLabel).replace(/[-.]+$/, ''))
  const problems = [...isLong, ...(name.includes('.') ? ['must not contain dots'] : form ? [form] : [])]
  return problems.length === 0 ? undefined : problems.join(' ')
}

function warningsOf(
  { spec: givenSpec, metadata }: { spec?: unknown; metadata?: unknown },
  pathPrefix: string,
): string[] {
  const spec = recordOf(givenSpec)
  const path = `${pathPrefix}spec`
  const annotations = recordOf(recordOf(metadata).annotations)
  const containers = containersAt(spec, path)
  return [
    ...placementWarnings(spec, path),
    ...spreadWarnings(spec, path),
    ...annotationWarnings(annotations, `${pathPrefix}metadata.annotations`),
    ...volumeWarnings(spec, path),
    ...duplicateKeyWarnings(listAt(spec, 'hostAliases'), 'ip', `${path}.hostAliases`),
    ...duplicateKeyWarnings(listAt(spec, 'imagePullSecrets'), 'name', `${path}.imagePullSecrets`),
    ...namelessWarnings(spec, path),
    ...byteWarnings(spec.overhead, `${path}.overhead`),
    ...seccompWarnings(spec, annotations, `${pathPrefix}metadata.annotations`),
    ...containers.flatMap((each) => [
      ...profileWarnings(each, { spec, annotations, pathPrefix }),
      ...resourceWarnings(each),
      ...hiddenVariableWarnings(each),
    ]),
    ...portWarnings(containers),
    ...graceWarnings(spec, path),
    ...affinityWarnings(spec, path),
    ...addressesWarnings(spec, path),
  ]
}

const matchesNone = 'a null labelSelector results in matching no pod'

function spreadWarnings(spec: Spec, specPath: string): string[] {
  return listAt(spec, 'topologySpreadConstraints').flatMap((constraint, index) => {
    const path = `${specPath}.topologySpreadConstraints[${index}]`
    const key = textAt(constraint, 'topologyKey')
    const why = deprecatedNodeLabel(key)
    return [
      ...(why === undefined ? [] : [`${path}.topologyKey: ${key} is ${why}`]),
      ...(constraint.labelSelector ? [] : [`${path}.labelSelector: ${matchesNone}`]),
    ]
  })
}

function annotationWarnings(annotations: object, annotationsPath: string): string[] {
  return Object.entries(deprecatedAnnotations).flatMap(([name, why]) =>
    Object.hasOwn(annotations, name) ? [`${annotationsPath}[${name}]: ${why}`] : [],
  )
}

/** The warnings for elements with the same key, which a patch cannot distinguish. */
function duplicateKeyWarnings(elements: readonly Spec[], key: string, path: string): string[] {
  const seenValues = new Set<string>()
  return elements.flatMap((element, index) => {
    const value = textAt(element, key)
    const isDuplicate = seenValues.has(value)
    seenValues.add(value)
    return isDuplicate ? [`${path}[${index}].${key}: duplicate ${key} "${value}"`] : []
  })
}

function namelessWarnings(spec: Spec, path: string): string[] {
  return listAt(spec, 'imagePullSecrets').flatMap((secret, index) =>
    textAt(secret, 'name') === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  )
}

function byteWarnings(amounts: unknown, path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => fractionalBytes(path, amounts, name))
}

function seccompWarnings({ securityContext }: Spec, annotations: object, annotationsPath: string): string[] {
  const isReplaced = recordOf(securityContext).seccompProfile !== undefined
  return isReplaced || !Object.hasOwn(annotations, seccompAnnotation)
    ? []
    : [`${annotationsPath}[${seccompAnnotation}]: ${noSeccomp}`]
}

/** The pod of a container. */
interface ContainerPod {
  readonly spec: Spec
  readonly annotations: Spec
  /** The path of the pod or template; empty for a pod, whose AppArmor annotations become fields. */
  readonly pathPrefix: string
}

function profileWarnings(
  { container }: ContainerAtPath,
  { spec, annotations, pathPrefix }: ContainerPod,
): string[] {
  const { seccompProfile, appArmorProfile } = recordOf(container.securityContext)
  const name = textAt(container, 'name')
  const [seccomp, armor] = [`${containerSeccomp}${name}`, `${appArmor}${name}`]
  const isOldArmor =
    appArmorProfile === undefined &&
    Object.hasOwn(annotations, armor) &&
    !isSameProfile(recordOf(spec.securityContext).appArmorProfile, String(annotations[armor]))
  return [
    ...(seccompProfile === undefined && Object.hasOwn(annotations, seccomp)
      ? [`${pathPrefix}metadata.annotations[${seccomp}]: ${noSeccomp}`]
      : []),
    ...(isOldArmor ? [`${pathPrefix}metadata.annotations[${armor}]: ${oldAppArmor}`] : []),
  ]
}

function isSameProfile(profile: unknown, annotation: string): boolean {
  const [type, file] = [textAt(profile, 'type'), textAt(profile, 'localhostProfile')]
  if (annotation === 'unconfined') return type === 'Unconfined'
  if (annotation === 'runtime/default') return type === 'RuntimeDefault'
  return type === 'Localhost' && annotation === `localhost/${file}`
}

function resourceWarnings({ container, path }: ContainerAtPath): string[] {
  const { limits, requests } = recordOf(container.resources)
  return ['memory', 'ephemeral-storage'].flatMap((name) => [
    ...fractionalBytes(`${path}.resources.limits`, limits, name),
    ...fractionalBytes(`${path}.resources.requests`, requests, name),
  ])
}

/** The warnings for variables that hide an earlier variable of the same name. A variable may use its previous value. */
function hiddenVariableWarnings({ container, path }: ContainerAtPath): string[] {
  const seenNames = new Set<string>()
  return listAt(container, 'env').flatMap((variable, index) => {
    const [name, value] = [textAt(variable, 'name'), textAt(variable, 'value')]
    const reference = `$(${name})`
    const isUsed = variable.valueFrom === undefined && value !== reference && value.includes(reference)
    const isHidden = seenNames.has(name) && !isUsed
    seenNames.add(name)
    const why = `hides previous definition of "${name}", which may be dropped when using apply`
    return isHidden ? [`${path}.env[${index}]: ${why}`] : []
  })
}

function graceWarnings({ terminationGracePeriodSeconds: seconds }: Spec, path: string): string[] {
  const why = 'must be >= 0; negative values are invalid and will be treated as 1'
  return Number(seconds ?? 0) < 0 ? [`${path}.terminationGracePeriodSeconds: ${why}`] : []
}

function affinityWarnings(spec: Spec, specPath: string): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const affinity = recordOf(recordOf(spec.affinity)[kind])
    const [required, preferred] = [
      'requiredDuringSchedulingIgnoredDuringExecution',
      'preferredDuringSchedulingIgnoredDuringExecution',
    ]
    const path = `${specPath}.affinity.${kind}`
    return [
      ...listAt(affinity, required).flatMap(({ labelSelector }, index) =>
        labelSelector ? [] : [`${path}.${required}[${index}].labelSelector: ${matchesNone}`],
      ),
      ...listAt(affinity, preferred).flatMap(({ podAffinityTerm }, index) =>
        recordOf(podAffinityTerm).labelSelector
          ? []
          : [`${path}.${preferred}[${index}].podAffinityTerm.labelSelector: ${matchesNone}`],
      ),
    ]
  })
}

function addressesWarnings(spec: Spec, path: string): string[] {
  const { nameservers } = recordOf(spec.dnsConfig)
  const servers = Array.isArray(nameservers) ? nameservers.map(String) : []
  return [
    ...servers.flatMap((address, index) =>
      addressWarnings(`${path}.dnsConfig.nameservers[${index}]`, address),
    ),
    ...listAt(spec, 'hostAliases').flatMap((alias, index) =>
      addressWarnings(`${path}.hostAliases[${index}].ip`, textAt(alias, 'ip')),
    ),
  ]
}
