import type { Status } from '../../kube/error.js'
import { cloneJson } from '../../kube/json.js'
import type { AdmissionAnswer, AdmissionRequest } from '../../webhook/review/admission-review.js'
import { ReviewError } from '../../webhook/review/review-error.js'
import type { Call } from '../calls/call.js'
import { HookError } from '../calls/hook-error.js'
import { type Cluster, clusters } from '../cluster/cluster.js'
import { pluginEntry } from '../cluster/plugin-entry.js'
import type { Refusal } from '../context/contexts.js'
import { defaultPatch } from '../services/default-patch.js'
import type { RegisteredHooks } from '../services/registered-hooks.js'
import { refusalsOfChange, refusalsOfCreate } from '../services/validate.js'

/** Answers `default` as a patch. */
export async function answerDefault<P>(
  hooks: RegisteredHooks<P>,
  request: AdmissionRequest,
  call: Call,
): Promise<AdmissionAnswer> {
  const cluster = clusterOf(request)
  if (!cluster || !isEnabled(hooks, cluster)) return { allowed: true }
  return { allowed: true, patch: await defaultPatch(hooks, { cluster: cloneJson(cluster), call }) }
}

/** Answers `validateCreate` or `validateChange`; refusals are 422 with a cause for each. */
export async function answerValidate<P>(
  hooks: RegisteredHooks<P>,
  request: AdmissionRequest,
  call: Call,
): Promise<AdmissionAnswer> {
  const cluster = clusterOf(request)
  if (!cluster || !isEnabled(hooks, cluster)) return { allowed: true }
  const old = request.oldObject as unknown as Cluster | undefined
  const refusals =
    request.operation === 'UPDATE' && old
      ? await refusalsOfChange(hooks, { cluster, call }, old)
      : await refusalsOfCreate(hooks, { cluster, call })
  return refusals.length > 0 ? { allowed: false, status: statusOf(request, refusals) } : { allowed: true }
}

function clusterOf({ kind, object, operation }: AdmissionRequest): Cluster | undefined {
  if (kind.group !== clusters.group || kind.kind !== clusters.kind)
    throw new ReviewError(
      400,
      `this path is for ${clusters.kind}.${clusters.group}, got ${kind.kind}.${kind.group}`,
    )
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined
  return object as unknown as Cluster | undefined
}

function isEnabled<P>({ name }: RegisteredHooks<P>, cluster: Cluster): boolean {
  return pluginEntry(cluster, name)?.isEnabled === true
}

/** The texts are those that the operator makes of the same refusals. */
function statusOf({ name }: AdmissionRequest, refusals: readonly Refusal[]): Status {
  const causes = refusals.map(({ path, value, message }) => ({
    reason: 'FieldValueInvalid',
    message: `Invalid value: ${JSON.stringify(value)}: ${message}`,
    field: path.join('.'),
  }))
  const texts = causes.map(({ field, message }) => `${field}: ${message}`)
  const all = texts.length === 1 ? texts.join() : `[${texts.join(', ')}]`
  const { group, kind } = clusters
  return {
    status: 'Failure',
    code: 422,
    reason: 'Invalid',
    message: `${kind}.${group} ${JSON.stringify(name)} is invalid: ${all}`,
    details: { name, group, kind, causes },
  }
}

/** An error of a hook as the answer of a webhook. */
export function reviewErrorOf(error: unknown): unknown {
  return error instanceof HookError ? new ReviewError(500, error.message, { cause: error }) : error
}
