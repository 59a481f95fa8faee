import { namespaces } from '../../../engine/kube/builtin.js'
import { isAlreadyExists } from '../../../engine/kube/error.js'
import type { SyncContext } from '../../context/sync-context.js'

/** Creates the namespace of a virtual copy if it does not exist. Called before a host object is copied up into it. */
export async function ensureVirtualNamespace(ctx: SyncContext, name: string): Promise<void> {
  try {
    await ctx.virtual.client.create(namespaces, { metadata: { name } }, { signal: ctx.signal })
    ctx.logger.info({ namespace: name }, 'created a namespace in the virtual cluster')
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
  }
}
