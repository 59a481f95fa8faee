import { type FieldError, required } from '../validation/field-error.js'
import { fieldAt, type KindRules, recordOf, textAt } from './kind-rules.js'

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
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: latest ? 'Always' : 'IfNotPresent',
    ...given,
  }
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
  }
  for (const field of ['containers', 'initContainers']) {
    const containers = given[field]
    if (Array.isArray(containers)) defaulted[field] = containers.map(withContainerDefaults)
  }
  return defaulted
}

/** A pod has at least one container. */
export function validateContainers(spec: Record<string, unknown>, path: string): FieldError[] {
  return Array.isArray(spec.containers) && spec.containers.length > 0
    ? []
    : [required(`${path}.containers`, '')]
}

/** https://kubernetes.io/docs/concepts/workloads/pods/ ; no kubelet runs them, so they stay `Pending`. */
export const podRules: KindRules = {
  generation: true,
  returnsDeleted: true,
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
    object.spec = { enableServiceLinks: true, ...spec }
  },
  prepareCreate(object) {
    object.spec = { serviceAccountName: 'default', serviceAccount: 'default', ...recordOf(object.spec) }
    object.status = { phase: 'Pending', qosClass: 'BestEffort' }
  },
  validate(object) {
    return validateContainers(recordOf(object.spec), 'spec')
  },
  gracePeriodSeconds(object, asked) {
    const phase = fieldAt(object, 'status', 'phase')
    const scheduled = textAt(object, 'spec', 'nodeName') !== ''
    if (!scheduled || phase === 'Succeeded' || phase === 'Failed') return 0
    return asked ?? Number(fieldAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30)
  },
}
