import { seededRandom } from '../../apiserver/faults/seeded-random.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { type ConfigMap, configMaps } from '../../sdk/engine/kube/builtin.js'
import { isAlreadyExists, isConflict, isNotFound } from '../../sdk/engine/kube/error.js'
import type { Key } from '../../sdk/engine/kube/key.js'
import { hostName } from '../../sdk/vcluster/naming/names.js'

/** Options of {@link changing}. */
export interface LoadOptions {
  virtual: Client
  host: Client
  /** Existing virtual namespaces. */
  namespaces: readonly string[]
  target: string
  perSecond: number
  seed: number
}

/** The maximum number of objects, so that memory does not grow for that reason. */
const population = 200
/** The share of changes that edit a copy. */
const tamperingShare = 0.05
const tickMs = 50

/**
 * Creates, changes and deletes ConfigMaps like a tenant, and sometimes the copies like a user of the host.
 * Returns a function that stops it and returns the number of changes.
 */
export function changing(options: LoadOptions): () => Promise<number> {
  const random = seededRandom(options.seed)
  const underWay = new Set<Promise<void>>()
  let changes = 0
  const timer = setInterval(() => {
    for (let i = 0; i < (options.perSecond * tickMs) / 1000; i++) {
      changes++
      const change = changeOnce(options, random, changes).catch(unlessOvertaken)
      underWay.add(change)
      void change.then(() => underWay.delete(change))
    }
  }, tickMs)
  return async () => {
    clearInterval(timer)
    await Promise.all(underWay)
    return changes
  }
}

async function changeOnce(
  { virtual, host, namespaces, target }: LoadOptions,
  random: () => number,
  n: number,
): Promise<void> {
  const namespace = namespaces[Math.floor(random() * namespaces.length)] ?? ''
  const key = { namespace, name: `cm-${Math.floor((random() * population) / namespaces.length)}` }
  const data = { n: `${n}`, text: 'x'.repeat(Math.floor(random() * 1000)) }
  if (random() < tamperingShare) return tamper(host, copyOf(key, target), random() < 0.5)
  if (random() < 0.2) return void (await virtual.delete(configMaps, key))
  try {
    await virtual.patch(configMaps, key, { type: 'merge', body: { data } })
  } catch (error) {
    if (!isNotFound(error)) throw error
    await virtual.create<ConfigMap>(configMaps, { metadata: key, data })
  }
}

async function tamper(host: Client, key: Key, byDeleting: boolean): Promise<void> {
  if (byDeleting) await host.delete(configMaps, key)
  else await host.patch(configMaps, key, { type: 'merge', body: { data: { n: 'tampered' } } })
}

/** The key of an object's copy. */
export function copyOf({ namespace, name }: Key, target: string): Key {
  return { namespace: target, name: hostName(name, namespace, 'vc') }
}

/** Concurrent changes of one object conflict, which is part of the load. */
function unlessOvertaken(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error) && !isAlreadyExists(error)) throw error
}
