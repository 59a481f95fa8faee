/**
 * Applies intended objects by server-side apply, without needless writes and without touching foreign objects.
 *
 * An object that does not exist is created by an apply with an impossible resourceVersion: the API server ignores it
 * where there is no object, and answers 409 Conflict where there is one that the cache does not know yet. An object
 * that exists is changed under its UID. So no foreign object is ever overwritten, whatever the age of the cache.
 */

import { isCustom } from '../../engine/cluster/definition.js'
import { ContestedFields } from '../../engine/controller/contested-fields.js'
import { isConflict, isNotFound } from '../../engine/kube/error.js'
import { formatKey, type Key, keyOf } from '../../engine/kube/key.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { apiVersionOf } from '../../engine/kube/resource.js'
import type { Logger } from '../../engine/observe/logger.js'
import type { Clock } from '../../engine/time/clock.js'
import type { AppliedFields } from '../../engine/watch/applied-fields.js'
import { alteredFields } from './altered-fields.js'
import { ApplyMemo } from './apply-memo.js'
import { type ApplyRequest, completeIntent, placeId } from './apply-request.js'
import { handOverBody } from './hand-over-body.js'
import { IntentError, nonJsonProblem } from './intent-error.js'
import { isImmutable } from './is-immutable.js'
import { appliedBy, hasEntryOf, isApplied } from './managed-leaves.js'
import { checkMayChange, preconditionOf } from './may-change.js'
import { mayCreateAgain } from './may-create-again.js'
import { mayRecreate } from './may-recreate.js'
import { mayRepair } from './may-repair.js'
import { remove } from './remove.js'
import { type Precondition, sendApply } from './send-apply.js'
import { takeOver } from './take-over.js'
import { WaitError } from './wait-error.js'

/** Options of {@link Applier}. */
export interface ApplierOptions {
  /** The name under which the API server remembers the applied fields; stable over releases. */
  fieldManager: string
  /** Earlier names of this manager, whose fields are taken over; default none. */
  formerFieldManagers?: readonly string[]
  /** The fields that were applied before this process. */
  appliedFields: AppliedFields
  logger: Logger
  clock: Pick<Clock, 'now'>
}

/** No object has this resourceVersion: etcd's first revision is 2. */
const noResourceVersion = '1'

/** Applies objects for one controller. */
export class Applier {
  readonly #options: ApplierOptions
  readonly #memo = new ApplyMemo()
  readonly #contested: ContestedFields

  constructor(options: ApplierOptions) {
    this.#options = options
    this.#contested = new ContestedFields(options.clock)
    const { fieldManager, formerFieldManagers = [], appliedFields } = options
    for (const manager of [fieldManager, ...formerFieldManagers]) appliedFields.keep(manager)
  }

  /**
   * Applies the intended fields, and returns the live object. An object that others delete each time is returned as
   * intended, until it may be created again.
   *
   * @throws `NameConflictError` if a foreign object has the name; `ApiError` as the API server answers; `WaitError` if
   *   the object, its owner or its namespace is being deleted
   */
  async apply<T extends KubeObject>(request: ApplyRequest<T>): Promise<T> {
    const intent = completeIntent(request)
    const { cluster, resource } = request
    const key = keyOf(intent)
    checkIntent(placeId(request, key), request.intent)
    const live = cluster.store(resource).get(key)
    const applied = live ? await this.#change(request, intent, live) : await this.#create(request, intent)
    const contest = this.#contested.find(placeId(request, key))
    if (contest) request.onContested?.(contest)
    return applied
  }

  /**
   * Records that the controller itself deletes an object, or all of a namespace or of all namespaces if the key has no
   * name or namespace. That is not a contest if it applies the objects again.
   */
  noteOwnDeletion(place: Pick<ApplyRequest, 'cluster' | 'resource'>, deleted: Key): void {
    const id = placeId(place, deleted)
    if (deleted.name === '') this.#memo.excuseDeletionsIn(id)
    else this.#memo.excuseDeletion(id)
  }

  /** Forgets a deleted object; `id` is its `placeId`. */
  forget(id: string): void {
    this.#memo.forget(id)
    this.#contested.forget(id)
  }

