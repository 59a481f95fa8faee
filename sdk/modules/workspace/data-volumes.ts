/**
 * Copies a volume: a Pod at the source serves its files, and a Pod at the target replaces the files of the fork by
 * them. Both Pods report the size and digest of the stream. Each step is in the status before the next step begins, so
 * that a run after a crash can continue.
 */
import { z } from 'zod'
import type { Pod } from '../../engine/kube/builtin.js'
import { sha256Hex } from '../../engine/kube/concat-name.js'
import { isConflict } from '../../engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { Module } from '../kinds/module.js'
import type { ForkedData, Workspace } from '../kinds/workspace.js'
import type { ForkDataOptions } from '../module/connection/fork-data-options.js'
import type { DataSide } from './data-objects.js'
import { checkClaim } from './volume-claims.js'
import { type CopyEnd, ensurePod, giveKey, removeEnd, sharedKey } from './volume-sides.js'

/** A copy of one volume. */
export interface VolumeCopy {
  readonly item: ForkedData
  readonly source: Module
  readonly fork: Workspace
  readonly from: DataSide
  readonly to: DataSide
  readonly volumes: NonNullable<ForkDataOptions['volumes']>
  readonly signal: AbortSignal
}

/** The objects of a copy, at both ends. */
type CopyObjects = Pick<VolumeCopy, 'item' | 'fork' | 'signal'> & {
  readonly from: Pick<DataSide, 'client' | 'key'>
  readonly to: Pick<DataSide, 'client' | 'key'>
}

const defaultTimeoutSeconds = 3_600

const reportSchema = z.union([
  z.object({ bytes: z.int(), sha256: z.string() }),
  z.object({ error: z.string() }),
])

/** Takes the next step, and returns the record. Rejects if the copy failed; its Pods are deleted then. */
export async function continueVolume(copy: VolumeCopy): Promise<ForkedData> {
  const { item } = copy
  if (item.sha256 !== undefined) return finishCopy(copy)
  if (item.phase === 'waiting') return beginCopy(copy)
  try {
    return await continueCopy(copy)
  } catch (error) {
    const isOver = error instanceof CopyError && (await isRemoved(copy))
    if (isOver || isConflict(error)) throw error
    return { ...item, message: error instanceof Error ? error.message : String(error) }
  }
}

const isRemoved = (copy: VolumeCopy) =>
  removeEnds(copy).then(
    () => true,
    () => false,
  )

/** The error of a copy that failed and must begin again with new Pods. */
class CopyError extends Error {
  override readonly name = 'CopyError'
}

async function beginCopy({ item, source, from, to, signal }: VolumeCopy): Promise<ForkedData> {
  const { message: _, nextAttemptAt: __, ...rest } = item
  if (source.status?.phase !== 'sleeped')
    return {
      ...rest,
      message:
        `Module ${formatKey(keyOf(source))} is not asleep, and its volumes are copied while nothing writes to them: set ` +
        'spec.hibernated of it, or of its Workspace, to true until they are copied',
    }
  await checkClaim(from, signal)
  await checkClaim(to, signal)
  return { ...rest, phase: 'copying', attempt: item.attempt ?? 0, during: sleepOf(source) }
}

async function continueCopy(copy: VolumeCopy): Promise<ForkedData> {
  const { item, source } = copy
  if (sleepOf(source) !== item.during)
    throw new CopyError(`Module ${formatKey(keyOf(source))} woke while its volume was copied`)
  const { serving, fetching } = endsOf(copy)
  const key = await sharedKey(serving)
  const server = await ensurePod(podOf(copy, 'serve'), serving)
  const sent = reportOf(server)
  const host = server.status?.podIP
  if (!sent && !(host && isReady(server))) return { ...item, message: waitMessage(server, serving) }
  await giveKey(key, fetching)
  const client = await ensurePod({ ...podOf(copy, 'fetch'), host }, fetching)
  const got = reportOf(client)
  if (!sent || !got) return { ...item, message: waitMessage(client, fetching) }
  if (sent.bytes !== got.bytes || sent.sha256 !== got.sha256)
    throw new CopyError('the Pods sent and received different files: count or digest is another')
  const { message: _, ...rest } = item
  return { ...rest, bytes: got.bytes, sha256: got.sha256 }
}

async function finishCopy(copy: VolumeCopy): Promise<ForkedData> {
  await removeEnds(copy)
  return { ...copy.item, phase: 'done' }
}

/**
 * The records of a Module, for its source as it is now. All volumes of a Module are copied during one sleep, so that
 * they are consistent: if the source was awake in between, the volumes that were copied before are copied again.
 */
export function restartUnlessOneSleep(records: readonly ForkedData[], source: Module): readonly ForkedData[] {
  const volumes = records.filter(({ kind }) => kind === 'PersistentVolumeClaim')
  const during = sleepOf(source)
  if (during === '' || volumes.every(({ phase }) => phase === 'done')) return records
  return records.map((one) =>
    volumes.includes(one) && one.phase === 'done' && one.during !== during ? nextCopyAttempt(one) : one,
  )
}

/** The record for another attempt, whose Pods have other names. */
const nextCopyAttempt = ({ module, kind, from, to, attempt = 0 }: ForkedData): ForkedData => ({
  module,
  kind,
  from,
  phase: 'waiting',
  attempt: attempt + 1,
  ...(to !== undefined && { to }),
})

async function removeEnds(copy: CopyObjects): Promise<void> {
  const { serving, fetching } = endsOf(copy)
  await removeEnd(fetching)
  await removeEnd(serving)
}

/** Deletes the Pods and the Secrets of an abandoned copy, and returns the ends that could not be reached. */
export async function abandonVolume(copy: CopyObjects): Promise<string[]> {
  const left: string[] = []
  for (const end of Object.values(endsOf(copy)))
    await removeEnd(end).catch(() => left.push(formatKey(end.key)))
  return left
}

/** Identifies the present sleep of a source. If it changes, the source was awake in between. */
const sleepOf = ({ status, metadata }: Module) =>
  status?.phase === 'sleeped' ? `${metadata.uid} ${status.lastActivity}` : ''

function endsOf(copy: CopyObjects): { serving: CopyEnd; fetching: CopyEnd } {
  const { from, to, fork, signal } = copy
  const uid = fork.metadata.uid ?? ''
  const end = (side: CopyObjects['from'], role: string) => ({
    client: side.client,
    fork: uid,
    signal,
    key: { namespace: side.key.namespace, name: nameOf(copy, role) },
  })
  return { serving: end(from, 'from'), fetching: end(to, 'to') }
}

/** The name of the objects at one end, different for each attempt, because earlier Pods may still be terminating. */
function nameOf({ item, fork }: Pick<VolumeCopy, 'item' | 'fork'>, role: string): string {
  const hash = sha256Hex(JSON.stringify([keyOf(fork), item.from, item.to])).slice(0, 10)
  return `fork-data-${hash}-${item.attempt ?? 0}-${role}`
}

function podOf({ item, fork, from, to, volumes }: VolumeCopy, role: 'serve' | 'fetch') {
  const side: { key: Key } = role === 'serve' ? from : to
  const { image, timeoutSeconds = defaultTimeoutSeconds } = volumes
  const name = nameOf({ item, fork }, role === 'serve' ? 'from' : 'to')
  const key = { namespace: side.key.namespace, name }
  return { role, key, claim: side.key.name, fork: fork.metadata.uid ?? '', image, timeoutSeconds }
}

const isReady = ({ status }: Pod) =>
  (status?.conditions ?? []).some((one) => one.type === 'Ready' && one.status === 'True')

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
