import { type FieldError, required, unsupported } from '../validation/field-error.js'
import { fieldAt, type KindRules, recordOf, textAt } from './kind-rules.js'
import { podWarnings } from './pod-warnings.js'

const at =
  (...path: readonly string[]) =>
  (object: object) =>
    textAt(object, ...path)

/** What a container is given when it says nothing. */
function withContainerDefaults(container: unknown): unknown {
  const given = recordOf(container)
  const image = String(given.image ?? '')
  const latest = image !== '' && (!/:[^/]+$/.test(image) || image.endsWith(':latest'))
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: latest ? 'Always' : 'IfNotPresent',
    ...given,
    resources: recordOf(given.resources),
    ...(Array.isArray(given.ports) && { ports: given.ports.map(withProtocol) }),
  }
}

const withProtocol = (port: unknown) => ({ protocol: 'TCP', ...recordOf(port) })

/** What is limited and not asked for is asked for up to its limit; only in a pod itself, not in a template. */
function withRequests(container: unknown): unknown {
  const { resources, ...given } = recordOf(container)
  const { limits, ...asked } = recordOf(resources)
  if (limits === undefined) return container
  const requests = { ...recordOf(limits), ...recordOf(asked.requests) }
  return { ...given, resources: { ...asked, limits, requests } }
}

/** Sources of volumes whose files have a mode. */
const WITH_MODE = ['configMap', 'secret', 'downwardAPI', 'projected']

function withVolumeDefaults(volume: unknown): unknown {
  const { name, ...source } = recordOf(volume)
  const [form = 'emptyDir'] = Object.keys(source)
  const given = recordOf(source[form])
  return { name, [form]: WITH_MODE.includes(form) ? { defaultMode: 0o644, ...given } : given }
}

/** The quality of service: https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/ */
function qosClassOf(spec: Record<string, unknown>): string {
  const containers = [spec.initContainers ?? [], spec.containers ?? []].flat()
  const resources = containers.map((container) => recordOf(recordOf(container).resources))
  const isAsked = resources.some(({ limits, requests }) =>
    [limits, requests].some((each) => Object.keys(recordOf(each)).some((name) => COUNTED.includes(name))),
  )
  if (!isAsked) return 'BestEffort'
  return resources.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

const COUNTED = ['cpu', 'memory']

function isGuaranteed({ limits, requests }: Record<string, unknown>): boolean {
  return COUNTED.every((name) => {
    const limit = fieldAt(limits, name)
    return limit !== undefined && limit === fieldAt(requests, name)
  })
}

const CONTAINERS = ['containers', 'initContainers']

function mapContainers(spec: Record<string, unknown>, change: (container: unknown) => unknown): object {
  const lists = CONTAINERS.map((field) => [field, spec[field]] as const)
  const changed = lists.flatMap(([field, list]) => (Array.isArray(list) ? [[field, list.map(change)]] : []))
  return Object.fromEntries(changed)
}

/** What a pod's spec, also inside a template, is given when it says nothing. */
export function withPodDefaults(spec: unknown): Record<string, unknown> {
  const given = recordOf(spec)
  const defaulted: Record<string, unknown> = {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    ...given,
    ...mapContainers(given, withContainerDefaults),
  }
  if (Array.isArray(given.volumes)) defaulted.volumes = given.volumes.map(withVolumeDefaults)
  return defaulted
}

/** What the admission plugins that are on by default add. */
function withAdmitted(spec: Record<string, unknown>): Record<string, unknown> {
  const given = Array.isArray(spec.tolerations) ? spec.tolerations : []
  const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
  const missing = keys.filter((key) => !given.some((toleration) => recordOf(toleration).key === key))
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }))
  return {
    serviceAccountName: 'default',
    serviceAccount: 'default',
    priority: 0,
    preemptionPolicy: 'PreemptLowerPriority',
    ...spec,
    tolerations: [...given, ...added],
  }
}

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never']

/** A pod has at least one container, and each has a name. */
export function validateContainers({ containers }: Record<string, unknown>, path: string): FieldError[] {
  if (!Array.isArray(containers) || containers.length === 0) return [required(`${path}.containers`, '')]
  const nameless = [...containers.keys()].filter((index) => textAt(containers[index], 'name') === '')
  return nameless.map((index) => required(`${path}.containers[${index}].name`, ''))
}

/** https://kubernetes.io/docs/concepts/workloads/pods/ ; no kubelet runs them, so they stay `Pending`. */
export const podRules: KindRules = {
  generation: true,
  returnsDeleted: true,
  warnings: podWarnings,
  statusKeepsOwners: true,
  selectable: {
    'spec.nodeName': at('spec', 'nodeName'),
    'spec.restartPolicy': at('spec', 'restartPolicy'),
    'spec.schedulerName': at('spec', 'schedulerName'),
    'spec.serviceAccountName': at('spec', 'serviceAccountName'),
    'status.phase': at('status', 'phase'),
    'status.podIP': at('status', 'podIP'),
    'status.nominatedNodeName': at('status', 'nominatedNodeName'),
  },
  prepare(object) {
    const spec = withPodDefaults(object.spec)
    object.spec = { enableServiceLinks: true, ...spec, ...mapContainers(spec, withRequests) }
  },
  prepareCreate(object) {
    object.spec = withAdmitted(recordOf(object.spec))
    object.status = { phase: 'Pending', qosClass: qosClassOf(object.spec as Record<string, unknown>) }
  },
  validate(object) {
    const spec = recordOf(object.spec)
    const { restartPolicy } = spec
    const errors = validateContainers(spec, 'spec')
    if (RESTART_POLICIES.includes(String(restartPolicy))) return errors
    return [...errors, unsupported('spec.restartPolicy', `"${restartPolicy}"`, RESTART_POLICIES)]
  },
  gracePeriodSeconds(object, asked) {
    const phase = fieldAt(object, 'status', 'phase')
    const scheduled = textAt(object, 'spec', 'nodeName') !== ''
    if (!scheduled || phase === 'Succeeded' || phase === 'Failed') return 0
    const seconds = asked ?? Number(fieldAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30)
    return seconds < 0 ? 1 : seconds
  },
}
