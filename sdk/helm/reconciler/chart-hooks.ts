import type { KubeObject } from '../../kube/object.js'
import { objectsOf } from '../render/manifest.js'
import type { HookEvent, HookRun, ReleaseHook } from '../render/release-hook.js'
import type { RenderedObject } from '../render/renderer.js'
import type { ServedKinds } from './capabilities.js'
import { isOfRun, withRun } from './hook-annotations.js'
import type { LiveObjects } from './live-objects.js'
import { OperationError } from './problem.js'
import { nameOf, placeOne, type ReleaseObject, type ReleaseOwner } from './release-object.js'

/** The parts of a run that hooks need. */
export interface HookEnvironment {
  readonly live: LiveObjects
  readonly kinds: ServedKinds
  readonly owner: ReleaseOwner
  /** Identifies the attempt and the event, in the annotation of the objects. */
  readonly run: string
  readonly timeoutMs: number
  readonly now: () => Date
  /** Rejects if the policy refuses an object: users may be able to write the record that hooks come from. */
  readonly check: (object: RenderedObject) => Promise<void>
  /** Stores the last run of a hook, before and after it. */
  readonly record: (hook: ReleaseHook, run: HookRun) => Promise<void>
}

/** The hooks of an event in the order of their runs: by weight, name and kind. */
export function hooksFor(hooks: readonly ReleaseHook[], event: HookEvent): ReleaseHook[] {
  return hooks
    .filter(({ events }) => events.includes(event))
    .sort((a, b) => (a.weight ?? 0) - (b.weight ?? 0) || compare(a.name, b.name) || compare(a.kind, b.kind))
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Runs one hook. Its run is recorded before it begins, so that a process that continues waits for the hook instead of starting a
 * second one. Returns its object while it runs. Rejects with {@link OperationError} if it fails or takes too long.
 */
export async function runHook(
  hook: ReleaseHook,
  environment: HookEnvironment,
): Promise<ReleaseObject | undefined> {
  const { kinds, owner, live } = environment
  const [rendered] = await objectsOf(hook.manifest)
  if (!rendered) return undefined
  await environment.check(rendered)
  const placed = await placeOne(rendered.object, kinds, owner.release.namespace)
  const object = withRun(placed, environment.run, owner)
  const begun = hook.last_run?.phase === 'Running' ? hook.last_run : undefined
  if (!begun) {
    await environment.record(hook, { started_at: environment.now().toISOString(), phase: 'Running' })
    return object
  }
  const found = await ofThisRun(object, environment)
  if (!found) return object
  const outcome = outcomeOf(found)
  if (outcome === 'running') return stillRunning(object, begun, environment)
  await environment.record(hook, { ...begun, completed_at: environment.now().toISOString(), phase: outcome })
  await deleteAfter(hook, object, { found, outcome, live })
  if (outcome === 'Failed') throw new OperationError(`the hook ${nameOf(object)} failed; look at its log`)
  return undefined
}

/** Deletes the object of a hook that has succeeded, if its policy says so and this run of it made the object. */
export async function deleteSucceeded(hook: ReleaseHook, environment: HookEnvironment): Promise<void> {
  const { kinds, owner, live, run } = environment
  if (!hook.delete_policies?.includes('hook-succeeded')) return
  const [rendered] = await objectsOf(hook.manifest)
  if (!rendered) return
  const object = await placeOne(rendered.object, kinds, owner.release.namespace)
  const found = await live.read(object)
  if (!found || !isOfRun(found, run) || found.metadata.deletionTimestamp) return
  await deleteAfter(hook, object, { found, outcome: 'Succeeded', live })
}

/** The object of a hook, made by this run of it; undefined while one of an earlier run is being deleted. */
async function ofThisRun(
  object: ReleaseObject,
  { live, run }: HookEnvironment,
): Promise<KubeObject | undefined> {
  const found = await live.read(object)
  if (isOfRun(found, run)) return found
  // Helm's default policy, before-hook-creation; an object of the same name would be in the way in any case.
  if (found?.metadata.deletionTimestamp !== undefined) return undefined
  if (found) await live.remove(object, found)
  return found && (await live.read(object)) ? undefined : live.create(object)
}

function stillRunning(
  object: ReleaseObject,
  begun: HookRun,
  { now, timeoutMs }: HookEnvironment,
): ReleaseObject {
  const sinceMs = now().getTime() - Date.parse(begun.started_at ?? '')
  if (sinceMs > timeoutMs)
    throw new OperationError(`the hook ${nameOf(object)} did not end within ${timeoutMs} ms; look at its log`)
  return object
}

interface HookStatus {
  phase?: string
  conditions?: { type: string; status: string }[]
}

function outcomeOf(object: KubeObject): 'running' | 'Succeeded' | 'Failed' {
  const { phase, conditions = [] } = (object as { status?: HookStatus }).status ?? {}
  const isTrue = (type: string) => conditions.some((one) => one.type === type && one.status === 'True')
  switch (object.kind) {
    case 'Job':
      return isTrue('Failed') ? 'Failed' : isTrue('Complete') ? 'Succeeded' : 'running'
    case 'Pod':
      return phase === 'Failed' || phase === 'Succeeded' ? phase : 'running'
    default:
      return 'Succeeded'
  }
}

interface Ended {
  readonly found: KubeObject
  readonly outcome: 'Succeeded' | 'Failed'
  readonly live: LiveObjects
}

async function deleteAfter(
  hook: ReleaseHook,
  object: ReleaseObject,
  { found, outcome, live }: Ended,
): Promise<void> {
  const policy = outcome === 'Failed' ? 'hook-failed' : 'hook-succeeded'
  const isDefinition = object.resource.kind === 'CustomResourceDefinition'
  if (hook.delete_policies?.includes(policy) && !isDefinition) await live.remove(object, found)
}
