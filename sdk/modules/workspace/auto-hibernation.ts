// Applies the schedules of a Workspace. The newest time that was acted on is in an annotation, which changes with the switch itself.
import type { Client } from '../../client/client.js'
import { keyOf } from '../../kube/key.js'
import type { AutoHibernation, Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { dueState, type HibernationSchedules, parseHibernation } from '../schedule/due-state.js'

/** The annotation with the newest time of the schedules that was acted on. */
export const scheduleAnnotation = 'forkspacer.com/last-schedule-time'

/** The longest wait for the next time, in milliseconds: 24 h. */
const longestWaitMs = 86_400_000

/** The state of the schedules after they were applied. */
export interface AppliedSchedule {
  /** The newest time that was acted on. */
  readonly lastScheduleTime: string | undefined
  /** The time until the next run, in milliseconds; undefined without a schedule. */
  readonly againInMs: number | undefined
}

/**
 * Puts a Workspace to sleep or wakes it if a time came due. Rejects with a `ScheduleError` for a schedule that cannot be read. A
 * schedule that is new counts from now on.
 */
export async function applySchedule(
  workspace: Workspace,
  { client, now }: { readonly client: Client; readonly now: Date },
): Promise<AppliedSchedule> {
  const { autoHibernation, hibernated } = workspace.spec
  const known = workspace.metadata.annotations?.[scheduleAnnotation]
  if (!autoHibernation?.enabled) {
    if (known !== undefined) await write(client, workspace, null)
    return { lastScheduleTime: undefined, againInMs: undefined }
  }
  const schedules = schedulesOf(autoHibernation)
  const knownMs = Date.parse(known ?? '')
  const last = Number.isNaN(knownMs) ? now : new Date(knownMs)
  const { due, nextAt } = dueState(schedules, now, last)
  const lastScheduleTime = (due?.at ?? last).toISOString()
  if (lastScheduleTime !== known)
    await write(client, workspace, lastScheduleTime, due ? due.hibernated : hibernated)
  return { lastScheduleTime, againInMs: Math.min(nextAt.getTime() - now.getTime(), longestWaitMs) }
}

/** The schedules of a Workspace. Throws a `ScheduleError`. */
export function schedulesOf({ schedule, wakeSchedule, timeZone }: AutoHibernation): HibernationSchedules {
  return parseHibernation({
    schedule,
    ...(wakeSchedule !== undefined && { wakeSchedule }),
    ...(timeZone !== undefined && { timeZone }),
  })
}

function write(
  client: Client,
  workspace: Workspace,
  lastScheduleTime: string | null,
  hibernated: boolean = workspace.spec.hibernated,
): Promise<Workspace> {
  const { uid, resourceVersion } = workspace.metadata
  const metadata = { uid, resourceVersion, annotations: { [scheduleAnnotation]: lastScheduleTime } }
  const body = { metadata, spec: { hibernated } }
  return client.patch(workspaces, keyOf(workspace), { type: 'merge', body })
}
