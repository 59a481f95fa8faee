/**
 * Puts one workload to sleep and wakes it. It promises that the former state is noted in the patch of the sleep, that a
 * change which somebody makes meanwhile is not overwritten, and that no volume is lost.
 */
import type { Client } from '../../engine/client/client.js'
import { isConflict, PermanentError } from '../../engine/kube/error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import {
  keepingVolumes,
  losesVolumes,
  lostVolumesError,
  restoredPolicy,
  whenScaledAnnotation,
} from './kept-volumes.js'
import {
  asleepName,
  replicasAnnotation,
  type SleepMethod,
  sleepMethodOf,
  suspendedAnnotation,
} from './sleep-method.js'

/** How often a patch is made on a newer state of the workload. */
const attempts = 5

/** A workload, and how to read it. */
export interface SleepingWorkload {
  readonly resource: Resource
  readonly key: Key
  /** The workload as it is now; undefined for one that is gone or does not belong to the Module. */
  read(): Promise<KubeObject | undefined>
}

/** The calls that patch workloads. */
export interface SleepCalls {
  readonly client: Client
  readonly signal?: AbortSignal | undefined
  /** Whether a StatefulSet whose policy deletes its volumes keeps them. Default: it is refused. */
  readonly keepVolumes?: boolean | undefined
  /**
   * The name under which the API server remembers the fields of the sleep. It goes with the note. Default: that of the
   * client, which stays.
   */
  readonly fieldManager?: string | undefined
}

/** Options of {@link putWorkloadToSleep} and {@link wakeWorkload}. */
export interface SleepOptions extends SleepCalls {
  /** The former state as metadata keeps it, for a workload whose note is gone. Default: 0, so it is not woken. */
  readonly known?: number | undefined
}

/** Throws a `PermanentError` for an object that cannot sleep, or would lose data. */
export function checkMaySleep(
  { resource, key }: Pick<SleepingWorkload, 'resource' | 'key'>,
  live: KubeObject,
  { keepVolumes = false }: Pick<SleepCalls, 'keepVolumes'>,
): SleepMethod {
  const method = sleepMethodOf(resource, live)
  if (!method)
    throw new PermanentError(
      `${resource.kind} ${formatKey(key)} cannot be scaled down: its kind has neither replicas nor a suspension. ` +
        'Leave it out, or delete it in sleep and apply it in resume',
    )
  if (method.runningOf(live) > 0 && losesVolumes(resource, live) && !keepVolumes) throw lostVolumesError(key)
  return method
}

/**
 * Puts a workload to sleep. Returns how it was before: its replicas, 1 for one without replicas, 0 for one that did not
 * run; undefined for one that is gone.
 */
export function putWorkloadToSleep(
  workload: SleepingWorkload,
  options: SleepOptions,
): Promise<number | undefined> {
  return retryOnConflict(workload, async (live) => {
    const method = checkMaySleep(workload, live, options)
    const running = method.runningOf(live)
    if (running === 0) return formerState(method, live, options)
    const kept = losesVolumes(workload.resource, live) ? keepingVolumes : undefined
    const annotations = { [method.note]: method.noteOf(running), ...kept?.annotations }
    await patch(workload, live, { annotations, spec: { ...method.asleep, ...kept?.spec }, options })
    return running
  })
}

/**
 * Wakes a workload by its note. One that somebody woke meanwhile keeps what it has now, and only its note goes; one
 * that was deleted, or that did not run before its sleep, is left alone.
 */
export async function wakeWorkload(workload: SleepingWorkload, options: SleepOptions): Promise<void> {
  await retryOnConflict(workload, async (live) => {
    const method = sleepMethodOf(workload.resource, live)
    if (!method) return
    const running = method.runningOf(live) === 0 ? formerState(method, live, options) : 0
    if (running === 0 && sleepNote(live) === undefined) return
    const back = restoredPolicy(live)
    const spec = { ...(running > 0 && method.awake(running)), ...back.spec }
    const annotations = { [method.note]: null, ...back.annotations }
    await patchAwake(workload, live, { annotations, spec, options })
  })
}

/** The former state of a workload that sleeps. Without a note, only a workload with replicas is woken. */
function formerState(
  method: SleepMethod,
  live: KubeObject,
  { known: knownReplicas = 0 }: SleepOptions,
): number {
  const text = live.metadata.annotations?.[method.note]
  const noted = text === undefined ? 0 : method.readNote(text)
  if (noted > 0) return noted
  return method.note === replicasAnnotation ? knownReplicas : 0
}

/** The note of a workload that a sleep has written; undefined for one that was not put to sleep. */
export function sleepNote({ metadata: { annotations = {} } }: KubeObject): string | undefined {
  return [replicasAnnotation, suspendedAnnotation, asleepName, whenScaledAnnotation].find(
    (name) => annotations[name] !== undefined,
  )
}

/** Describes a workload that should sleep and does not; undefined for one that sleeps. */
export function whyAwake(resource: Pick<Resource, 'group' | 'kind'>, live: KubeObject): string | undefined {
  const method = sleepMethodOf(resource, live)
  const running = method?.runningOf(live) ?? 0
  return method && running > 0 ? method.describe(running) : undefined
}

/** Acts on the present state of a workload, and tries again if the workload changed meanwhile. */
async function retryOnConflict<T>(
  { read }: SleepingWorkload,
  act: (live: KubeObject) => Promise<T>,
): Promise<T | undefined> {
  for (let attempt = 1; ; attempt++) {
    const live = await read()
    if (!live) return undefined
    try {
      return await act(live)
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error
    }
  }
}

interface Change {
  readonly annotations: Record<string, string | null>
  readonly spec: object
  readonly options: SleepOptions
  readonly managedFields?: readonly unknown[]
}

/** Patches a workload at the resourceVersion that was read, so that a concurrent change is a conflict. */
function patch(
  { resource, key }: SleepingWorkload,
  { metadata: { uid, resourceVersion } }: KubeObject,
  { annotations, spec, managedFields, options: { client, signal, fieldManager } }: Change,
): Promise<KubeObject> {
  const metadata = { uid, resourceVersion, annotations, ...(managedFields && { managedFields }) }
  const body = { metadata, ...(Object.keys(spec).length > 0 && { spec }) }
  return client.patch(resource, key, {
    type: 'merge',
    body,
    ...(fieldManager !== undefined && { fieldManager }),
    ...(signal && { signal }),
  })
}

/**
 * Wakes a workload and removes its note. With a field manager of its own there are two patches: the entry of that
 * manager goes in the second one, because the first would write it again. The note goes last: it says after a crash
 * that the wake has not ended.
 */
async function patchAwake(workload: SleepingWorkload, live: KubeObject, change: Change): Promise<void> {
  const { fieldManager } = change.options
  if (fieldManager === undefined) {
    await patch(workload, live, change)
    return
  }
  const isWoken = Object.keys(change.spec).length > 0
  const now = isWoken ? await patch(workload, live, { ...change, annotations: {} }) : live
  const { managedFields = [] } = now.metadata
  const others = managedFields.filter((entry) => (entry as { manager?: string }).manager !== fieldManager)
  await patch(workload, now, { ...change, spec: {}, managedFields: others })
}
