/**
 * Copies the volumes of a Module to a fork of its Workspace. For each volume, a Pod at the source serves its files, and
 * a Pod at the target replaces the files of the fork by them. Both Pods report the size and digest of the stream. The
 * progress of a copy is its record in the status of the fork ({@link ForkedData}). Each step is in the record before
 * the next step begins, so that a run after a crash can continue.
 */
import * as z from 'zod'
import type { Client } from '../../engine/client/client.js'
import type { Pod } from '../../engine/kube/builtin.js'
import { sha256Hex } from '../../engine/kube/concat-name.js'
import { isConflict } from '../../engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { Module } from '../kinds/module.js'
import type { ForkedData, Workspace } from '../kinds/workspace.js'
import type { ForkDataOptions } from '../module/connection/fork-data-options.js'
import type { DataSide } from './data-objects.js'
import type { PodContest } from './pod-contest.js'
import { checkClaim } from './volume-claims.js'
import { type CopyEnd, ensureKeySecret, ensurePod, ensureSharedKey, removeEnd } from './volume-sides.js'

/** A copy of one volume, and its record. */
export interface VolumeCopy {
  readonly record: ForkedData
  readonly source: Module
  readonly fork: Workspace
  readonly from: DataSide
  readonly to: DataSide
  readonly volumes: NonNullable<ForkDataOptions['volumes']>
  readonly podContest: PodContest
  readonly signal: AbortSignal
}

/** One side of a copy: the client of its cluster, and the claim. */
interface CopySide<C> {
  readonly client: C
  readonly key: Key
}

/** The parts of a copy that identify its Pods and Secrets at both ends. */
type CopyObjects<C = Client> = Pick<VolumeCopy, 'record' | 'fork' | 'signal'> & {
  readonly from: CopySide<C>
  readonly to: CopySide<C>
}

const defaultTimeoutSeconds = 3_600

const reportSchema = z.union([
  z.object({ bytes: z.int(), sha256: z.string() }),
  z.object({ error: z.string() }),
])

/**
 * Takes the next step of a copy, and returns the changed record. Called in each run of the fork until the phase is
 * `done`. Rejects if the copy failed; its Pods are then deleted.
 */
export async function continueVolume(copy: VolumeCopy): Promise<ForkedData> {
  const { record } = copy
  if (record.sha256 !== undefined) return finishCopy(copy)
  if (record.phase === 'waiting') return beginCopy(copy)
  try {
    return await continueCopy(copy)
  } catch (error) {
    const areEndsRemoved = error instanceof CopyError && (await tryRemoveEnds(copy))
    if (areEndsRemoved || isConflict(error)) throw error
    return { ...record, message: error instanceof Error ? error.message : String(error) }
  }
}

/** Deletes the Pods and Secrets of a copy; whether that succeeded. */
const tryRemoveEnds = (copy: VolumeCopy) =>
  removeEnds(copy).then(
    () => true,
    () => false,
  )

/** The error of a copy that failed and must begin again with new Pods. */
class CopyError extends Error {
  override readonly name = 'CopyError'
}

/** Begins a copy once the source sleeps and both claims belong to their Modules. */
async function beginCopy({ record, source, from, to, signal }: VolumeCopy): Promise<ForkedData> {
  const { message: _, nextAttemptAt: __, ...recordWithoutRetry } = record
  if (source.status?.phase !== 'sleeped')
    return {
      ...recordWithoutRetry,
      message:
        `Module ${formatKey(keyOf(source))} is not asleep, and its volumes are copied while nothing writes to them: set ` +
        'spec.hibernated of it, or of its Workspace, to true until they are copied',
    }
  await checkClaim(from, signal)
  await checkClaim(to, signal)
  return { ...recordWithoutRetry, phase: 'copying', attempt: record.attempt ?? 0, during: sleepIdOf(source) }
}

/** Creates the Pods one after the other, and reads their reports. The record has the digest once both have ended. */
async function continueCopy(copy: VolumeCopy): Promise<ForkedData> {
  const { record, source } = copy
  if (sleepIdOf(source) !== record.during)
    throw new CopyError(`Module ${formatKey(keyOf(source))} woke while its volume was copied`)
  const { serving, fetching } = endsOf(copy)
  const sharedKey = await ensureSharedKey(serving)
  const server = await ensurePod(podOf(copy, 'serve'), serving, copy.podContest)
  const sent = reportOf(server)
  const host = server.status?.podIP
  if (!sent && !(host && isReady(server))) return { ...record, message: waitMessage(server, serving) }
  await ensureKeySecret(sharedKey, fetching)
  const client = await ensurePod({ ...podOf(copy, 'fetch'), host }, fetching, copy.podContest)
  const received = reportOf(client)
  if (!sent || !received) return { ...record, message: waitMessage(client, fetching) }
  if (sent.bytes !== received.bytes || sent.sha256 !== received.sha256)
    throw new CopyError('the Pods sent and received different files: count or digest is another')
  const { message: _, ...rest } = record
  return { ...rest, bytes: received.bytes, sha256: received.sha256 }
}

