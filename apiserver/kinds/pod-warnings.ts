import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { parseQuantity } from '../schema/quantity.js'

/** Renamed labels of nodes; `pkg/api/node/util.go` of Kubernetes v1.36.3. */
const DEPRECATED: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
}

/** The warning for a deprecated node label; undefined for others. */
export function deprecatedNodeLabel(label: string): string | undefined {
  return DEPRECATED[label]
}

/** Annotations of a pod that were replaced by fields; `pkg/api/pod/warnings.go` of Kubernetes v1.36.3. */
const ANNOTATIONS: readonly [prefix: string, why: string][] = [
  [
    'scheduler.alpha.kubernetes.io/critical-pod',
    'non-functional in v1.16+; use the "priorityClassName" field instead',
  ],
  [
    'seccomp.security.alpha.kubernetes.io/pod',
    'non-functional in v1.27+; use the "seccompProfile" field instead',
  ],
  [
    'container.seccomp.security.alpha.kubernetes.io/',
    'non-functional in v1.27+; use the "seccompProfile" field instead',
  ],
  [
    'container.apparmor.security.beta.kubernetes.io/',
    'deprecated since v1.30; use the "appArmorProfile" field instead',
  ],
]

/** Deprecated volume types, by their field names, with their names in the warning. */
const VOLUMES: Readonly<Record<string, readonly [told: string, why: string]>> = {
  gitRepo: ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  cephfs: ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  flocker: ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  glusterfs: ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  quobyte: ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  rbd: ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
  scaleIO: ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  storageos: ['storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
}

/** The warnings for a create of a pod. */
export function podWarnings(pod: OpenObject): string[] {
  const hostname = hostnameWarning(pod, "the Pod's hostname")
  return [...hostname, ...specWarnings(pod.spec, 'spec'), ...annotationWarnings(pod, 'metadata')]
}

/** The same warnings for a workload's pod template. */
export function templateWarnings(object: OpenObject): string[] {
  return templateWarningsAt(fieldAt(object, 'spec', 'template'), 'spec.template')
}

/** The same for a template at its path. */
export function templateWarningsAt(value: unknown, at: string): string[] {
  const template = recordOf(value)
  return [...specWarnings(template.spec, `${at}.spec`), ...annotationWarnings(template, `${at}.metadata`)]
}

/** A name that becomes part of a hostname should be a DNS label. */
export function hostnameWarning({ metadata }: OpenObject, use: string): string[] {
  if (!metadata.name?.includes('.')) return []
  const advice =
    'which can result in surprising behavior; a DNS label is recommended: [must not contain dots]'
  return [`metadata.name: this is used in ${use}, ${advice}`]
}

/** The warning for a quantity of bytes that is not an integer, at its path. */
export function fractionalBytes(path: string, quantity: unknown): string[] {
  if (typeof quantity !== 'string' || !/[num]$/.test(quantity)) return []
  const { value, scale } = asThousandths(quantity)
  if (value % scale === 0n) return []
  return [`${path}: fractional byte value "${quantity}" is invalid, must be an integer`]
}

function asThousandths(quantity: string): { value: bigint; scale: bigint } {
  parseQuantity(quantity)
  const scale = { n: 1_000_000_000n, u: 1_000_000n, m: 1000n }[quantity.slice(-1)] ?? 1n
  return { value: BigInt(quantity.slice(0, -1).replace(/\..*$/, '')), scale }
}

const list = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.map((each) => recordOf(each)) : []

function annotationWarnings(holder: { metadata?: unknown }, at: string): string[] {
  const annotations = Object.keys(recordOf(recordOf(holder.metadata).annotations))
  return annotations.flatMap((name) => {
    const known = ANNOTATIONS.find(([prefix]) =>
      prefix.endsWith('/') ? name.startsWith(prefix) : name === prefix,
    )
    return known ? [`${at}.annotations[${name}]: ${known[1]}`] : []
  })
}

function specWarnings(given: unknown, at: string): string[] {
  const spec = recordOf(given)
  return [
    ...nodeLabelWarnings(spec, at),
    ...spreadWarnings(spec, at),
    ...affinityWarnings(spec, at),
    ...list(spec.volumes).flatMap((volume, index) => volumeWarnings(volume, `${at}.volumes[${index}]`)),
    ...repeated(spec.hostAliases, 'ip', `${at}.hostAliases`),
    ...repeated(spec.imagePullSecrets, 'name', `${at}.imagePullSecrets`),
    ...containerWarnings(spec, at),
  ]
}

function nodeLabelWarnings(spec: Record<string, unknown>, at: string): string[] {
  return Object.keys(recordOf(spec.nodeSelector)).flatMap((label) => {
    const why = DEPRECATED[label]
    return why === undefined ? [] : [`${at}.nodeSelector[${label}]: ${why}`]
  })
}

const MATCHES_NONE = 'a null labelSelector results in matching no pod'

function spreadWarnings(spec: Record<string, unknown>, at: string): string[] {
  return list(spec.topologySpreadConstraints).flatMap((constraint, index) => {
    const path = `${at}.topologySpreadConstraints[${index}]`
    const key = textAt(constraint, 'topologyKey')
    const why = DEPRECATED[key]
    return [
      ...(why === undefined ? [] : [`${path}.topologyKey: ${key} is ${why}`]),
      ...(constraint.labelSelector ? [] : [`${path}.labelSelector: ${MATCHES_NONE}`]),
    ]
  })
}

function affinityWarnings(spec: Record<string, unknown>, at: string): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const affinity = recordOf(recordOf(spec.affinity)[kind])
    const path = `${at}.affinity.${kind}`
    const required = list(affinity.requiredDuringSchedulingIgnoredDuringExecution)
    const preferred = list(affinity.preferredDuringSchedulingIgnoredDuringExecution)
    return [
      ...required.flatMap(({ labelSelector }, index) =>
        labelSelector
          ? []
          : [
              `${path}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector: ${MATCHES_NONE}`,
            ],
      ),
      ...preferred.flatMap(({ podAffinityTerm }, index) =>
        recordOf(podAffinityTerm).labelSelector
          ? []
          : [
              `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm.labelSelector: ${MATCHES_NONE}`,
            ],
      ),
    ]
  })
}

