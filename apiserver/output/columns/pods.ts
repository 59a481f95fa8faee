import { fieldAt, type OpenObject, textAt } from '../../base/object.js'
import { ownEntry } from '../../base/own-entry.js'
import { formatAge } from '../age.js'
import { elementsAt, labels, textOr } from './cell.js'
import type { CellsByResource } from './column.js'

type Part = Record<string, unknown>

/** The state of a pod in a table. */
interface PodSummary {
  readonly ready: number
  readonly reason: string
  readonly restarts: number
  /** The time at which a container last terminated; `''` if none did. */
  readonly restartedAt: string
}

/** The state of the init containers. */
interface InitialSummary extends Omit<PodSummary, 'reason'> {
  /** The reason why the pod has not started, if any. */
  readonly reason?: string
  /** Restarts of sidecars. */
  readonly sidecars: Restarts
}

type Restarts = Pick<PodSummary, 'restarts' | 'restartedAt'>

const gatedReason = 'SchedulingGated'

/** The cells of pods, by `printPod` of Kubernetes v1.36.3, pkg/printers/internalversion/printers.go. */
export const podCells: CellsByResource = {
  pods: {
    Ready: (pod) => `${summaryOf(pod).ready}/${totalOf(pod)}`,
    Status: statusOf,
    Restarts: restartsOf,
    IP: textOr('<none>', 'status', 'podIP'),
    Node: textOr('<none>', 'spec', 'nodeName'),
    'Nominated Node': textOr('<none>', 'status', 'nominatedNodeName'),
    'Readiness Gates': readinessGatesOf,
  },
  podtemplates: { 'Pod Labels': labels('template', 'metadata', 'labels') },
}

/** The conditions by which kubectl skips terminated pods; undefined for other pods. */
export function podConditions(pod: OpenObject): object[] | undefined {
  const phase = textAt(pod, 'status', 'phase')
  const message = ownEntry(endReasons, phase)
  return message === undefined ? undefined : [{ type: 'Completed', status: 'True', reason: phase, message }]
}

const endReasons: Readonly<Record<string, string>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
}

/** The number of containers, including sidecars. */
function totalOf(pod: OpenObject): number {
  return elementsAt(pod, 'spec', 'containers').length + sidecarsOf(pod).size
}

function sidecarsOf(pod: OpenObject): Set<unknown> {
  const always = elementsAt(pod, 'spec', 'initContainers').filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  return new Set(always.map(({ name }) => name))
}

