import type { ApiError } from '../../sdk/engine/kube/error.js'
import {
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
} from '../../sdk/engine/kube/label-selector.js'
import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { parseObjectBody } from '../request/body.js'
import { badRequest, failure, forbidden, notFound } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { admitPart } from './admission-steps.js'
import { checkNamespace } from './create.js'
import { checkPreconditions, deleteEntry } from './delete.js'
import { type DeleteOptions, readDeleteOptions } from './delete-options.js'
import { withEvictionCondition } from './eviction-condition.js'
import { evictions } from './part-kinds.js'
import { reportOf } from './report.js'
import { shapeObject } from './shape.js'
import { findEntry } from './update.js'
import { writeOptions } from './write-options.js'

const budgetStorage = 'poddisruptionbudgets.policy'

/** Pods in these phases do not count for a budget. */
const notRunning = ['Succeeded', 'Failed', 'Pending']

/**
 * Deletes a pod unless a PodDisruptionBudget forbids it; see
 * https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/. Throws 429 if one does.
 */
export async function evict(request: ResourceRequest): Promise<void> {
  const { resource, target, query } = request
  const { dryRun, fieldValidation } = writeOptions(query, 'CreateOptions')
  const body = inServedVersion(await parseObjectBody(request, 'Eviction'))
  const requestedEviction = shapeObject(body, evictions, reportOf(request, fieldValidation))
  checkNamespace(request, requestedEviction)
  const eviction = await admitPart(request, {
    operation: 'CREATE',
    kind: evictions,
    object: requestedEviction,
    dryRun,
  })
  if (textAt(eviction, 'metadata', 'name') !== target.name)
    throw badRequest('name in URL does not match name in Eviction object')
  const entry = findEntry(request)
  if (entry === undefined) throw notFound(resource, target.name)
  const options = readDeleteOptions(recordOf(eviction.deleteOptions))
  const isDry = dryRun || options.dryRun
  const pod = entry.object as OpenObject
  if (!notRunning.includes(textAt(pod, 'status', 'phase')) && pod.metadata.deletionTimestamp === undefined) {
    takeFromBudget(request, pod, isDry)
  }
  if (isDry) deleteEntry(request, entry, { ...options, dryRun: true })
  else markAndDelete(request, entry, options)
}

/** Writes the condition of an eviction before the delete, so that watches of a pod that ends slowly see it. */
function markAndDelete(request: ResourceRequest, entry: Entry, options: DeleteOptions): void {
  const { server, resource } = request
  const pod = entry.object as OpenObject
  checkPreconditions(resource, pod, options)
  const next = withEvictionCondition(pod, server.clock.date())
  const marked = next === pod ? entry : server.store.put(resource.storage, entry.key, next)
  const { resourceVersion: _checked, ...others } = options
  deleteEntry(request, marked, others)
}

/** An eviction of the old version, which is also accepted, has the same fields. */
function inServedVersion(body: unknown): unknown {
  const { apiVersion, kind } = recordOf(body)
  const isOld = apiVersion === 'policy/v1beta1' && kind === 'Eviction'
  return isOld ? { ...recordOf(body), apiVersion: 'policy/v1' } : body
}

function takeFromBudget(request: ResourceRequest, pod: OpenObject, dryRun: boolean): void {
  const [budget, ...others] = budgetsOf(request, pod)
  if (budget === undefined) return
  if (others.length > 0) {
    const why =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw failure(500, why, { reason: 'InternalError' })
  }
  if (!isReady(pod) && mayGoUnready(budget.object as OpenObject)) return
  const next = withDisruption(budget.object as OpenObject, pod, request.server.clock.date())
  if (!dryRun) request.server.store.put(budgetStorage, budget.key, next)
}

function isReady({ status }: OpenObject): boolean {
  const { conditions } = recordOf(status)
  return (
    Array.isArray(conditions) && conditions.some(({ type, status: is }) => type === 'Ready' && is === 'True')
  )
}

/** Whether a pod that is not ready may go without counting for a budget; `unhealthyPodEvictionPolicy`. */
function mayGoUnready({ spec, status }: OpenObject): boolean {
  if (recordOf(spec).unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy = 0, desiredHealthy = 0 } = recordOf(status)
  return Number(desiredHealthy) > 0 && Number(currentHealthy) >= Number(desiredHealthy)
}

/** A budget after a disruption. Throws 429 if it allows none, and 403 if it counts wrongly. */
function withDisruption(budget: OpenObject, pod: OpenObject, now: Date): OpenObject {
  const status = recordOf(budget.status)
  const { generation = 0, name = '' } = budget.metadata
  if (Number(status.observedGeneration ?? 0) < generation) {
    throw refusalError(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  const allowed = Number(status.disruptionsAllowed ?? 0)
  if (allowed < 0)
    throw forbidden(
      { group: 'policy', plural: 'poddisruptionbudget' },
      name,
      'pdb disruptions allowed is negative',
    )
  if (allowed === 0) throw refusalError(refusalReason(name, status))
  const disruptedPods = { ...recordOf(status.disruptedPods), [pod.metadata.name ?? '']: formatTime(now) }
  const next = { ...status, disruptionsAllowed: allowed - 1, disruptedPods }
  const metadata = { ...budget.metadata }
  return { ...budget, metadata, status: allowed === 1 ? withoutDisruptions(next, now) : next }
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
}

const allowedCondition = 'DisruptionAllowed'

const conditionsOf = (status: Record<string, unknown>) =>
  Array.isArray(status.conditions) ? (status.conditions as Condition[]) : []

/** The condition of a budget that allows no more disruptions. */
function withoutDisruptions(status: Record<string, unknown>, now: Date): Record<string, unknown> {
  const oldConditions = conditionsOf(status)
  const before = oldConditions.find(({ type }) => type === allowedCondition)
  const { observedGeneration } = status
  const condition = {
    message: '',
    lastTransitionTime: formatTime(now),
    ...(before?.status === 'False' ? before : {}),
  }
  const next = {
    ...condition,
    type: allowedCondition,
    status: 'False',
    reason: 'InsufficientPods',
    observedGeneration,
  }
  return { ...status, conditions: [...oldConditions.filter((each) => each !== before), next] }
}

/** The reason why a budget allows no disruption; `checkAndDecrement` of Kubernetes v1.36.3. */
function refusalReason(name: string, status: Record<string, unknown>): string {
  const { desiredHealthy = 0, currentHealthy = 0 } = status
  const { reason = '', message = '' } =
    conditionsOf(status).find(({ type, status: is }) => type === allowedCondition && is === 'False') ?? {}
  const none = `The disruption budget ${name} does not allow evicting pods currently`
  if (message !== '' && reason === 'SyncFailed') return `${none} because it failed sync: ${message}`
  if (Number(currentHealthy) <= Number(desiredHealthy))
    return `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  return message === '' ? none : `${none} (${reason}): ${message}`
}

function budgetsOf({ server, target }: ResourceRequest, { metadata }: OpenObject): Entry[] {
  const budgets = [...server.store.collection(budgetStorage).scan(`${target.namespace}/`)]
  return budgets.filter(({ object }) => {
    const selector = fieldAt(object, 'spec', 'selector')
    if (selector === undefined || selector === null) return false
    return matchesLabels(labelSelectorRequirements(selector as LabelSelector), metadata.labels)
  })
}

function refusalError(why: string, retryAfterSeconds?: number): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  const causes = [{ reason: 'DisruptionBudget', message: why }]
  const details = { causes, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  return failure(429, message, { reason: 'TooManyRequests', details })
}