function volumeWarnings(volume: Record<string, unknown>, path: string): string[] {
  return Object.entries(VOLUMES).flatMap(([field, [told, why]]) =>
    volume[field] === undefined ? [] : [`${path}.${told}: ${why}`],
  )
}

/** Elements that a patch could not identify, because their key is empty or a duplicate. */
function repeated(given: unknown, key: string, path: string): string[] {
  const seen = new Set<string>()
  return list(given).flatMap((element, index) => {
    const value = textAt(element, key)
    if (value === '') return [`${path}[${index}].${key}: invalid empty ${key} ""`]
    if (seen.has(value)) return [`${path}[${index}].${key}: duplicate ${key} "${value}"`]
    seen.add(value)
    return []
  })
}

function containerWarnings(spec: Record<string, unknown>, at: string): string[] {
  const containers = ['initContainers', 'containers'].flatMap((field) =>
    list(spec[field]).map((container, index) => ({ container, path: `${at}.${field}[${index}]` })),
  )
  const names = new Map<string, string>()
  return containers.flatMap(({ container, path }) => [
    ...bytesWarnings(container, path),
    ...hiddenVariables(container, path),
    ...portWarnings(container, path, names),
  ])
}

function bytesWarnings({ resources }: Record<string, unknown>, path: string): string[] {
  const { limits, requests } = recordOf(resources)
  return ['memory', 'ephemeral-storage'].flatMap((name) => [
    ...fractionalBytes(`${path}.resources.limits[${name}]`, recordOf(limits)[name]),
    ...fractionalBytes(`${path}.resources.requests[${name}]`, recordOf(requests)[name]),
  ])
}

function hiddenVariables({ env }: Record<string, unknown>, path: string): string[] {
  const seen = new Set<string>()
  return list(env).flatMap((variable, index) => {
    const name = textAt(variable, 'name')
    const isHidden = seen.has(name)
    seen.add(name)
    const why = `hides previous definition of "${name}", which may be dropped when using apply`
    return isHidden ? [`${path}.env[${index}]: ${why}`] : []
  })
}

function portWarnings(
  { ports }: Record<string, unknown>,
  path: string,
  names: Map<string, string>,
): string[] {
  const seen = new Map<string, string>()
  return list(ports).flatMap((port, index) => {
    const at = `${path}.ports[${index}]`
    const { containerPort, hostPort = 0, protocol = 'TCP', hostIP = '' } = port
    const id = JSON.stringify([containerPort, hostPort, protocol, hostIP])
    const [duplicate, name] = [seen.get(id), textAt(port, 'name')]
    const namesake = name === '' ? undefined : names.get(name)
    if (duplicate === undefined) seen.set(id, at)
    if (name !== '' && namesake === undefined) names.set(name, at)
    return [
      ...(namesake === undefined
        ? []
        : [
            `${at}: duplicate port name "${name}" with ${namesake}, services and probes that select ports by name will use ${namesake}`,
          ]),
      ...(duplicate === undefined ? [] : [`${at}: duplicate port definition with ${duplicate}`]),
    ]
  })
}
