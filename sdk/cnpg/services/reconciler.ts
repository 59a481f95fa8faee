import type { DeepReadonly } from '../../engine/kube/deep-readonly.js'
import { freezeJson } from '../../engine/kube/json.js'
import type { Call } from '../calls/call.js'
import { decodeObject } from '../calls/decode.js'
import { reconcilerHooksMethods } from '../calls/methods.js'
import { type ServedMethod, serveMethods } from '../calls/service.js'
import type { Backup, CnpgCluster } from '../cluster/cluster.js'
import type { ReconcileStop } from '../context/contexts.js'
import { ReconcileCallContext } from '../context/reconcile-call-context.js'
import {
  ReconcilerHooksResult_Behavior as Behavior,
  ReconcilerHooksCapability_Kind as Kind,
  type ReconcilerHooksRequest,
  type ReconcilerHooksResult,
} from '../proto/gen/reconciler.js'
import type { RegisteredHooks } from './registered-hooks.js'

type HookName = 'preReconcile' | 'postReconcile'

/** The service that the operator calls before and after reconciliations. */
export function reconcilerService<P>(hooks: RegisteredHooks<P>): ServedMethod[] {
  return serveMethods(reconcilerHooksMethods, {
    getCapabilities: () => ({ reconcilerCapabilities: kindsOf(hooks).map((kind) => ({ kind })) }),
    pre: (request, call) => callHook(hooks, 'preReconcile', request, call),
    post: (request, call) => callHook(hooks, 'postReconcile', request, call),
  })
}

/** The declared kinds. A kind is declared for both calls; a call without a hook continues. */
function kindsOf<P>({ cluster, backups }: RegisteredHooks<P>): Kind[] {
  const declarations: readonly (readonly [Kind, unknown])[] = [
    [Kind.KIND_CLUSTER, cluster.preReconcile ?? cluster.postReconcile],
    [Kind.KIND_BACKUP, backups.preReconcile ?? backups.postReconcile],
  ]
  return declarations.filter(([, served]) => served).map(([kind]) => kind)
}

/** Calls the hook for the kind of the reconciled object: a Backup, or the Cluster itself. */
async function callHook<P>(
  hooks: RegisteredHooks<P>,
  hook: HookName,
  { clusterDefinition, resourceDefinition }: ReconcilerHooksRequest,
  call: Call,
): Promise<ReconcilerHooksResult> {
  const cluster = decodeObject<CnpgCluster>(clusterDefinition, 'cluster_definition')
  const resource = decodeObject<Backup | CnpgCluster>(resourceDefinition, 'resource_definition')
  const ctx = new ReconcileCallContext(hooks, { cluster, call })
  const stop =
    resource.kind === 'Backup'
      ? await hooks.backups[hook]?.(ctx, freezeJson(resource) as DeepReadonly<Backup>)
      : await hooks.cluster[hook]?.(ctx, ctx.cluster)
  return resultOf(stop ?? undefined, ctx)
}

/**
 * The result that continues the reconciliation. It is not `CONTINUE`: operators call no further plugin once a plugin
 * returns that, so the hooks of plugins with later names would never run.
 */
const continueResult: ReconcilerHooksResult = { behavior: Behavior.BEHAVIOR_UNSPECIFIED, requeueAfter: 0 }

/** The result for the operator: stop, repeat later, or continue if the hook returned nothing. */
function resultOf<P>(
  stop: ReconcileStop | undefined,
  { logger }: ReconcileCallContext<P>,
): ReconcilerHooksResult {
  if (!stop) return continueResult
  const { behavior, reason, afterSeconds } = stop
  logger.info({ behavior, reason, afterSeconds }, 'the plugin ends this reconciliation')
  return behavior === 'requeue'
    ? { behavior: Behavior.BEHAVIOR_REQUEUE, requeueAfter: afterSeconds }
    : { behavior: Behavior.BEHAVIOR_TERMINATE, requeueAfter: 0 }
}
