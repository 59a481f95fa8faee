import type { ClusterRuntime } from '../cluster/cluster-runtime.js'
import type { WatchedStore } from '../cluster/watched-store.js'
import type { RunningController } from '../controller/running-controller.js'
import type { HealthCheck } from '../health/health.js'
import { formatResource } from '../kube/resource.js'
import type { Leadership } from '../leader/leadership.js'
import { fullMemory, isNearlyOut, type MemoryUsage } from '../observe/memory.js'

/** How long a watch may be silent, in milliseconds: twice the time after which a silent watch is restarted. */
const quietLimitMs = 260_000

/** The parts of a program that the checks read. */
export interface CheckedProgram {
  readonly clusters: readonly ClusterRuntime[]
  readonly controllers: readonly RunningController[]
  readonly leadership: Leadership | undefined
  /** The memory usage of the process; without it memory is not checked. */
  readonly memory: MemoryUsage | undefined
}

/** The checks of `/healthz` of a program that runs. */
export function liveChecksOf({ clusters, controllers, memory }: CheckedProgram): HealthCheck[] {
  return [...(memory ? [memoryCheck(memory)] : []), ...clusters.map(watchesCheck), runsCheck(controllers)]
}

/** The checks of `/readyz`, except the check whether the program has started. */
export function readyChecksOf({ clusters, leadership, memory }: CheckedProgram): HealthCheck[] {
  const stores = clusters.flatMap(({ watched }) => watched)
  return [
    ...clusters.map(credentialsCheck),
    ...(memory ? [leftOutCheck(stores, memory)] : []),
    ...shardChecks(leadership),
  ]
}

/** Fails if a watch delivered no event, bookmark or list for longer than it takes to restart a silent watch. */
export function watchesCheck({ name, quiet }: Pick<ClusterRuntime, 'name' | 'quiet'>): HealthCheck {
  const wrong = () => {
    const silent = quiet.filter(({ quietMs }) => quietMs > quietLimitMs)
    const texts = silent.map(({ resource, quietMs }) => `${formatResource(resource)} for ${seconds(quietMs)}`)
    return texts.length > 0 ? `no event or bookmark of ${texts.join(', ')}` : undefined
  }
  return { name: `${name}-watches`, wrong }
}

/** Fails shortly before the process runs out of memory, so that it is restarted with a reason. */
export function memoryCheck(memory: MemoryUsage): HealthCheck {
  return { name: 'memory', wrong: () => (isNearlyOut(memory) ? fullMemory(memory) : undefined) }
}

/** Fails while there are no credentials. It is a readiness check, because a restart rarely gets credentials. */
export function credentialsCheck({ name, problem }: Pick<ClusterRuntime, 'name' | 'problem'>): HealthCheck {
  return { name: `${name}-credentials`, wrong: () => problem }
}

/** Fails while objects are left out because memory is short. The controllers of their kind wait meanwhile. */
export function leftOutCheck(stores: readonly WatchedStore[], memory: MemoryUsage): HealthCheck {
  const wrong = () => {
    const short = stores.filter(({ store }) => store.leftOut > 0)
    const texts = short.map(
      ({ cluster, resource, store }) =>
        `${store.leftOut} objects of ${formatResource(resource)} in the ${cluster} cluster (${store.size} are held)`,
    )
    return texts.length > 0 ? `left out ${texts.join(', ')}, because ${fullMemory(memory)}` : undefined
  }
  return { name: 'memory', wrong }
}

/** Fails if a run lasts longer than twice its limit: it ignores its signal and blocks its key. */
export function runsCheck(controllers: readonly RunningController[]): HealthCheck {
  const wrong = () => {
    const stuck = controllers.filter((one) => one.oldestRunMs() > 2 * one.runLimitMs)
    const texts = stuck.map((one) => `${one.name} for ${seconds(one.oldestRunMs())}`)
    return texts.length > 0 ? `a run does not end: ${texts.join(', ')}` : undefined
  }
  return { name: 'runs', wrong }
}

/** A check that never fails. Its name lists the shards that this replica serves. */
function shardChecks(leadership: Leadership | undefined): HealthCheck[] {
  const { assignment } = leadership ?? {}
  if (!assignment) return []
  const shards = assignment.shards.join(',') || 'none'
  return [{ name: `shards ${shards} of ${assignment.count}`, wrong: () => undefined }]
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`
