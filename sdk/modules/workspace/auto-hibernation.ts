// Applies the schedules of a Workspace. One patch sets `spec.hibernated` and the annotation with the newest schedule
// time that was acted on.
import type { Client } from '../../engine/client/client.js'
import { keyOf } from '../../engine/kube/key.js'
import type { AutoHibernation, Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { dueState, type HibernationSchedules, parseHibernation } from '../schedule/due-state.js'

/** The annotation with the newest time of the schedules that was acted on. */
const scheduleAnnotation = 'forkspacer.com/last-schedule-time'

/**
 * The annotation with the texts of the schedules that this time belongs to. Edited schedules count from the first run
 * that sees them.
 */
const schedulesAnnotation = 'forkspacer.com/schedules'

/** The longest wait for the next time, in milliseconds: 24 h. */
const maxWaitMs = 86_400_000

/** The state of the schedules after they were applied. */
export interface AppliedSchedule {
  /** The newest time that was acted on. */
  readonly lastScheduleTime: string | undefined
  /** The time until the next run, in milliseconds; undefined without a schedule. */
  readonly requeueAfterMs: number | undefined
}

/**
 * Puts a Workspace to sleep or wakes it if a time came due. Called in each run of the Workspace. Rejects with a
 * `ScheduleError` for a schedule that cannot be read. A schedule that is new, or was edited, counts from now on.
 */
export async function applySchedule(
  workspace: Workspace,
  { client, now }: { readonly client: Client; readonly now: Date },
): Promise<AppliedSchedule> {
  const { autoHibernation } = workspace.spec
  const { [scheduleAnnotation]: recordedTime, [schedulesAnnotation]: recordedTexts } =
    workspace.metadata.annotations ?? {}
  if (!autoHibernation?.enabled) {
    const hasRecord = recordedTime !== undefined || recordedTexts !== undefined
    if (hasRecord) await writeRecord(client, workspace, { time: null, texts: null })
    return { lastScheduleTime: undefined, requeueAfterMs: undefined }
  }
  const texts = textsOf(autoHibernation)
  const schedules = await readOrRecord(workspace, autoHibernation, { client, now, texts })
  const last = lastTime({ recordedTime, recordedTexts }, texts, now)
  const { due, nextAt } = dueState(schedules, now, last)
  const lastScheduleTime = (due?.at ?? last).toISOString()
  if (lastScheduleTime !== recordedTime || texts !== recordedTexts)
    await writeRecord(client, workspace, { time: lastScheduleTime, texts, hibernated: due?.hibernated })
  return { lastScheduleTime, requeueAfterMs: Math.min(nextAt.getTime() - now.getTime(), maxWaitMs) }
}

/** The texts of the schedules as one text, to compare them with the recorded ones. */
const textsOf = ({ schedule, wakeSchedule, timeZone }: AutoHibernation) =>
  JSON.stringify([schedule, wakeSchedule ?? null, timeZone ?? null])

/**
 * The newest time that was acted on, at most now: a clock that recorded it may have been ahead. Times before an edit do
 * not count. Without an annotation of the texts, they count as unedited.
 */
function lastTime(
  {
    recordedTime,
    recordedTexts = '',
  }: { readonly recordedTime: string | undefined; readonly recordedTexts: string | undefined },
  texts: string,
  now: Date,
): Date {
  const recordedMs = Date.parse(recordedTime ?? '')
  const isEdited = recordedTexts !== '' && recordedTexts !== texts
  return Number.isNaN(recordedMs) || isEdited ? now : new Date(Math.min(recordedMs, now.getTime()))
}

/**
 * Reads the schedules. Invalid texts are recorded too, so that after a correction earlier times do not count.
 */
async function readOrRecord(
  workspace: Workspace,
  times: AutoHibernation,
  { client, now, texts }: { readonly client: Client; readonly now: Date; readonly texts: string },
): Promise<HibernationSchedules> {
  try {
    return schedulesOf(times)
  } catch (error) {
    if (workspace.metadata.annotations?.[schedulesAnnotation] !== texts)
      await writeRecord(client, workspace, { time: now.toISOString(), texts })
    throw error
  }
}

/** The schedules of a Workspace. Throws a `ScheduleError`. */
export function schedulesOf({ schedule, wakeSchedule, timeZone }: AutoHibernation): HibernationSchedules {
  return parseHibernation({
    schedule,
    ...(wakeSchedule !== undefined && { wakeSchedule }),
    ...(timeZone !== undefined && { timeZone }),
  })
}

/** The members that one patch of a Workspace sets together, so that a switch is made once. */
interface ScheduleRecord {
  readonly time: string | null
  readonly texts: string | null
  readonly hibernated?: boolean | undefined
}

/** Writes the record, and `spec.hibernated` if it changes. A concurrent change of the Workspace is a conflict. */
function writeRecord(
  client: Client,
  workspace: Workspace,
  { time, texts, hibernated = workspace.spec.hibernated }: ScheduleRecord,
): Promise<Workspace> {
  const { uid, resourceVersion } = workspace.metadata
  const annotations = { [scheduleAnnotation]: time, [schedulesAnnotation]: texts }
  const metadata = { uid, resourceVersion, annotations }
  const body = { metadata, spec: { hibernated } }
  return client.patch(workspaces, keyOf(workspace), { type: 'merge', body })
}
