/** The operator of test/node/caches in Pods, and its objects. */

import { until } from '../until.js'
import type { Loose, RealNode } from './real-node.js'

/** The namespace of its Pods. */
export const namespace = 'caches-system'

/** An object of its kind. */
export const cache = (version: string, spec: object, name = 'one', inNamespace = 'default') => ({
  apiVersion: `cache.my.domain/${version}`,
  kind: 'Cache',
  metadata: { name, namespace: inNamespace },
  spec,
})

/** Waits until the replicas are ready and no other Pod is left. */
export async function ready(node: RealNode): Promise<void> {
  await node.kubectl('-n', namespace, 'rollout', 'status', 'deployment/caches', '--timeout=300s')
  await until(async () => (await pods(node)).length === 2)
}

/** Its Pods. */
export const pods = async (node: RealNode): Promise<Loose[]> =>
  (await node.get('-n', namespace, 'pods')).items

/** The process that leads, and its Pod. */
export async function leader(node: RealNode): Promise<{ identity: string; pod: Loose }> {
  const { spec } = await node.get('-n', namespace, 'lease', 'caches')
  const identity: string = spec.holderIdentity ?? ''
  return { identity, pod: (await pods(node)).find(({ metadata }) => identity.includes(metadata.name)) }
}

/** Changes an object, and waits until the operator has changed what it owns. */
export async function grows(node: RealNode, size: number, name = 'one'): Promise<void> {
  // An API server may reach the webhooks a moment after it calls them.
  await until(() => node.apply(cache('v1', { size }, name)).then(() => true))
  await until(async () => (await node.get('configmap', name)).data.size === String(size))
}
