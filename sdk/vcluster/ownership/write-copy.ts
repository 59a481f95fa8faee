import { CircuitOpenError } from '../../engine/client/circuit-breaker.js'
import type { ReconcileResult } from '../../engine/controller/reconcile-result.js'
import { isAlreadyExists, isConflict, isInvalid, isNotFound, PluginError } from '../../engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Side } from '../context/register-context.js'
import type { SyncContext } from '../context/sync-context.js'
import { copyNameConflictError } from './copy-name-conflict.js'
import type { CopyRules } from './copy-rules.js'
import { isWatchedOnHost, storedHost } from './host-objects.js'
import { isCopyOf } from './ownership.js'
import { confirmGone } from './still-stored-error.js'
import { withFieldsOf } from './translate-fields.js'
import { withoutSecrets } from './without-secrets.js'

/**
 * How long to wait while the host is not ready for a write, in milliseconds: the namespace is missing, or our own copy
 * exists already and our store does not show it yet.
 */
const hostRetryMs = 1000

/** A copy to write, and its original. */
export interface CopyPair<T extends KubeObject> {
  readonly host: T
  readonly virtual: T
}

/**
 * Creates a copy. Throws `PluginError` with code `NOT_A_COPY` for an object that is not a copy, or that is in a
 * namespace that the syncer does not watch. If the object exists
 * already and is ours, the next run handles it; if it is not ours, throws `NameConflictError`. A missing host namespace
 * is waited for. Any other failure is reported as an Event on the original and thrown.
 */
export async function createCopy<T extends KubeObject>(
  syncer: CopyRules<T>,
  ctx: SyncContext,
  { host, virtual }: CopyPair<T>,
): Promise<ReconcileResult | undefined> {
  checkIsCopy(syncer, ctx.key, host)
  checkIsWatched(syncer, ctx, host)
  ctx.logger.debug({ host: formatKey(keyOf(host)) }, 'creating the copy')
  try {
    await ctx.host.client.create(syncer.resource, host)
    return undefined
  } catch (error) {
    if (isAlreadyExists(error)) return handleExisting(syncer, ctx, keyOf(host))
    if (isNotFound(error)) return waitForHost(ctx, error)
    throw reportFailure(syncer, ctx, { virtual, error })
  }
}

/**
 * Replaces a copy by `host`, at the resourceVersion that `host` was made from. Throws `NameConflictError` if
 * the existing object is not ours, and `PluginError` with code `NOT_A_COPY` if `host` would no longer be
 * ours. A conflict is thrown without an Event: the next run sees the newer state.
 */
export async function updateCopy<T extends KubeObject>(
  syncer: CopyRules<T>,
  ctx: SyncContext,
  { host, virtual }: CopyPair<T>,
): Promise<ReconcileResult | undefined> {
  const current = storedHost(syncer, ctx, keyOf(host))
  if (current) checkNotForeign(syncer, ctx.key, current)
  checkIsCopy(syncer, ctx.key, host)
  ctx.logger.debug({ host: formatKey(keyOf(host)) }, 'updating the copy')
  try {
    await ctx.host.client.update(syncer.resource, host)
    return undefined
  } catch (error) {
    if (isConflict(error)) throw error
    if (isNotFound(error)) return waitForHost(ctx, error)
    if (isInvalid(error) && current && isSealedAgainst(host, current)) return deleteCopy(syncer, ctx, current)
    throw reportFailure(syncer, ctx, { virtual, error })
  }
}

/**
 * Deletes exactly this copy in the state that was seen, by its UID and resourceVersion, because someone may have
 * removed our ownership labels meanwhile. Throws `NameConflictError` if it is not ours, and `StillStoredError` if the
 * API server does not find it but the cache still has it.
 */
export async function deleteCopy<T extends KubeObject>(
  syncer: CopyRules<T>,
  ctx: SyncContext,
  host: T,
  grace: { gracePeriodSeconds?: number } = {},
): Promise<undefined> {
  checkNotForeign(syncer, ctx.key, host)
  const { deletionTimestamp, uid, resourceVersion } = host.metadata
  if (deletionTimestamp) return undefined
  ctx.logger.debug({ host: formatKey(keyOf(host)) }, 'deleting the copy')
  try {
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) }
    const options = { signal: ctx.signal, ...preconditions, ...grace }
    await ctx.host.client.delete(syncer.resource, keyOf(host), options)
  } catch (error) {
    if (!isNotFound(error)) throw withoutSecrets(syncer.resource, error)
    confirmGone(host, storedHost(syncer, ctx, keyOf(host)))
  }
  return undefined
}

