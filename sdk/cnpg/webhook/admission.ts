import { cloneJson } from '../../engine/kube/json.js'
import type { AdmissionAnswer, AdmissionRequest } from '../../engine/webhook/review/admission-review.js'
import { denyAnswer, type RefusedField } from '../../engine/webhook/review/deny-answer.js'
import type { Call } from '../calls/call.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { pluginEntry } from '../cluster/plugin-entry.js'
import type { Refusal } from '../context/contexts.js'
import { defaultPatch } from '../services/default-patch.js'
import type { RegisteredHooks } from '../services/registered-hooks.js'
import { refusalsOfChange, refusalsOfCreate } from '../services/validate.js'

/** Answers `default` as a patch. */
export async function answerClusterDefault<P>(
  hooks: RegisteredHooks<P>,
  request: AdmissionRequest,
  call: Call,
): Promise<AdmissionAnswer> {
  const cluster = clusterOf(request)
  if (!cluster || !isEnabled(hooks, cluster)) return { allowed: true }
  return { allowed: true, patch: await defaultPatch(hooks, { cluster: cloneJson(cluster), call }) }
}

/** Answers `validateCreate` or `validateChange`; refusals are 422 with a cause for each. */
export async function answerClusterValidate<P>(
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
  return refusals.length > 0 ? denyAnswer(request, refusals.map(refusedField)) : { allowed: true }
}

function clusterOf({ object, operation }: AdmissionRequest): CnpgCluster | undefined {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined
  return object as unknown as CnpgCluster | undefined
}

function isEnabled<P>({ name }: RegisteredHooks<P>, cluster: CnpgCluster): boolean {
  return pluginEntry(cluster, name)?.isEnabled === true
}

/** A refused field, with the text that the operator makes of the same refusal. */
const refusedField = ({ path, value, message }: Refusal): RefusedField => ({
  path: path.join('.'),
  message: `Invalid value: ${JSON.stringify(value)}: ${message}`,
})
