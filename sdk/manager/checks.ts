import type { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { WatchedStore } from '../cluster/watched-store.js'
import type { RunningController } from '../controller/run-controller.js'
import type { Check } from '../health/health.js'
import { formatResource } from '../kube/resource.js'
import type { Leadership } from '../leader/leadership.js'
import { fullMemory, isNearlyOut, type MemoryUsage } from '../observe/memory.js'

/** How long a watch may say nothing, in milliseconds: two of the times after which it is begun anew for its silence. */
const quietLimitMs = 260_000

/** A watch that neither events, bookmarks nor new lists come from, for longer than it would heal itself. */
export function watchesCheck({ name, quiet }: Pick<ClusterRuntime, 'name' | 'quiet'>): Check {
  const wrong = () => {
    const silent = quiet.filter(({ quietMs }) => quietMs > quietLimitMs)
    const told = silent.map(({ resource, quietMs }) => `${formatResource(resource)} for ${seconds(quietMs)}`)
    return told.length > 0 ? `nothing was heard of ${told.join(', ')}` : undefined
  }
  return { name: `${name}-watches`, wrong }
}

/** A process that is about to end for want of memory had better end in time, with its reason told. */
export function memoryCheck(memory: MemoryUsage): Check {
  return { name: 'memory', wrong: () => (isNearlyOut(memory) ? fullMemory(memory) : undefined) }
}

/** Without credentials nothing can be read or written, and starting anew helps only where the exec plugin is another by then. */
export function credentialsCheck({ name, problem }: Pick<ClusterRuntime, 'name' | 'problem'>): Check {
  return { name: `${name}-credentials`, wrong: () => problem }
}

/** Objects that are left out for lack of memory keep the syncers of their kind waiting. */
export function leftOutCheck(stores: readonly WatchedStore[], memory: MemoryUsage): Check {
  const wrong = () => {
    const short = stores.filter(({ store }) => store.leftOut > 0)
    const told = short.map(
      ({ cluster, resource, store }) =>
        `${store.leftOut} objects of ${formatResource(resource)} in the ${cluster} cluster beside the ${store.size} held`,
    )
    return told.length > 0 ? `left out ${told.join(', ')}, because ${fullMemory(memory)}` : undefined
  }
  return { name: 'memory', wrong }
}

/** A run that goes on for long after its limit does not heed its signal, and keeps its key for good. */
export function runsCheck(controllers: readonly RunningController[]): Check {
  const wrong = () => {
    const stuck = controllers.filter((one) => one.oldestRunMs() > 2 * one.runLimitMs)
    const told = stuck.map((one) => `${one.name} for ${seconds(one.oldestRunMs())}`)
    return told.length > 0 ? `a run is under way of ${told.join(', ')}` : undefined
  }
  return { name: 'runs', wrong }
}

/** Tells in its name which shards are served: having none is no fault. */
export function shareChecks(leadership: Leadership | undefined): Check[] {
  const { share } = leadership ?? {}
  if (!share) return []
  const shards = share.shards.join(',') || 'none'
  return [{ name: `shards ${shards} of ${share.count}`, wrong: () => undefined }]
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