function statusOf(pod: OpenObject): string {
  if (pod.metadata.deletionTimestamp === undefined) return summaryOf(pod).reason
  if (textAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown'
  return endReasons[textAt(pod, 'status', 'phase')] === undefined ? 'Terminating' : summaryOf(pod).reason
}

function restartsOf(pod: OpenObject, now: Date): string {
  const { restarts, restartedAt } = summaryOf(pod)
  return restarts === 0 || restartedAt === ''
    ? String(restarts)
    : `${restarts} (${formatAge(restartedAt, now)} ago)`
}

function readinessGatesOf(pod: OpenObject): string {
  const gates = elementsAt(pod, 'spec', 'readinessGates')
  const met = gates.filter(({ conditionType }) => conditionOf(pod, conditionType)?.status === 'True')
  return gates.length === 0 ? '<none>' : `${met.length}/${gates.length}`
}

function conditionOf(pod: OpenObject, desired: unknown): Part | undefined {
  return elementsAt(pod, 'status', 'conditions').find(({ type }) => type === desired)
}

function summaryOf(pod: OpenObject): PodSummary {
  const gated = elementsAt(pod, 'status', 'conditions').some(isSchedulingGate)
  const reason = gated ? gatedReason : textAt(pod, 'status', 'reason') || textAt(pod, 'status', 'phase')
  const initial = initialSummary(pod)
  const isInitialized = conditionOf(pod, 'Initialized')?.status === 'True'
  if (initial.reason !== undefined && !isInitialized) return { ...initial, reason: initial.reason }
  return mainSummary(pod, initial.reason ?? reason, initial)
}

function isSchedulingGate({ type, reason }: Part): boolean {
  return type === 'PodScheduled' && reason === gatedReason
}

/** Up to the first container that is not finished, which gives the reason. */
function initialSummary(pod: OpenObject): InitialSummary {
  const sidecars = sidecarsOf(pod)
  const statuses = elementsAt(pod, 'status', 'initContainerStatuses')
  const open = statuses.findIndex((status) => !isDone(status, sidecars))
  const shownStatuses = open < 0 ? statuses : statuses.slice(0, open + 1)
  const ready = shownStatuses.filter(
    (status) => isRunningSidecar(status, sidecars) && status.ready === true,
  ).length
  const summary = {
    ready,
    ...restartsIn(shownStatuses),
    sidecars: restartsIn(shownStatuses.filter(({ name }) => sidecars.has(name))),
  }
  const unfinished = statuses[open]
  const progress = `${open}/${elementsAt(pod, 'spec', 'initContainers').length}`
  return unfinished === undefined ? summary : { ...summary, reason: initialReason(unfinished, progress) }
}

function isDone(status: Part, sidecars: ReadonlySet<unknown>): boolean {
  return fieldAt(status, 'state', 'terminated', 'exitCode') === 0 || isRunningSidecar(status, sidecars)
}

function isRunningSidecar({ name, started, state }: Part, sidecars: ReadonlySet<unknown>): boolean {
  return fieldAt(state, 'terminated', 'exitCode') !== 0 && sidecars.has(name) && started === true
}

function initialReason(status: Part, progress: string): string {
  const ended = fieldAt(status, 'state', 'terminated')
  if (ended !== undefined) return `Init:${endReason(ended)}`
  const waiting = textAt(status, 'state', 'waiting', 'reason')
  return `Init:${waiting === '' || waiting === 'PodInitializing' ? progress : waiting}`
}

function endReason(terminated: unknown): string {
  const signal = fieldAt(terminated, 'signal') ?? 0
  const endText = signal === 0 ? `ExitCode:${textAt(terminated, 'exitCode')}` : `Signal:${signal}`
  return textAt(terminated, 'reason') || endText
}

function restartsIn(statuses: readonly Part[]): Restarts {
  const finishTimes = statuses.map((status) => textAt(status, 'lastState', 'terminated', 'finishedAt'))
  const restarts = statuses.reduce((sum, { restartCount }) => sum + Number(restartCount ?? 0), 0)
  return { restarts, restartedAt: latest(finishTimes) }
}

const latest = (times: string[]) => times.sort().at(-1) ?? ''

/** The state of the main containers, with the sidecars'. */
function mainSummary(pod: OpenObject, reason: string, { ready, sidecars }: InitialSummary): PodSummary {
  const statuses = elementsAt(pod, 'status', 'containerStatuses')
  const { restarts, restartedAt } = restartsIn(statuses)
  return {
    ready: ready + statuses.filter(isRunning).length,
    reason: mainReason(pod, statuses, reason),
    restarts: sidecars.restarts + restarts,
    restartedAt: latest([sidecars.restartedAt, restartedAt]),
  }
}

function isRunning(status: Part): boolean {
  return (
    containerReason(status) === '' &&
    status.ready === true &&
    fieldAt(status, 'state', 'running') !== undefined
  )
}

/**
 * The reason of the first waiting or terminated container, except a completed one while others are not
 * completed.
 */
function mainReason(pod: OpenObject, statuses: readonly Part[], otherwise: string): string {
  const firstReason = statuses.map(containerReason).find((reason) => reason !== '') ?? otherwise
  if (firstReason !== 'Completed') return firstReason
  const isUp = statuses.some(isRunning)
  if (isUp && conditionOf(pod, 'Ready')?.status === 'True') return 'Running'
  return failureIn(statuses) ?? (isUp ? 'NotReady' : firstReason)
}

function containerReason(status: Part): string {
  const ended = fieldAt(status, 'state', 'terminated')
  return textAt(status, 'state', 'waiting', 'reason') || (ended === undefined ? '' : endReason(ended))
}

function failureIn(statuses: readonly Part[]): string | undefined {
  const failed = statuses.find((status) => {
    const isWaiting = textAt(status, 'state', 'waiting', 'reason') !== ''
    return !isWaiting && (fieldAt(status, 'state', 'terminated', 'exitCode') ?? 0) !== 0
  })
  return failed && containerReason(failed)
}
