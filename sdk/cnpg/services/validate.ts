import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { freezeJson } from '../../engine/kube/json.js'
import type { CnpgCluster } from '../cluster/cluster.js'
import { pluginEntry } from '../cluster/plugin-entry.js'
import type { ContextSubject } from '../context/call-context.js'
import type { Refusal } from '../context/contexts.js'
import { ValidateCallContext } from '../context/validate-call-context.js'
import type { RegisteredHooks } from './registered-hooks.js'

/** The refusals of a new Cluster; empty if it is accepted. */
export async function refusalsOfCreate<P>(
  hooks: RegisteredHooks<P>,
  subject: ContextSubject,
): Promise<readonly Refusal[]> {
  const ctx = new ValidateCallContext(hooks, subject)
  if (ctx.refusals.length === 0) await hooks.cluster.validateCreate?.(ctx, ctx.cluster)
  return ctx.refusals
}

/**
 * The refusals of a changed Cluster; empty if it is accepted. A Cluster that did not use the plugin before is validated
 * as a new Cluster: otherwise an owner could avoid `validateCreate` by naming the plugin later.
 */
export async function refusalsOfChange<P>(
  hooks: RegisteredHooks<P>,
  subject: ContextSubject,
  old: CnpgCluster,
): Promise<readonly Refusal[]> {
  const isUsed = (cluster: CnpgCluster) => pluginEntry(cluster, hooks.name)?.isEnabled === true
  if (isUsed(subject.cluster) && !isUsed(old)) return refusalsOfCreate(hooks, subject)
  const ctx = new ValidateCallContext(hooks, subject)
  const frozen = freezeJson(old) as DeepReadonly<CnpgCluster>
  if (ctx.refusals.length === 0) await hooks.cluster.validateChange?.(ctx, frozen, ctx.cluster)
  return ctx.refusals
}
