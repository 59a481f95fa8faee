import type { Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { StoreScope } from '../../engine/store/store.js'
import type { RegisterContext } from '../context/register-context.js'
import type { CopyRules } from './copy-rules.js'

/** The scopes of the host's stores that hold the host objects of a syncer. */
export function hostScopes({ hostNamespaces }: Pick<CopyRules, 'hostNamespaces'>): StoreScope[] {
  if (hostNamespaces === undefined) return [{}]
  if (hostNamespaces.includes('')) return [{ namespace: '' }]
  return hostNamespaces.map((namespace) => ({ namespace }))
}

/** Whether the stores of a syncer hold a host object of this key, if it exists. */
export function isWatchedOnHost(
  { resource, hostNamespaces }: Pick<CopyRules, 'resource' | 'hostNamespaces'>,
  { targetNamespace }: Pick<RegisterContext, 'targetNamespace'>,
  { namespace }: Key,
): boolean {
  if (!resource.namespaced) return true
  const watched = hostNamespaces ?? [targetNamespace]
  return watched.includes(namespace) || watched.includes('')
}

/** A host object of a syncer, from its store; `undefined` also for namespaces that the syncer does not watch. */
export function storedHost<T extends KubeObject>(
  syncer: CopyRules<T>,
  ctx: RegisterContext,
  key: Key,
): T | undefined {
  for (const scope of hostScopes(syncer)) {
    const mayHold = !scope.namespace || scope.namespace === key.namespace || !syncer.resource.namespaced
    const object = mayHold ? ctx.host.store(syncer.resource, scope).get(key) : undefined
    if (object) return object
  }
  return undefined
}

/** Every host object of a syncer that the stores know. */
export function knownHosts<T extends KubeObject>(syncer: CopyRules<T>, ctx: RegisterContext): T[] {
  return hostScopes(syncer).flatMap((scope) => ctx.host.store(syncer.resource, scope).list())
}
