/**
 * The data of a fork: what each Module of the source names in `migration` is copied to the objects of its copy, while
 * the copy sleeps. Each object has a record in the status, so that a fork that was interrupted goes on where it was.
 */
import type { Client } from '../../engine/client/client.js'
import { isConflict, PermanentError } from '../../engine/kube/error.js'
import { type Key, keyOf, parseKey } from '../../engine/kube/key.js'
import { timeUntil } from '../../engine/time/recorded-time.js'
import { ownerReference } from '../../operator/owner/owner.js'
import type { Module } from '../kinds/module.js'
import { modules } from '../kinds/module-kind.js'
import type { ForkedData, Workspace, WorkspaceFork } from '../kinds/workspace.js'
import type { ForkDataOptions } from '../module/connection/fork-data-options.js'
import { copyObject } from './data-objects.js'
import { dataOf, type PlanOptions, pairedData } from './data-plan.js'
import { continueVolume, restartUnlessOneSleep, type VolumeCopy } from './data-volumes.js'
import { nameOfCopy } from './fork.js'
import type { PodContest } from './pod-contest.js'

/** A Workspace, its Modules, and the cluster that they are in. */
export interface ForkSide {
  readonly workspace: Workspace
  readonly modules: readonly Module[]
  readonly client: Client
  readonly plan: PlanOptions
}

/** One run of a fork with data. */
export interface DataRun {
  readonly fork: WorkspaceFork
  readonly source: ForkSide
  readonly target: ForkSide
  readonly volumes: ForkDataOptions['volumes']
  /** The Pods that other programs delete. */
  readonly podContest: PodContest
  /** The number of volume copies that may still be started. */
  readonly slots: { left: number }
  readonly now: Date
  readonly signal: AbortSignal
}

/** The record after a run, and the time until the next run in milliseconds. */
export interface DataProgress {
  readonly fork: WorkspaceFork
  readonly requeueAfterMs?: number | undefined
}

/** The interval of checks of the Pods that copy, in milliseconds. */
const recheckMs = 5_000
/** The first delay after a failed copy, which doubles each time, and the maximum delay, in milliseconds. */
const minWaitMs = 5_000
const maxWaitMs = 300_000

/** Copies the data that can be copied now. Called in each run of the fork until all records are `done`. */
export async function continueData(run: DataRun): Promise<DataProgress> {
  const { data = [], ...forkWithoutData } = run.fork
  const names = [...new Set(data.map(({ module }) => module))]
  const records: ForkedData[] = []
  for (const name of names) {
    const ofModule = data.filter(({ module }) => module === name)
    records.push(...(ofModule.every(isDone) ? ofModule : await copyModuleData(name, ofModule, run)))
  }
  const remaining = records.filter((record) => !isDone(record))
  if (remaining.length === 0) return { fork: { ...forkWithoutData, phase: 'done', data: records } }
  return {
    fork: { ...forkWithoutData, data: records },
    requeueAfterMs: timeToNextCheckMs(remaining, run.now),
  }
}

const isDone = ({ phase }: ForkedData) => phase === 'done'

/** A message about the first object that a fork waits for. */
export function messageOfData({ data = [] }: WorkspaceFork): string {
  const remaining = data.filter((record) => !isDone(record))
  const why = remaining.find(({ message }) => message !== undefined)?.message
  return `copies data: ${remaining.length} of ${data.length} objects are left${why === undefined ? '' : `; ${why}`}`
}

function timeToNextCheckMs(remaining: readonly ForkedData[], now: Date): number | undefined {
  const copying = remaining.filter(({ phase }) => phase === 'copying')
  // At the beginning and at the end of a copy the next run is due at once, after the status is written.
  if (copying.length > 0) return copying.some(({ message }) => message === undefined) ? 1 : recheckMs
  const waits = remaining
    .filter(({ nextAttemptAt }) => nextAttemptAt)
    .map((record) => waitLeftMs(record, now))
  return waits.length === 0 ? undefined : Math.max(Math.min(...waits), 1)
}

/** Copies the data of one Module. */
async function copyModuleData(
  name: string,
  records: readonly ForkedData[],
  run: DataRun,
): Promise<ForkedData[]> {
  const waiting = (message: string) =>
    records.map((record) => (isDone(record) ? record : { ...record, message }))
  const source = run.source.modules.find(({ metadata }) => metadata.name === name)
  if (!source) return waiting(`Module ${name} of the source does not exist any more; delete the fork`)
  const copyName = nameOfCopy(source, run.target.workspace)
  const copy = run.target.modules.find(({ metadata }) => metadata.name === copyName)
  if (copy?.status?.phase !== 'sleeped') return waiting(`Module ${copyName} is not installed and asleep yet`)
  try {
    return await copyPair({ own: records, source, copy, run })
  } catch (error) {
    if (isConflict(error)) throw error
    return records.map((record) => (isDone(record) ? record : failedCopy(record, error, run.now)))
  }
}