/** Deletes the Pods and Secrets of a copy that has ended. */
async function finishCopy(copy: VolumeCopy): Promise<ForkedData> {
  await removeEnds(copy)
  return { ...copy.record, phase: 'done' }
}

/**
 * Restarts the finished copies of a Module whose source was awake since then. All volumes of a Module are copied during
 * one sleep, because only then are they consistent with each other. Returns the records.
 */
export function restartUnlessOneSleep(records: readonly ForkedData[], source: Module): readonly ForkedData[] {
  const volumes = records.filter(({ kind }) => kind === 'PersistentVolumeClaim')
  const during = sleepIdOf(source)
  if (during === '' || volumes.every(({ phase }) => phase === 'done')) return records
  return records.map((record) =>
    volumes.includes(record) && record.phase === 'done' && record.during !== during
      ? withNextAttempt(record)
      : record,
  )
}

/** The record for another attempt, whose Pods have other names. */
const withNextAttempt = ({ module, kind, from, to, attempt = 0 }: ForkedData): ForkedData => ({
  module,
  kind,
  from,
  phase: 'waiting',
  attempt: attempt + 1,
  ...(to !== undefined && { to }),
})

/** Deletes the Pods and Secrets at both ends. */
async function removeEnds(copy: CopyObjects): Promise<void> {
  const { serving, fetching } = endsOf(copy)
  await removeEnd(fetching)
  await removeEnd(serving)
}

/**
 * Deletes the Pods and Secrets of an abandoned copy, and returns the names at the ends that could not be reached, or
 * that have no client. Rejects if the run was stopped meanwhile.
 */
export async function abandonVolume(copy: CopyObjects<Client | undefined>): Promise<string[]> {
  const unreachable: string[] = []
  for (const { client, ...end } of Object.values(endsOf(copy))) {
    const isRemoved =
      client &&
      (await removeEnd({ ...end, client })
        .then(() => true)
        .catch(() => false))
    if (isRemoved) continue
    copy.signal.throwIfAborted()
    unreachable.push(formatKey(end.key))
  }
  return unreachable
}

/**
 * Identifies the current sleep of a source; empty while it is awake. If it changes, the source was awake in between.
 */
const sleepIdOf = ({ status, metadata }: Module) =>
  status?.phase === 'sleeped' ? `${metadata.uid} ${status.lastActivity}` : ''

/** The names of the Pod and the Secret at each end, and the clients to reach them. */
function endsOf<C>(copy: CopyObjects<C>) {
  const { from, to, fork, signal } = copy
  const uid = fork.metadata.uid ?? ''
  const endOf = (side: CopySide<C>, role: string) => ({
    client: side.client,
    fork: uid,
    signal,
    key: { namespace: side.key.namespace, name: nameOf(copy, role) },
  })
  return { serving: endOf(from, 'from'), fetching: endOf(to, 'to') }
}

/** The name of the objects at one end, different for each attempt, because earlier Pods may still be terminating. */
function nameOf({ record, fork }: Pick<VolumeCopy, 'record' | 'fork'>, role: string): string {
  const hash = sha256Hex(JSON.stringify([keyOf(fork), record.from, record.to])).slice(0, 10)
  return `fork-data-${hash}-${record.attempt ?? 0}-${role}`
}

/** The options of the Pod at one end. */
function podOf({ record, fork, from, to, volumes }: VolumeCopy, role: 'serve' | 'fetch') {
  const side: { key: Key } = role === 'serve' ? from : to
  const { image, timeoutSeconds = defaultTimeoutSeconds } = volumes
  const name = nameOf({ record, fork }, role === 'serve' ? 'from' : 'to')
  const key = { namespace: side.key.namespace, name }
  return { role, key, claim: side.key.name, fork: fork.metadata.uid ?? '', image, timeoutSeconds }
}

const isReady = ({ status }: Pod) =>
  (status?.conditions ?? []).some((condition) => condition.type === 'Ready' && condition.status === 'True')

function waitMessage({ status }: Pod, { key }: CopyEnd): string {
  return `Pod ${formatKey(key)} is ${status?.phase?.toLowerCase() ?? 'pending'}`
}

/** The report of a Pod that has ended; undefined while it runs. Throws if it failed. */
function reportOf(pod: Pod): { bytes: number; sha256: string } | undefined {
  const { phase, containerStatuses = [], message, reason } = pod.status ?? {}
  if (phase !== 'Succeeded' && phase !== 'Failed') return undefined
  const name = `Pod ${formatKey(keyOf(pod))}`
  const text = containerStatuses[0]?.state?.terminated?.message
  const report = reportSchema.safeParse(parseJson(text)).data
  if (report && 'error' in report) throw new CopyError(`${name} failed: ${report.error.slice(0, 300)}`)
  if (phase === 'Succeeded' && report) return report
  throw new CopyError(`${name} ended without a report: ${message ?? reason ?? phase}`)
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
