import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindServices } from '../resources/kind-rules.js'
import { withPriority } from './pod-priority.js'
import { withRuntimeClass } from './pod-runtime-class.js'
import type { Container } from './pod-spec/spec.js'

type Spec = Record<string, unknown>

const tokenMountPath = '/var/run/secrets/kubernetes.io/serviceaccount'
const lostNodeTaints = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Whether a toleration matches a NoExecute taint with this key. */
function tolerates(toleration: unknown, key: string): boolean {
  const { key: about = key, effect = 'NoExecute' } = recordOf(toleration)
  return about === key && effect === 'NoExecute'
}

/** Adds tolerations of a lost node for five minutes; `DefaultTolerationSeconds`. */
function withTolerations(spec: Spec): Spec {
  const tolerations = Array.isArray(spec.tolerations) ? spec.tolerations : []
  const missingKeys = lostNodeTaints.filter(
    (key) => !tolerations.some((toleration) => tolerates(toleration, key)),
  )
  const added = missingKeys.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }))
  return { ...spec, tolerations: [...tolerations, ...added] }
}

/**
 * The service account of a pod, and the volume with its token; `ServiceAccount`. If the account does not
 * exist, as in a cluster without controllers, the pod is not changed.
 */
function withAccount(object: OpenObject, spec: Spec, services: KindServices): Spec {
  const { serviceAccountName: name = 'default' } = spec
  const { namespace = '' } = object.metadata
  const account = services.find('serviceaccounts', namespace, String(name))
  if (account === undefined) return spec
  const named = { ...spec, serviceAccountName: name, serviceAccount: name }
  const automount = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true
  const pulling = spec.imagePullSecrets === undefined && account.imagePullSecrets !== undefined
  const complete = pulling ? { ...named, imagePullSecrets: account.imagePullSecrets } : named
  return automount === true ? withToken(complete, services) : complete
}

function withToken(spec: Spec, { identity }: KindServices): Spec {
  const name = `kube-api-access-${identity.nameSuffix()}`
  const next = { ...spec }
  for (const field of ['containers', 'initContainers']) {
    const list = spec[field]
    if (Array.isArray(list) && !list.every(hasToken))
      next[field] = list.map((each) => withTokenMount(each, name))
  }
  if (next.containers === spec.containers && next.initContainers === spec.initContainers) return spec
  const volumes = Array.isArray(spec.volumes) ? spec.volumes : []
  return { ...next, volumes: [...volumes, { name, projected: tokenVolumeSource }] }
}

function hasToken({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some(({ mountPath }) => mountPath === tokenMountPath)
}

function withTokenMount(container: Container, name: string): Container {
  if (hasToken(container)) return container
  const mount = { name, readOnly: true, mountPath: tokenMountPath }
  return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] }
}

const tokenVolumeSource = {
  defaultMode: 0o644,
  sources: [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
}

/** Applies the admission plugins that are on by default to a new pod. Throws 403. */
export function admitPod(object: OpenObject, services: KindServices): Spec {
  const { terminationGracePeriodSeconds: grace, ...otherMembers } = recordOf(object.spec)
  // A negative grace period becomes the minimum.
  const spec = { ...otherMembers, terminationGracePeriodSeconds: Number(grace) < 0 ? 1 : grace }
  const classed = withPriority(object, withAccount(object, spec, services), services)
  return withRuntimeClass(object, withTolerations(classed), services)
}

/** Applies the admission plugins to a changed pod. */
export function admitPodChange(object: OpenObject, old: OpenObject): Spec {
  const { priority, preemptionPolicy } = recordOf(old.spec)
  return withTolerations({ priority, preemptionPolicy, ...recordOf(object.spec) })
}

/** The initial status of a pod, with a condition if it has scheduling gates. */
export function firstStatus(object: OpenObject, qosClass: string, { clock }: KindServices): Spec {
  const gates = fieldAt(object, 'spec', 'schedulingGates')
  if (!Array.isArray(gates)) return { phase: 'Pending', qosClass }
  const condition = {
    type: 'PodScheduled',
    status: 'False',
    lastProbeTime: null,
    lastTransitionTime: formatTime(clock.date()),
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  }
  return { phase: 'Pending', conditions: [condition], qosClass }
}

/**
 * The single address and the list of addresses are kept equal; the single one decides, because older kubelets
 * know only that.
 */
export function withAddressLists(object: OpenObject): void {
  const status = recordOf(object.status)
  const ip = textAt(status, 'podIP')
  const first = Array.isArray(status.podIPs) ? textAt(status.podIPs[0], 'ip') : undefined
  if (ip !== '' && first !== ip) object.status = { ...status, podIPs: [{ ip }] }
  else if (ip === '' && first !== undefined) object.status = { ...status, podIP: first }
}
