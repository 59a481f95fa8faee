/**
 * How the workloads of a kind sleep: without replicas, suspended, or with Pods on no node. Each method has a note, an
 * annotation that says how the workload was before. It is written in the patch that puts the workload to sleep, so that
 * no crash loses it.
 */
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'

/** The annotation of a workload that sleeps: the replicas that it had. */
export const replicasAnnotation = 'forkspacer.com/replicas'
/** The annotation of a CronJob or Job that was suspended. */
export const suspendedAnnotation = 'forkspacer.com/suspended'
/** The annotation of a DaemonSet that sleeps, and the label that no node has. */
export const asleepName = 'forkspacer.com/asleep'

/** How the workloads of a kind sleep. */
export interface SleepMethod {
  /** The annotation with the former state. */
  readonly note: string
  /** The former state of a workload that is awake: its replicas, 1 for one without replicas; 0 if nothing runs. */
  runningOf(live: KubeObject): number
  /** The text of the note. */
  noteOf(running: number): string
  /** The running state that a note means; 0 for a text that is not one. */
  readNote(text: string): number
  /** The spec of a workload that sleeps. */
  readonly asleep: object
  /** The spec of a workload that is awake again. */
  awake(running: number): object
  /** Describes a workload that is awake, for messages. */
  describe(running: number): string
}

interface Fields extends KubeObject {
  readonly spec?: {
    readonly replicas?: unknown
    readonly suspend?: unknown
    readonly template?: { readonly spec?: { readonly nodeSelector?: Record<string, string> } }
  }
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] }
}

const fieldsOf = (live: KubeObject): Fields => live

/** The intended replicas of a workload; 1 is the default of Kubernetes. */
export function replicasOf(live: KubeObject): number {
  const { replicas } = fieldsOf(live).spec ?? {}
  return typeof replicas === 'number' ? replicas : 1
}

const byReplicas: SleepMethod = {
  note: replicasAnnotation,
  runningOf: replicasOf,
  noteOf: String,
  readNote: (text) => (/^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0),
  asleep: { replicas: 0 },
  awake: (replicas) => ({ replicas }),
  describe: (replicas) => (replicas === 1 ? 'has 1 replica' : `has ${replicas} replicas`),
}

const ends: ReadonlySet<string> = new Set(['Complete', 'Failed'])

/** A Job that has ended runs nothing. */
const hasEnded = (live: KubeObject) =>
  fieldsOf(live).status?.conditions?.some(({ type = '', status }) => ends.has(type) && status === 'True') ===
  true

const bySuspension: SleepMethod = {
  note: suspendedAnnotation,
  runningOf: (live) => (fieldsOf(live).spec?.suspend === true || hasEnded(live) ? 0 : 1),
  noteOf: () => 'true',
  readNote: () => 1,
  asleep: { suspend: true },
  awake: () => ({ suspend: false }),
  describe: () => 'is not suspended',
}

const nodeSelectorPatch = (value: string | null) => ({
  template: { spec: { nodeSelector: { [asleepName]: value } } },
})

/** A DaemonSet has no replicas: it sleeps by a label that no node has. */
const byNodeSelector: SleepMethod = {
  note: asleepName,
  runningOf: (live) =>
    fieldsOf(live).spec?.template?.spec?.nodeSelector?.[asleepName] === undefined ? 1 : 0,
  noteOf: () => 'true',
  readNote: () => 1,
  asleep: nodeSelectorPatch('true'),
  awake: () => nodeSelectorPatch(null),
  describe: () => 'runs on its nodes',
}

const methods: Readonly<Record<string, SleepMethod>> = {
  'apps/Deployment': byReplicas,
  'apps/StatefulSet': byReplicas,
  'apps/ReplicaSet': byReplicas,
  '/ReplicationController': byReplicas,
  'apps/DaemonSet': byNodeSelector,
  'batch/CronJob': bySuspension,
  'batch/Job': bySuspension,
}

const isOfKubernetes = ({ group }: Pick<Resource, 'group'>) =>
  !group.includes('.') || group.endsWith('.k8s.io')

/** How workloads of a kind of Kubernetes sleep; undefined for a kind that does not sleep. */
export function workloadMethod({ group, kind }: Pick<Resource, 'group' | 'kind'>): SleepMethod | undefined {
  const name = `${group}/${kind}`
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

/** How an object sleeps. One of a kind of its own sleeps if its `spec` has `replicas`. */
export function sleepMethodOf(
  resource: Pick<Resource, 'group' | 'kind'>,
  live: KubeObject,
): SleepMethod | undefined {
  const method = workloadMethod(resource)
  if (method || isOfKubernetes(resource)) return method
  return typeof fieldsOf(live).spec?.replicas === 'number' ? byReplicas : undefined
}
