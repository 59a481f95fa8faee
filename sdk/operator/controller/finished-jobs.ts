/**
 * Jobs that end and are deleted by their time to live (`ttlSecondsAfterFinished`). A run finds no such Job, as if it
 * had never been made, and would run it again. So the primary has an annotation with the names of those that have
 * ended.
 */

import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Change } from '../../engine/store/store.js'
import { type ApplyRequest, placeId } from '../apply/apply-request.js'
import type { OwnedKind } from '../prune/owned-kind.js'

/** The largest number of ended Jobs in the annotation of one primary. */
const maxNotedJobs = 32
/** The largest number of owners whose ended Jobs are remembered until a run notes them. */
const maxOwners = 10_000

interface JobFields {
  spec?: { ttlSecondsAfterFinished?: unknown }
  status?: { conditions?: readonly { type?: string; status?: string }[] }
}

/** The ended Jobs that changes have shown. A run may begin only after such a Job was deleted. */
export class FinishedJobs {
  /** The Jobs of each owner, by its UID. Many Jobs of one owner do not displace those of others. */
  readonly #seen = new Map<string, Set<string>>()

  /** Remembers a changed or deleted Job of an owner, if the Job has a time to live and has ended. */
  observe(kind: OwnedKind, { key, object }: Pick<Change, 'key' | 'object'>, ownerUid: string): void {
    if (!isLimitedJob(kind.resource, object) || !isFinished(object)) return
    const jobs = this.#seen.get(ownerUid) ?? new Set()
    dropOldest(jobs.add(placeId(kind, key)), maxNotedJobs)
    dropOldest(this.#seen.set(ownerUid, jobs), maxOwners)
  }

  /** Whether a Job is remembered as ended; forgets it. */
  take(id: string, ownerUid: string): boolean {
    const jobs = this.#seen.get(ownerUid)
    const wasSeen = jobs?.delete(id) ?? false
    if (jobs?.size === 0) this.#seen.delete(ownerUid)
    return wasSeen
  }
}

/** Removes the oldest member if there are more than `max`. */
function dropOldest(members: Set<string> | Map<string, unknown>, max: number): void {
  const [oldest = ''] = members.keys()
  if (members.size > max) members.delete(oldest)
}

/** Whether an object is a Job with a time to live. */
export function isLimitedJob({ group, kind }: Pick<Resource, 'group' | 'kind'>, object: object): boolean {
  const { spec } = object as JobFields
  return group === 'batch' && kind === 'Job' && spec?.ttlSecondsAfterFinished !== undefined
}

/** Whether a Job has ended, well or badly. */
export function isFinished(job: object): boolean {
  const { conditions = [] } = (job as JobFields).status ?? {}
  return conditions.some(
    ({ type, status }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
  )
}

/** The annotation of a primary with the Jobs that have ended, each as `cluster/namespace/name`. */
export const finishedJobsAnnotation = (group: string) => `${group || 'core'}/finished-jobs`

/** The Jobs that the annotation names. People can edit it: what is not a list of texts counts as absent. */
export function notedJobs({ metadata }: KubeObject, group: string): readonly string[] {
  const text = metadata.annotations?.[finishedJobsAnnotation(group)]
  const noted = text === undefined ? undefined : parseList(text)
  return Array.isArray(noted) ? noted.filter((name) => typeof name === 'string') : []
}

/** The value of the annotation with one more Job. */
export function withJob(noted: readonly string[], job: string): string {
  return JSON.stringify([...noted, job].slice(-maxNotedJobs))
}

/** The name of a Job in the annotation. */
export function nameOfJob(
  { cluster }: Pick<ApplyRequest, 'cluster'>,
  key: { namespace: string; name: string },
): string {
  return `${cluster.name}/${key.namespace}/${key.name}`
}

/** A JSON text that may be a list; undefined for an object, and for a text that is not JSON. */
function parseList(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? undefined : value
  } catch {
    return undefined
  }
}