/** Deletes a copy. Returns whether it is gone; a copy with finalizers or a grace period is not gone yet. */
export async function removeCopy<T extends KubeObject>(
  syncer: CopyRules<T>,
  ctx: SyncContext,
  host: T,
): Promise<boolean> {
  await deleteCopy(syncer, ctx, host)
  return storedHost(syncer, ctx, keyOf(host)) === undefined
}

/** Called when the copy cannot be created because its name is taken. Throws `NameConflictError` if it is not ours. */
async function handleExisting<T extends KubeObject>(
  syncer: CopyRules<T>,
  ctx: SyncContext,
  hostKey: Key,
): Promise<ReconcileResult | undefined> {
  try {
    const existing = await ctx.host.client.get(syncer.resource, hostKey, { signal: ctx.signal })
    checkNotForeign(syncer, ctx.key, existing)
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  return { requeueAfterMs: hostRetryMs }
}

function waitForHost(ctx: SyncContext, error: Error): ReconcileResult {
  ctx.logger.debug({ reason: error.message }, 'the host has no place for the copy yet; waiting')
  return { requeueAfterMs: hostRetryMs }
}

/** Throws `NameConflictError` if an existing host object is not the copy of the key. */
function checkNotForeign<T extends KubeObject>(syncer: CopyRules<T>, key: Key, host: T): void {
  if (!isCopyOf(syncer, host, key)) throw copyNameConflictError(syncer.resource, key, keyOf(host))
}

/** Throws for an object that we would not recognise as our copy later, or whose name copies must not have. */
function checkIsCopy<T extends KubeObject>(syncer: CopyRules<T>, key: Key, host: T): void {
  if (isCopyOf(syncer, host, key)) return
  throw new PluginError(
    'NOT_A_COPY',
    `syncer ${syncer.name} cannot write ${formatKey(keyOf(host))} to the host, because it is not the copy of ${formatKey(key)}: ` +
      'use the name, the marker label and the object-* annotations that translateMetadata returns',
  )
}

/** Throws for a copy that the stores of the syncer would never show: it would be created again in each run. */
function checkIsWatched<T extends KubeObject>(syncer: CopyRules<T>, ctx: SyncContext, host: T): void {
  const hostKey = keyOf(host)
  if (isWatchedOnHost(syncer, ctx, hostKey)) return
  throw new PluginError(
    'NOT_A_COPY',
    `syncer ${syncer.name} cannot write ${formatKey(hostKey)} to the host, because it does not watch the namespace ${hostKey.namespace}: ` +
      `name that namespace in hostNamespaces of the syncer, or return another one from its virtualToHost`,
  )
}

/** Whether an update would change a sealed copy. ConfigMaps and Secrets with `immutable: true` can only be replaced. */
function isSealedAgainst<T extends KubeObject>(updated: T, current: T): boolean {
  const isSealed = 'immutable' in current && current.immutable === true
  return isSealed && withFieldsOf(current, updated) !== current
}

/** A write that failed. */
export interface FailedWrite {
  virtual: KubeObject
  error: unknown
  /** The cluster that refused it; default `host`. */
  to?: Side
}

/**
 * Records an Event for the user of the original, who cannot see our logs, and returns the error to throw. A
 * conflict causes no Event, because the next run resolves it.
 */
export function reportFailure(
  { resource }: Pick<CopyRules, 'resource'>,
  ctx: SyncContext,
  { virtual, error, to = 'host' }: FailedWrite,
): unknown {
  const isReported = error instanceof PluginError || error instanceof CircuitOpenError
  if (ctx.signal.aborted || isReported || isConflict(error)) return error
  const reportedError = withoutSecrets(resource, error)
  const message = reportedError instanceof Error ? reportedError.message : String(reportedError)
  ctx.events.warning(virtual, 'SyncError', `Error syncing to ${to} cluster: ${message}`)
  return reportedError
}
