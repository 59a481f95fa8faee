import { cloneJson } from '../../engine/kube/json.js'
import type { PatchOperation } from '../../engine/kube/json-patch/operation.js'
import type { ContextSubject } from '../context/call-context.js'
import { DefaultCallContext } from '../context/default-call-context.js'
import { asJson } from '../patch/as-json.js'
import { checkedPatch } from '../patch/checked-patch.js'
import type { RegisteredHooks } from './registered-hooks.js'

/**
 * The defaults of a Cluster as a patch. The patch is empty if the parameters do not fit, because the validation then
 * refuses the Cluster with a better message.
 */
export async function defaultPatch<P>(
  hooks: RegisteredHooks<P>,
  subject: ContextSubject,
): Promise<PatchOperation[]> {
  const ctx = new DefaultCallContext(hooks, subject)
  if (ctx.parameterProblems.length > 0) return []
  const draft = cloneJson(subject.cluster)
  await hooks.cluster.default?.(ctx, draft)
  return checkedPatch(subject.cluster, asJson(draft))
}
