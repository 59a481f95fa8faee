import { type FieldError, required, unsupported } from '../validation/field-error.js'
import { fieldAt, type KindRules, recordOf, textAt } from './kind-rules.js'
import { podWarnings } from './pod-warnings.js'

const at =
  (...path: readonly string[]) =>
  (object: object) =>
    textAt(object, ...path)

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

/** Whether a toleration is about what drives pods away for the reason named. */
function tolerates(toleration: unknown, key: string): boolean {
  const { key: about = key, effect = 'NoExecute' } = recordOf(toleration)
  return about === key && effect === 'NoExecute'
}

/** What the admission plugins that are on by default add. */
function withAdmitted(spec: Record<string, unknown>): Record<string, unknown> {
  const given = Array.isArray(spec.tolerations) ? spec.tolerations : []
  const keys = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']
  const missing = keys.filter((key) => !given.some((toleration) => tolerates(toleration, key)))
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