/** A Module of the source, its copy, and the records of its data. */
interface ModulePair {
  readonly own: readonly ForkedData[]
  readonly source: Module
  readonly copy: Module
  readonly run: DataRun
}

/** Copies each object of one Module that is not copied yet. Returns the new records. */
async function copyPair(pair: ModulePair): Promise<ForkedData[]> {
  const { source, copy, run } = pair
  const restarted = restartUnlessOneSleep(pair.own, source)
  const [from, to] = [await dataOf(source, run.source.plan), await dataOf(copy, run.target.plan)]
  if (!from || !to) throw new Error(`Module ${source.metadata.name} has no Helm release any more`)
  const records: ForkedData[] = []
  for (const planned of pairedData(source, from, to)) {
    const recorded = restarted.find(({ kind, from: name }) => kind === planned.kind && name === planned.from)
    records.push(
      recorded && isDone(recorded)
        ? recorded
        : await copyOneObject({ ...planned, ...recorded, to: planned.to }, pair),
    )
  }
  return records
}

/** Copies one object, or takes the next step of its volume. An error is in the returned record. */
async function copyOneObject(record: ForkedData, { source, copy, run }: ModulePair): Promise<ForkedData> {
  const { kind } = record
  if (waitLeftMs(record, run.now) > 0) return record
  const from = { client: run.source.client, uid: source.metadata.uid ?? '', key: keyAt(record.from) }
  const key = keyAt(record.to)
  const to = {
    client: run.target.client,
    uid: copy.metadata.uid ?? '',
    key,
    ownerReferences: ownersOf(copy, key, run),
  }
  try {
    if (kind === 'PersistentVolumeClaim') return await continueVolumeIfFree({ record, source, from, to, run })
    await copyObject({ kind, from, to, signal: run.signal })
    return { ...withoutProgress(record), phase: 'done' }
  } catch (error) {
    if (isConflict(error)) throw error
    return failedCopy(record, error, run.now)
  }
}

/** The input of {@link continueVolumeIfFree}. */
type VolumeStep = Pick<VolumeCopy, 'record' | 'source' | 'from' | 'to'> & { readonly run: DataRun }

/** Takes the next step of a volume, or leaves it waiting while too many others are copied. */
async function continueVolumeIfFree({ record, run, ...others }: VolumeStep): Promise<ForkedData> {
  const { volumes, podContest, signal, slots } = run
  if (!volumes) throw new PermanentError('there is no image to copy volumes: set forkData.volumes')
  if (record.phase === 'waiting' && slots.left <= 0) return record
  const fork = run.target.workspace
  const next = await continueVolume({ record, ...others, volumes, podContest, signal, fork })
  if (record.phase === 'waiting' && next.phase === 'copying') slots.left--
  return next
}

const keyAt = (text = ''): Key => parseKey(text)

/** The owner reference of a created object to the copy of the Module, if both are in one namespace. */
function ownersOf(copy: Module, { namespace }: Key, { target }: DataRun) {
  const key = keyOf(copy)
  const { home, cluster } = target.plan
  if (cluster !== home || namespace !== key.namespace) return []
  const owner = { cluster, resource: modules, key, uid: copy.metadata.uid ?? '' }
  return [{ ...ownerReference(owner), blockOwnerDeletion: false }]
}

function withoutProgress({ message: _, nextAttemptAt: __, attempt: ___, ...rest }: ForkedData): ForkedData {
  return rest
}

/** The record of an object whose copy failed, with the time of the next attempt after a growing delay. */
function failedCopy(record: ForkedData, error: unknown, now: Date): ForkedData {
  const attempt = (record.attempt ?? 0) + 1
  const message = error instanceof Error ? error.message : String(error)
  const nextAttemptAt = new Date(now.getTime() + waitMsAfter(attempt)).toISOString()
  return { ...record, phase: 'waiting', attempt, nextAttemptAt, message }
}

/** The delay after a failed copy. */
const waitMsAfter = (attempt: number) => Math.min(minWaitMs * 2 ** Math.min(attempt - 1, 10), maxWaitMs)

/** The time until the next attempt to copy an object is due, in milliseconds. */
const waitLeftMs = ({ nextAttemptAt = '', attempt = 1 }: ForkedData, now: Date) =>
  timeUntil(Date.parse(nextAttemptAt), now, { waitMs: waitMsAfter(attempt) })
