import type { KubeObject } from '../../engine/kube/object.js'
import { type ClientHook, type HookType, methodOf } from './client-hook.js'

/** For each cluster, the read and the writes of objects that were read before. */
const readsAndWrites = [
  { cluster: 'virtual', read: 'GetVirtual', writes: ['CreateVirtual', 'UpdateVirtual'] },
  { cluster: 'host', read: 'GetPhysical', writes: ['CreatePhysical', 'UpdatePhysical'] },
] as const satisfies readonly { cluster: string; read: HookType; writes: readonly HookType[] }[]

/**
 * The problems of a hook that changes vcluster's reads of a cluster but not all of its writes to it: one
 * sentence for each cluster. vcluster writes whole objects as it read them. Logged when a plugin registers a hook.
 */
export function unpairedReads<T extends KubeObject>(hook: ClientHook<T>): string[] {
  return readsAndWrites.flatMap(({ cluster, read, writes }) => {
    const missing = writes.filter((type) => !methodOf(hook, type)).map((type) => `mutate${type}`)
    if (!methodOf(hook, read) || missing.length === 0) return []
    const names = missing.join(' and ')
    return [
      `hook ${hook.name} has mutate${read} but not ${names}: vcluster writes an object back as mutate${read} showed it, ` +
        `so what the hook adds would stay on the ${hook.resource.kind} in the ${cluster} cluster. Add ${names} and take it out ` +
        'there; return the object unchanged if there is nothing to take out',
    ]
  })
}
