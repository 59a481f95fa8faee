import type { Status } from '../../engine/kube/error.js'
import { cloneJson } from '../../engine/kube/json.js'
import type { AdmissionAnswer, AdmissionRequest } from '../../engine/webhook/review/admission-review.js'
import { ReviewError } from '../../engine/webhook/review/review-error.js'
import type { Call } from '../calls/call.js'
import { type CnpgCluster, clusters } from '../cluster/cluster.js'
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
  const old = request.oldObject as unknown as CnpgCluster | undefined
  const refusals =
    request.operation === 'UPDATE' && old
      ? await refusalsOfChange(hooks, { cluster, call }, old)
      : await refusalsOfCreate(hooks, { cluster, call })
  return refusals.length > 0 ? { allowed: false, status: statusOf(request, refusals) } : { allowed: true }
}

/** Throws {@link ReviewError} 400 for a review of another kind. */
export function checkKind({ kind }: AdmissionRequest): void {
  if (kind.group === clusters.group && kind.kind === clusters.kind) return
  const [served, got] = [clusters, kind].map((one) => `${one.kind}.${one.group}`)
  throw new ReviewError(400, `this path is for ${served}, got ${got}`)
}

function clusterOf({ object, operation }: AdmissionRequest): CnpgCluster | undefined {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined
  return object as unknown as CnpgCluster | undefined
}

function isEnabled<P>({ name }: RegisteredHooks<P>, cluster: CnpgCluster): boolean {
  return pluginEntry(cluster, name)?.isEnabled === true
}

/** The status of a refused request, with the texts that the operator makes of the same refusals. */
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
