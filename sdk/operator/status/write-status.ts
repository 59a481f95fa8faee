import omit from 'lodash/omit.js'
import uniq from 'lodash/uniq.js'
import type { Cluster } from '../../engine/cluster/cluster.js'
import { isNotFound } from '../../engine/kube/error.js'
import { jsonEqual } from '../../engine/kube/json.js'
import { keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import { applyWithEmptyFields } from '../apply/emptied-fields.js'
import { typedPatchError } from '../apply/intent-error.js'
import { isGoneAfter } from '../apply/other-incarnation.js'
import { stripAbsent } from '../apply/strip-absent.js'
import { applyStatus } from './apply-status.js'
import { type Condition, mergeConditions } from './conditions.js'
import { missingStatusError } from './missing-status-error.js'
import { ownFields, problemTypes, type StatusDraft, type StatusFields, statusOf } from './status-draft.js'
import type { StatusManagers } from './status-managers.js'
import { statusPatch } from './status-patch.js'
import type { UnknownFields } from './unknown-fields.js'

/** Options of {@link writeStatus}. */
export interface WriteStatusOptions {
  cluster: Pick<Cluster, 'client' | 'store'>
  resource: Resource
  fieldManager: string
  /** Whether the kind is the program's own: then its status is applied, and `observedGeneration` is part of it. */
  isOwnKind: boolean
  managers: StatusManagers
  unknownFields: UnknownFields
  now: Date
  logger: Logger
  /** Whether the run goes on: then the generation does not count as observed. Default false. */
  isProgress?: boolean
}

/**
 * Writes the status of a run, if it differs from the live status. Conditions of other controllers are left alone.
 * Nothing is written if the object is gone or has another UID by now. Returns the written object; undefined if nothing
 * was written, or if fields were left out that the installed definition lacks.
 */
export async function writeStatus(
  object: KubeObject,
  draft: StatusDraft,
  options: WriteStatusOptions,
): Promise<KubeObject | undefined> {
  const wanted = wantedStatus(object, draft, options)
  const live = ownPart(object, draft, options)
  if (jsonEqual(wanted, live) || options.managers.isKept(keyOf(object), { wanted, live })) return undefined
  try {
    if (options.isOwnKind) return await applyOwnStatus(object, draft, { wanted, live }, options)
    const answer = await mergeStatus(object, { wanted, live }, options)
    options.unknownFields.report(prunedFields(wanted, answer), options)
    return answer
  } catch (error) {
    const { resource, cluster, isOwnKind } = options
    const statusCall = { resource, client: cluster.client }
    // A 404 may also come from a definition without the status subresource.
    const mayBeGone = isOwnKind || isNotFound(error)
    if (mayBeGone && (await isGoneAfter(error, object, statusCall))) return undefined
    throw isNotFound(error) ? missingStatusError(object, resource, error) : error
  }
}

/** The condition types that may be on the object because this controller wrote them. */
function ownTypes({ declared }: StatusDraft, { isOwnKind }: Pick<WriteStatusOptions, 'isOwnKind'>): string[] {
  return isOwnKind ? [...declared, ...problemTypes] : [...declared]
}

function wantedStatus(object: KubeObject, draft: StatusDraft, options: WriteStatusOptions): StatusFields {
  const { now, isOwnKind, isProgress } = options
  const { generation } = object.metadata
  const { conditions: before = [], observedGeneration: last } = statusOf(object)
  const observedGeneration = draft.isUnfinished || isProgress ? last : generation
  const problems = isOwnKind ? draft.problemsBeside(before) : []
  const conditions = mergeConditions(before, draft.conditions, {
    types: [...draft.declared, ...problems],
    generation,
    now,
  })
  return stripAbsent({
    ...draft.fieldsToWrite,
    ...(isOwnKind && { observedGeneration }),
    ...(conditions.length > 0 && { conditions }),
  })
}

/**
 * The live status without the journal of effects, the conditions of other controllers, and members that are `null`,
 * which another program may keep. The conditions are in the order in which this controller writes its own.
 */
function ownPart(
  object: KubeObject,
  draft: StatusDraft,
  options: Pick<WriteStatusOptions, 'isOwnKind'>,
): StatusFields {
  const status = statusOf(object)
  const { conditions = [], observedGeneration } = status
  const fields = {
    ...ownFields(status, draft.names),
    ...(options.isOwnKind && { observedGeneration }),
  }
  const types = ownTypes(draft, options)
  const ownConditions = types
    .map((type) => conditions.find((condition) => condition.type === type))
    .filter(isPresent)
  return stripAbsent({ ...fields, ...(ownConditions.length > 0 && { conditions: ownConditions }) })
}

const isPresent = (condition: Condition | undefined) => condition !== undefined

/** Applies the status of an own kind, and remembers what other controllers keep of it. */
async function applyOwnStatus(
  object: KubeObject,
  draft: StatusDraft,
  { wanted, live }: { wanted: StatusFields; live: StatusFields },
  options: WriteStatusOptions,
): Promise<KubeObject | undefined> {
  const { managers, cluster } = options
  await managers.takeOver(object, cluster.client)
  const answer = await applyKnownFields(object, { wanted, live }, options)
  if (answer) managers.noteApplied(keyOf(object), { wanted, live: ownPart(answer, draft, options) })
  return answer
}

/**
 * Applies the status, and returns the changed object. An API server refuses an apply with a field that the installed
 * definition lacks. Such fields are then left out, and undefined is returned, so that the next run tries again.
 */
async function applyKnownFields(
  object: KubeObject,
  { wanted, live }: { wanted: StatusFields; live: StatusFields },
  options: WriteStatusOptions,
): Promise<KubeObject | undefined> {
  try {
    const answer = await sendStatus(object, wanted, options)
    options.unknownFields.clear()
    return answer
  } catch (error) {
    const unknown = undeclaredFields(error)
    if (unknown.length === 0) throw typedPatchError('the status', error) ?? error
    options.unknownFields.report(unknown, options)
    const knownFields = omit(wanted, unknown)
    if (!jsonEqual(knownFields, live)) await sendStatus(object, knownFields, options)
    return undefined
  }
}

/** The fields of the status that an error names, for example `.status.nodes: field not declared in schema`. */
function undeclaredFields(error: unknown): string[] {
  const text = error instanceof Error ? error.message : ''
  const matches = text.matchAll(/\.status\.([^\s.[:]+)[^\s:]*: field not declared in schema/g)
  return uniq([...matches].map(([, name = '']) => name))
}

async function sendStatus(
  object: KubeObject,
  status: StatusFields,
  options: WriteStatusOptions,
): Promise<KubeObject> {
  const send = (sent: object) => applyStatus(object, sent, options)
  const answer = await applyWithEmptyFields({ status }, { send })
  options.managers.report(answer)
  return answer
}

/**
 * Writes the status of a kind without a schema by a merge patch. Its conditions may be a plain list, which the patch
 * replaces as a whole, so the patch names the revision that was read.
 */
function mergeStatus(
  object: KubeObject,
  { wanted, live }: { wanted: StatusFields; live: StatusFields },
  { cluster, resource }: WriteStatusOptions,
): Promise<KubeObject> {
  const { conditions = [], ...fields } = wanted
  const { conditions: _, ...liveFields } = live
  const writtenTypes = new Set(conditions.map(({ type }) => type))
  const others = (statusOf(object).conditions ?? []).filter(({ type }) => !writtenTypes.has(type))
  const { resourceVersion } = object.metadata
  const merged = [...others, ...conditions]
  const status = {
    ...statusPatch(liveFields, fields),
    ...(merged.length > 0 && { conditions: merged }),
  }
  const body = { metadata: { resourceVersion }, status }
  return cluster.client.patch(resource, keyOf(object), { type: 'merge', subresource: 'status', body })
}

/** The fields that an API server dropped from a merge patch, because the installed definition lacks them. */
function prunedFields(wanted: StatusFields, answer: KubeObject): string[] {
  const stored = statusOf(answer)
  return Object.keys(wanted).filter((name) => stored[name] === undefined)
}