  /** Forgets what was applied for a primary object that is gone. */
  forgetPrimary(primary: Key): void {
    for (const id of this.#memo.forgetPrimary(formatKey(primary))) this.#contested.forget(id)
  }

  async #create<T extends KubeObject>(request: ApplyRequest<T>, intent: T): Promise<T> {
    await this.#checkOwner(request, intent)
    const applied = { memo: this.#memo, contested: this.#contested, logger: this.#options.logger }
    if (!mayCreateAgain(applied, { id: placeId(request, keyOf(intent)), intent, owner: request.owner }))
      return intent
    try {
      return await this.#send(request, intent, { metadata: { resourceVersion: noResourceVersion } })
    } catch (error) {
      if (!isConflict(error)) throw error
      const live = await this.#read(request, keyOf(intent))
      if (!live) throw error
      return this.#change(request, intent, live)
    }
  }

  /**
   * Throws `WaitError` if an applied object has vanished together with its owner. While the cache still holds the
   * deleted owner, such an object would otherwise be created and garbage-collected in a fast loop.
   */
  async #checkOwner<T extends KubeObject>(request: ApplyRequest<T>, intent: T): Promise<void> {
    const id = placeId(request, keyOf(intent))
    if (!request.isOwnerAlive || !this.#memo.has(id) || (await request.isOwnerAlive())) return
    this.#memo.forget(id)
    throw new WaitError(`${id} is gone, and so is its owner: it is not created again`)
  }

  async #change<T extends KubeObject>(request: ApplyRequest<T>, intent: T, live: T): Promise<T> {
    const id = placeId(request, keyOf(intent))
    checkMayChange(request, live, { wasApplied: this.#memo.wasAppliedFor(id, live, request.owner) })
    if (this.#memo.isCurrent(id, intent, live)) return live
    const drift = this.#memo.driftOf(id, intent, live)
    const { fieldManager, logger } = this.#options
    const repair = { id, intent, request, paths: drift }
    if (drift.length > 0 && !(await mayRepair({ contested: this.#contested, fieldManager, logger }, repair)))
      return live
    const changed = this.#memo.has(id) ? live : await this.#findObjectToChange(request, intent, live)
    if (!changed) return live
    await this.#release(request, intent)
    try {
      const metadata = preconditionOf(request, changed)
      const applied = await this.#send(request, intent, { metadata, live: changed })
      this.#contested.recordRepair(id, drift)
      return applied
    } catch (error) {
      if (!mayRecreate(request) || !request.owner || !isImmutable(error)) throw error
      await remove(request as ApplyRequest, changed)
      this.forget(id)
      throw new WaitError(
        `${id} was deleted, because it has immutable fields; it is created again when it is gone`,
      )
    }
  }

  /**
   * Finds the object to change if the memo has no record of it, as after a start. The `managedFields` of the first list
   * show the applied fields. The object is read if that list has none, or if former managers still own fields, which
   * are then taken over. Undefined if the intent is applied already.
   */
  async #findObjectToChange<T extends KubeObject>(
    request: ApplyRequest<T>,
    intent: T,
    live: T,
  ): Promise<T | undefined> {
    const { fieldManager, formerFieldManagers = [], logger, appliedFields } = this.#options
    const listed = appliedFields.take(live)
    if (listed && !hasEntryOf(formerFieldManagers, listed))
      return this.#liveUnlessApplied(request, { intent, live, managedFields: listed })
    const key = keyOf(intent)
    const fresh = await this.#read(request, key)
    if (fresh?.metadata.uid !== live.metadata.uid || !fresh) return live
    const renamed = new Map(formerFieldManagers.map((name) => [name, fieldManager]))
    const patch = takeOver(fresh, { renamed, apiVersion: apiVersionOf(request.resource) })
    if (patch) {
      checkMayChange(request, fresh)
      logger.info({ object: placeId(request, key) }, 'taking over the fields of a former field manager')
      return request.cluster.client.patch(request.resource, key, { type: 'json', body: patch })
    }
    const { managedFields = [] } = fresh.metadata
    return this.#liveUnlessApplied(request, { intent, live: fresh, managedFields }) && live
  }

  /** The live object if the intent is not applied to it; otherwise remembers the intent as applied. */
  #liveUnlessApplied<T extends KubeObject>(
    request: ApplyRequest<T>,
    { intent, live, managedFields }: { intent: T; live: T; managedFields: readonly unknown[] },
  ): T | undefined {
    const fields = appliedBy(this.#options.fieldManager, managedFields)
    const isBuiltIn = !isCustom(request.resource)
    if (!isApplied(fields, { intent, live, isBuiltIn })) return live
    this.#remember(request, intent, live)
    return undefined
  }

  /** Hands over the fields to release, before the apply that leaves them out. */
  async #release<T extends KubeObject>(request: ApplyRequest<T>, intent: T): Promise<void> {
    const { release = [], cluster, resource } = request
    if (release.length === 0) return
    const key = keyOf(intent)
    const live = await this.#read(request, key)
    if (!live) return
    const { fieldManager, logger } = this.#options
    const body = handOverBody(live, { fieldManager, paths: release })
    if (!body) return
    logger.info({ object: placeId(request, key), fields: release.join(', ') }, 'handing over fields')
    await cluster.client.patch(resource, key, {
      type: 'apply',
      fieldManager: `${fieldManager}.released`,
      body: { ...body, apiVersion: intent.apiVersion, kind: intent.kind },
    })
  }

  async #send<T extends KubeObject>(
    request: ApplyRequest<T>,
    intent: T,
    precondition: Precondition<T>,
  ): Promise<T> {
    const answer = await sendApply(request, { intent, ...precondition }, this.#options)
    this.#remember(request, intent, answer)
    const altered = alteredFields(intent, answer)
    if (altered.length > 0) request.onAltered?.(altered)
    return answer
  }

  #remember<T extends KubeObject>(request: ApplyRequest<T>, intent: T, answer: T): void {
    const { primary, owner } = request
    const applied = { primary: formatKey(primary), ownerUid: owner?.uid, intent, answer }
    this.#memo.remember(placeId(request, keyOf(intent)), applied)
  }

  async #read<T extends KubeObject>(
    { cluster, resource }: ApplyRequest<T>,
    key: Key,
  ): Promise<T | undefined> {
    try {
      return await cluster.client.get(resource, key)
    } catch (error) {
      if (isNotFound(error)) return undefined
      throw error
    }
  }
}

function checkIntent(id: string, object: object): void {
  const problem = nonJsonProblem(object)
  if (problem !== undefined) throw new IntentError(`${id} cannot be applied: ${problem.slice(1)}`)
}
