import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import type { KindServices } from '../resources/kind-rules.js'
import type { Container } from './pod-spec/spec.js'

type Spec = Record<string, unknown>

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'
const LOST_NODE = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']

/** Whether a toleration is about what drives pods away for the reason named. */
function tolerates(toleration: unknown, key: string): boolean {
  const { key: about = key, effect = 'NoExecute' } = recordOf(toleration)
  return about === key && effect === 'NoExecute'
}

/** A pod stays on a node that is lost for five minutes; `DefaultTolerationSeconds`. */
function withTolerations(spec: Spec): Spec {
  const given = Array.isArray(spec.tolerations) ? spec.tolerations : []
  const missing = LOST_NODE.filter((key) => !given.some((toleration) => tolerates(toleration, key)))
  const added = missing.map((key) => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: 300,
  }))
  return { ...spec, tolerations: [...given, ...added] }
}

/**
 * The account a pod runs as, and its token where the container looks for it; `ServiceAccount`. Where the
 * account is not there, as in a cluster without controllers, the pod stays as it is.
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
    if (Array.isArray(list) && !list.every(hasToken)) next[field] = list.map((each) => mounting(each, name))
  }
  if (next.containers === spec.containers && next.initContainers === spec.initContainers) return spec
  const volumes = Array.isArray(spec.volumes) ? spec.volumes : []
  return { ...next, volumes: [...volumes, { name, projected: TOKEN }] }
}

function hasToken({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH)
}

function mounting(container: Container, name: string): Container {
  if (hasToken(container)) return container
  const mount = { name, readOnly: true, mountPath: MOUNT_PATH }
  return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] }
}

const TOKEN = {
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

/** What a class that the pod names says of its priority, if the class is there; `Priority`. */
function withPriority(spec: Spec, services: KindServices): Spec {
  const name = String(spec.priorityClassName ?? '')
  const named = recordOf(services.find('priorityclasses.scheduling.k8s.io', '', name))
  const { value: priority = 0, preemptionPolicy = 'PreemptLowerPriority' } = named
  return { priority, preemptionPolicy, ...spec }
}

/** What the admission plugins that are on by default add to a new pod. */
export function admitPod(object: OpenObject, services: KindServices): Spec {
  const { terminationGracePeriodSeconds: grace, ...given } = recordOf(object.spec)
  // Who asked for less than nothing is given the least there is.
  const spec = { ...given, terminationGracePeriodSeconds: Number(grace) < 0 ? 1 : grace }
  return withPriority(withTolerations(withAccount(object, spec, services)), services)
}

/** What they add to a pod that changes. */
export function admitPodChange(object: OpenObject, old: OpenObject): Spec {
  const { priority, preemptionPolicy } = recordOf(old.spec)
  return withTolerations({ priority, preemptionPolicy, ...recordOf(object.spec) })
}

/** The status a pod begins with; one that waits at a gate says so. */
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

/** One address and the list of all stand for the same; the one decides, because older kubelets know it alone. */
export function withAddressLists(object: OpenObject): void {
  const status = recordOf(object.status)
  const added: Spec = {}
  for (const [one, all] of [
    ['podIP', 'podIPs'],
    ['hostIP', 'hostIPs'],
  ] as const) {
    const ip = textAt(status, one)
    const listed = Array.isArray(status[all]) ? status[all] : []
    if (ip !== '' && textAt(listed[0], 'ip') !== ip) added[all] = [{ ip }]
    else if (ip === '' && listed.length > 0) added[one] = textAt(listed[0], 'ip')
  }
  if (Object.keys(added).length > 0) object.status = { ...status, ...added }
}
