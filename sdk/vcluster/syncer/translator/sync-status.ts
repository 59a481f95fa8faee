import { jsonEqual } from '../../../engine/kube/json.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import type { SyncContext } from '../../context/sync-context.js'
import { changedStatus } from '../contest/changed-fields.js'
import { CopyContest } from '../contest/copy-contest.js'
import { type FieldPath, parseFieldPath, withFieldsKept } from '../fields/field-paths.js'
import { asPlainPair, type Pair, type Syncer } from '../syncer.js'
import type { Translator } from './translator.js'

/** Selects the part of a status that is copied to the original. */
export interface StatusOptions {
  /**
   * Paths below `status`, such as `phase`: only these are written to the original, whose other fields are not changed;
   * default the whole status. Set this if the status on the host contains something that tenants must not see, for
   * example the name of a node.
   */
  fields?: readonly FieldPath[]
}

/**
 * Writes the status that the host's controllers gave the copy to the original, by its status subresource; if `fields`
 * are given, only these. References in the status are translated by the rules for `status`. A copy without a status
 * changes nothing. If another program sets the status back each time, it is written more and more rarely. Throws
 * `ApiError` if the virtual cluster refuses the write.
 *
 * @example
 * ```ts
 * class Claims extends NamespacedTranslator<PersistentVolumeClaim> {
 *   override syncDown(ctx: SyncContext, virtual: DeepReadonly<PersistentVolumeClaim>) {
 *     return this.syncDownCreate(ctx, virtual, this.translateMetadata(virtual))
 *   }
 *   override sync(ctx: SyncContext, pair: Pair<PersistentVolumeClaim>) {
 *     return syncUpStatus(this, ctx, pair, { fields: ['phase'] })
 *   }
 * }
 * ```
 */
export async function syncUpStatus<T extends KubeObject>(
  translator: Pick<Translator<T>, 'resource' | 'virtualReferences'>,
  ctx: SyncContext,
  pair: Pair<T>,
  { fields }: StatusOptions = {},
): Promise<undefined> {
  const { host: copy, virtual } = asPlainPair(pair)
  const host = await translator.virtualReferences(ctx, { host: statusAlone(copy), virtual })
  const current = statusOf(virtual)
  const status = statusOf(fields ? withStatusFields(virtual, { host, fields }) : host)
  if (status === undefined || jsonEqual(status, current)) return undefined
  const contest = CopyContest.of(translator as Pick<Syncer, 'resource'>, ctx)
  const up = { part: 'status', value: statusOf(host), fields: changedStatus(current, status) } as const
  const change = { virtual, host: copy, ...up }
  if (contest.pausesUp(ctx, change)) return undefined
  await ctx.virtual.client.update<T>(
    translator.resource,
    { ...virtual, status },
    { subresource: 'status', signal: ctx.signal },
  )
  contest.recordUp(ctx, change)
  return undefined
}

/** An object with only its identity and its status. */
function statusAlone<T extends KubeObject>(object: T): T {
  const { apiVersion, kind, metadata } = object
  return { apiVersion, kind, metadata, ...('status' in object && { status: object.status }) } as unknown as T
}

/**
 * The virtual object with these fields of its status as the host has them. A host object without status changes
 * nothing.
 */
function withStatusFields<T extends KubeObject>(
  virtual: T,
  { host, fields }: { host: T; fields: readonly FieldPath[] },
): T {
  const paths = fields.map((field) => ({ names: ['status', ...parseFieldPath(field)] }))
  return statusOf(host) === undefined ? virtual : withFieldsKept(virtual, paths, host)
}

const statusOf = (object: KubeObject): unknown => ('status' in object ? object.status : undefined)
