// The objects of one volume copy at both ends: they are created once, read, and deleted by the label of the fork.
import { randomBytes } from 'node:crypto'
import type { Client } from '../../engine/client/client.js'
import { type Pod, pods, type Secret, secrets } from '../../engine/kube/builtin.js'
import { isAlreadyExists, isConflict, isNotFound } from '../../engine/kube/error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { PodContest } from './pod-contest.js'
import { type CopyPod, copyPod, forkLabel, keySecret } from './volume-pods.js'

/** One end of a volume copy: where its Pod and its Secret are. */
export interface CopyEnd {
  readonly client: Client
  readonly key: Key
  readonly fork: string
  readonly signal: AbortSignal
}

/**
 * The shared key of a copy. It is created in a Secret at the source, so that a run after a crash finds the same key.
 */
export async function ensureSharedKey(end: CopyEnd): Promise<string> {
  // The key is a text of hex digits, because it is an environment variable.
  const text = randomBytes(32).toString('hex')
  const secret = await ensureObject(secrets, keySecret(end, Buffer.from(text).toString('base64')), end)
  return (secret as Secret).data?.key ?? ''
}

/** Creates the Secret with the key at the other end. */
export async function ensureKeySecret(value: string, end: CopyEnd): Promise<void> {
  await ensureObject(secrets, keySecret(end, value), end)
}

/**
 * The Pod at an end; it is created if it is absent. Rejects if another program deletes it each time, and it must not be
 * created now.
 */
export async function ensurePod(options: CopyPod, end: CopyEnd, contest: PodContest): Promise<Pod> {
  const existing = await findObject(pods, end)
  if (existing) return existing
  contest.checkMayCreate(end)
  const created = await createObject(pods, copyPod(options), end)
  contest.noteCreated(end)
  return created
}

/** The object of the fork; created if it is absent. */
async function ensureObject<T extends KubeObject>(
  resource: Resource<T>,
  object: T,
  end: CopyEnd,
): Promise<T> {
  return (await findObject(resource, end)) ?? createObject(resource, object, end)
}

/** Creates an object of the fork. Rejects if another object has its name. */
async function createObject<T extends KubeObject>(
  resource: Resource<T>,
  object: T,
  end: CopyEnd,
): Promise<T> {
  try {
    return await end.client.create(resource, object as never, { signal: end.signal })
  } catch (error) {
    if (!isAlreadyExists(error)) throw error
    throw new Error(`${resource.kind} ${formatKey(end.key)} exists and is not that of the fork; delete it`)
  }
}

/** Deletes Pod and Secret of an end. */
export async function removeEnd(end: CopyEnd): Promise<void> {
  await removeObject(pods, end)
  await removeObject(secrets, end)
}

/** Deletes the object of the fork, if it exists. */
async function removeObject<T extends KubeObject>(resource: Resource<T>, end: CopyEnd): Promise<void> {
  const live = await findObject(resource, end)
  if (!live || live.metadata.deletionTimestamp) return
  const { uid = '' } = live.metadata
  await end.client.delete(resource, end.key, { uid, signal: end.signal }).catch((error: unknown) => {
    if (!isNotFound(error) && !isConflict(error)) throw error
  })
}

/** Reads an object of the fork; undefined for an object of that name without the label of the fork. */
async function findObject<T extends KubeObject>(resource: Resource<T>, end: CopyEnd): Promise<T | undefined> {
  const live = await end.client.get(resource, end.key, { signal: end.signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
  return live?.metadata.labels?.[forkLabel] === end.fork ? live : undefined
}
