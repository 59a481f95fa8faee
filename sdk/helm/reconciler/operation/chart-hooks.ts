import type { KubeObject } from '../../../engine/kube/object.js'
import type { Resource } from '../../../engine/kube/resource.js'
import { compareKinds } from '../../render/install-order.js'
import { readHook } from '../../render/read-hook.js'
import type { HookEvent, HookRun, ReleaseHook } from '../../render/release-hook.js'
import type { RenderError } from '../../render/render-error.js'
import type { RenderedObject } from '../../render/renderer.js'
import type { ServedKinds } from '../objects/capabilities.js'
import { isOfRun, withRun } from '../objects/hook-annotations.js'
import { withoutLifetime } from '../objects/job-lifetime.js'
import type { LiveObjects } from '../objects/live-objects.js'
import {
  isDefinition,
  objectName,
  placeObject,
  type ReleaseObject,
  type ReleaseOwner,
} from '../objects/release-object.js'
import { OperationError } from '../problem/problem.js'
import { type HookObject, logAdvice } from './hook-log-advice.js'

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
  /** Throws if an existing object with the name of a hook's object does not belong to the release. */
  readonly checkOurs: (object: ReleaseObject, live: KubeObject) => void
  /** Makes fields that Helm applied client-side to an object of the release applied fields. */
  readonly takeFields: (object: ReleaseObject) => Promise<unknown>
  /** Notes the last run of a hook, which the next write of the record stores. Returns the hook with it. */
  readonly note: (hook: ReleaseHook, run: HookRun) => ReleaseHook
  /** Stores the noted runs in the record. */
  readonly store: () => Promise<void>
  /** Reports a hook that can never run and is left out; default: its error is thrown. */
  readonly leaveOut?: ((error: RenderError) => void) | undefined
}

/** The hooks of an event in the order of their runs: by weight, by name, and by kind as Helm installs kinds. */
export function hooksFor(hooks: readonly ReleaseHook[], event: HookEvent): ReleaseHook[] {
  return hooks
    .filter(({ events }) => events.includes(event))
    .sort(
      (a, b) => (a.weight ?? 0) - (b.weight ?? 0) || compare(a.name, b.name) || compareKinds(a.kind, b.kind),
    )
}

/** Compares two texts by their code units, for `sort`. */
function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** The objects of a hook: one, or the members of a list. */
export async function objectsOfHook(
  hook: ReleaseHook,
  { kinds, owner }: Pick<HookEnvironment, 'kinds' | 'owner'>,
): Promise<ReleaseObject[]> {
  const rendered = await readHook(hook)
  return Promise.all(rendered.map(({ object }) => placeObject(object, kinds, owner.release.namespace)))
}

/**
 * Runs one hook. The start of a hook that takes time is stored first, so that another process that continues the
 * operation waits for the hook instead of starting it again. Returns the object that runs; undefined when the hook has
 * succeeded. Rejects with {@link OperationError} if it fails or takes too long.
 */
export async function runHook(
  hook: ReleaseHook,
  environment: HookEnvironment,
): Promise<ReleaseObject | undefined> {
  for (const object of await readHook(hook)) await environment.check(object)
  const objects = await objectsOfHook(hook, environment)
  const takesTime = objects.some(({ resource }) => isAwaited(resource))
  const startedHook = hook.last_run?.phase === 'Running' ? hook : noteStart(hook, environment)
  if (takesTime && startedHook !== hook) await environment.store()
  for (const object of objects) {
    const existing = await objectOfThisRun(object, environment)
    const outcome = existing ? outcomeOf(existing, object.resource) : 'running'
    if (outcome === 'running') return checkRunTime(object, startedHook, environment)
    if (outcome === 'Failed')
      throw new OperationError(
        `the hook ${objectName(object)} failed; ${logAdvice(hook, hookObject(object))}`,
      )
  }
  noteEnd(startedHook, 'Succeeded', environment)
  if (takesTime) await environment.store()
  return undefined
}

const noteStart = (hook: ReleaseHook, { note, now }: HookEnvironment): ReleaseHook =>
  note(hook, { started_at: now().toISOString(), phase: 'Running' })

/** Notes the end of a hook, which the next write of the record stores. */
export const noteEnd = (
  hook: ReleaseHook,
  phase: 'Succeeded' | 'Failed',
  { note, now }: HookEnvironment,
): ReleaseHook => note(hook, { ...hook.last_run, completed_at: now().toISOString(), phase })

/** Helm waits for Jobs and Pods. */
const isAwaited = ({ group, kind }: Pick<Resource, 'group' | 'kind'>): boolean =>
  (group === 'batch' && kind === 'Job') || (group === '' && kind === 'Pod')

/** The object of this run of a hook, created if absent; undefined while that of an earlier run is being deleted. */
async function objectOfThisRun(
  object: ReleaseObject,
  { live, owner, run, checkOurs, takeFields }: HookEnvironment,
): Promise<KubeObject | undefined> {
  const liveHook = await live.read(object)
  if (liveHook && isOfRun(liveHook, owner, run)) return liveHook
  if (liveHook) checkOurs(object, liveHook)
  // Helm's default policy, before-hook-creation; an object of the same name would be in the way in any case.
  if (liveHook?.metadata.deletionTimestamp !== undefined) return undefined
  const intended = withoutLifetime(withRun(object, run, owner))
  if (liveHook && isDefinition(object.object))
    return changeDefinition(intended, liveHook, { live, takeFields })
  if (liveHook) await live.remove(object, liveHook)
  const isGone = !liveHook || !(await live.read(object))
  return isGone ? live.create(intended) : undefined
}

/** Changes the definition of an earlier run: its deletion would delete all objects of its kind. */
async function changeDefinition(
  definition: ReleaseObject,
  { metadata: { uid = '' } }: KubeObject,
  { live, takeFields }: Pick<HookEnvironment, 'live' | 'takeFields'>,
): Promise<KubeObject> {
  await takeFields(definition)
  const { object } = definition
  return live.apply({ ...definition, object: { ...object, metadata: { ...object.metadata, uid } } })
}

/** Returns the object of a hook that runs. Throws {@link OperationError} if it runs longer than the limit. */
function checkRunTime(
  object: ReleaseObject,
  hook: ReleaseHook,
  { now, timeoutMs }: HookEnvironment,
): ReleaseObject {
  const sinceMs = now().getTime() - Date.parse(hook.last_run?.started_at ?? '')
  if (sinceMs > timeoutMs)
    throw new OperationError(
      `the hook ${objectName(object)} did not end within ${timeoutMs / 1000} s; ${logAdvice(hook, hookObject(object))}`,
    )
  return object
}

const hookObject = ({ resource: { kind }, key }: ReleaseObject): HookObject => ({ kind, ...key })

interface HookStatus {
  phase?: string
  conditions?: { type: string; status: string }[]
}

/** The state of a Job or a Pod of a hook. Objects of other kinds succeed as soon as they exist. */
function outcomeOf(object: KubeObject, resource: Resource): 'running' | 'Succeeded' | 'Failed' {
  if (!isAwaited(resource)) return 'Succeeded'
  const { phase, conditions = [] } = (object as { status?: HookStatus }).status ?? {}
  if (resource.kind === 'Pod') return phase === 'Failed' || phase === 'Succeeded' ? phase : 'running'
  const isTrue = (type: string) =>
    conditions.some((condition) => condition.type === type && condition.status === 'True')
  if (isTrue('Failed')) return 'Failed'
  return isTrue('Complete') ? 'Succeeded' : 'running'
}
