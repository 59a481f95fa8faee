import type { KubeObject } from '../../../engine/kube/object.js'
import type { RegisterContext } from '../../context/register-context.js'
import { hostScopes } from '../../ownership/host-objects.js'
import type { Syncer } from '../syncer.js'
import type { Behaviour } from './behaviour.js'
import type { SameKind } from './copying-syncer.js'
import { reconcile } from './reconcile.js'
import { knownKeys, triggers$ } from './triggers.js'

/** The behaviour of a syncer, which follows the objects of its kind in both clusters. */
export function syncerBehaviour<T extends KubeObject>(
  syncer: Syncer<T>,
  ctx: RegisterContext,
  sameKind: SameKind<T>,
): Behaviour {
  const { resource } = syncer
  const hosts = hostScopes(syncer).map((scope) => ctx.host.store(resource, scope))
  return {
    caches: [ctx.virtual.store(resource), ...hosts] as unknown as Behaviour['caches'],
    knownKeys: () => knownKeys(syncer, ctx),
    triggers$: (conflicts) => triggers$(syncer, { ctx, conflicts }),
    reconcile: (syncCtx) => reconcile(syncer, syncCtx, sameKind),
  }
}
