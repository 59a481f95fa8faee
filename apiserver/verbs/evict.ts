import type { ApiError } from '../../sdk/kube/error.js'
import {
  type LabelSelector,
  labelSelectorRequirements,
  matchesLabels,
} from '../../sdk/kube/label-selector.js'
import { formatTime } from '../base/clock.js'
import { fieldAt, type OpenObject, recordOf, textAt } from '../base/object.js'
import { parseObjectBody } from '../request/body.js'
import { badRequest, failure, notFound } from '../request/status.js'
import type { ResourceRequest } from '../server/context.js'
import type { Entry } from '../store/entry.js'
import { admitPart } from './admission-steps.js'
import { deleteEntry } from './delete.js'
import { readDeleteOptions } from './delete-options.js'
import { EVICTIONS } from './part-kinds.js'
import { findEntry } from './update.js'
import { writeOptions } from './write-options.js'

const BUDGETS = 'poddisruptionbudgets.policy'

/** Pods in these phases do not count for a budget. */
const NOT_RUNNING = ['Succeeded', 'Failed', 'Pending']

/**
 * Deletes a pod unless a PodDisruptionBudget forbids it; see
 * https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/. Throws 429 if one does.
 */
export async function evict(request: ResourceRequest): Promise<void> {
  const { resource, target, query } = request
  const { dryRun } = writeOptions(query, 'CreateOptions')
  const given = recordOf(await parseObjectBody(request, 'Eviction')) as OpenObject
  const eviction = await admitPart(request, {
    operation: 'CREATE',
    kind: EVICTIONS,
    object: given,
    dryRun,
  })
  const name = textAt(eviction, 'metadata', 'name')
  if (name !== '' && name !== target.name)
    throw badRequest('name in URL does not match name in Eviction object')
  const entry = findEntry(request)
  if (entry === undefined) throw notFound(resource, target.name)
  const options = readDeleteOptions(recordOf(eviction.deleteOptions))
  const isDry = dryRun || options.dryRun
  const pod = entry.object as OpenObject
  if (!NOT_RUNNING.includes(textAt(pod, 'status', 'phase')) && pod.metadata.deletionTimestamp === undefined) {
    takeFromBudget(request, pod, isDry)
  }
  deleteEntry(request, entry, { ...options, dryRun: isDry })
}

function takeFromBudget(request: ResourceRequest, pod: OpenObject, dryRun: boolean): void {
  const [budget, ...others] = budgetsOf(request, pod)
  if (budget === undefined) return
  if (others.length > 0) {
    const why =
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw failure(500, why, { reason: 'InternalError' })
  }
  const { object } = budget
  const status = recordOf(fieldAt(object, 'status'))
  const { generation = 0, name = '' } = object.metadata
  if (Number(status.observedGeneration ?? 0) < generation) {
    throw refusal(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  const allowed = Number(status.disruptionsAllowed ?? 0)
  if (allowed <= 0) {
    const { desiredHealthy = 0, currentHealthy = 0 } = status
    throw refusal(
      `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    )
  }
  if (dryRun) return
  const disruptedPods = {
    ...recordOf(status.disruptedPods),
    [pod.metadata.name ?? '']: formatTime(request.server.clock.date()),
  }
  const next = { ...status, disruptionsAllowed: allowed - 1, disruptedPods }
  request.server.store.put(BUDGETS, budget.key, {
    ...object,
    metadata: { ...object.metadata },
    status: next,
  } as OpenObject)
}

function budgetsOf({ server, target }: ResourceRequest, { metadata }: OpenObject): Entry[] {
  const budgets = [...server.store.collection(BUDGETS).scan(`${target.namespace}/`)]
  return budgets.filter(({ object }) => {
    const selector = fieldAt(object, 'spec', 'selector')
    if (selector === undefined || selector === null) return false
    return matchesLabels(labelSelectorRequirements(selector as LabelSelector), metadata.labels)
  })
}

function refusal(why: string, retryAfterSeconds?: number): ApiError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  const causes = [{ reason: 'DisruptionBudget', message: why }]
  const details = { causes, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  return failure(429, message, { reason: 'TooManyRequests', details })
}
