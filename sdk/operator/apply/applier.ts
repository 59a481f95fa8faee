/**
 * Applies intended objects by server-side apply, without needless writes and without touching foreign objects.
 *
 * An object that does not exist is created by an apply with an impossible resourceVersion: the API server ignores it where
 * there is no object, and answers 409 Conflict where there is one that the cache does not know yet. An object that exists is
 * changed under its UID. So no foreign object is ever overwritten, whatever the age of the cache.
 */
import { NameConflictError } from '../../controller/name-conflict-error.js'
import { isConflict, isNotFound } from '../../kube/error.js'
import { formatKey, type Key, keyOf } from '../../kube/key.js'
import type { KubeObject, ObjectMeta } from '../../kube/object.js'
import type { Logger } from '../../observe/logger.js'
import { ownershipOf } from '../owner/ownership.js'
import { type ApplyRequest, completeIntent, idOf } from './apply-request.js'
import { fieldConflictError } from './field-conflict.js'
import { handOver } from './hand-over.js'
import { appliedBy, isApplied } from './managed-leaves.js'
import { ApplyMemo } from './memo.js'
import { isGoneAfter } from './other-incarnation.js'
import { WaitError } from './wait-error.js'

/** Options of {@link Applier}. */
export interface ApplierOptions {
  /** The name under which the API server remembers the applied fields; stable over releases. */
  fieldManager: string
  logger: Logger
}

/** No object has this resourceVersion: etcd's first revision is 2. */
const noResourceVersion = '1'

/** Applies objects for one controller. */
export class Applier {
  readonly #options: ApplierOptions
  readonly #memo = new ApplyMemo()

  constructor(options: ApplierOptions) {
    this.#options = options
  }

  /**
   * Makes the live object have the intended fields; answers it.
   *
   * @throws `NameConflictError` if a foreign object has the name; `ApiError` as the API server answers; `WaitError` if the
   * object is about to go
   */
  async apply<T extends KubeObject>(request: ApplyRequest<T>, namespace: string): Promise<T> {
    const intent = completeIntent(request, namespace)
    const { cluster, resource } = request
    const live = cluster.store(resource).get(keyOf(intent))
    if (!live) return this.#create(request, intent)
    return this.#change(request, intent, live)
  }

  async #create<T extends KubeObject>(request: ApplyRequest<T>, intent: T): Promise<T> {
    await this.#checkOwner(request, intent)
    try {
      return await this.#send(request, intent, { resourceVersion: noResourceVersion })
    } catch (error) {
      if (!isConflict(error)) throw error
      const live = await this.#read(request, keyOf(intent))
      if (!live) throw error
      return this.#change(request, intent, live)
    }
  }

  /**
   * The garbage collector deletes what a deleted owner owns. An object that goes while the cache still has its owner would be
   * created and collected in a loop, as fast as both can.
   */
  async #checkOwner<T extends KubeObject>(request: ApplyRequest<T>, intent: T): Promise<void> {
    const id = idOf(request, keyOf(intent))
    if (!request.isOwnerAlive || !this.#memo.has(id) || (await request.isOwnerAlive())) return
    this.#memo.forget(id)
    throw new WaitError(`${id} is gone, and so is its owner: it is not created again`)
  }

  async #change<T extends KubeObject>(request: ApplyRequest<T>, intent: T, live: T): Promise<T> {
    const precondition = preconditionOf(request, live)
    if (await this.#isCurrent(request, intent, live)) return live
    await this.#release(request, intent)
    return this.#send(request, intent, precondition)
  }

  /** After a start the memo is empty; then `managedFields` shows the applied fields. */
  async #isCurrent<T extends KubeObject>(request: ApplyRequest<T>, intent: T, live: T): Promise<boolean> {
    const id = idOf(request, keyOf(intent))
    if (this.#memo.has(id)) return this.#memo.isCurrent(id, intent, live)
    const fresh = await this.#read(request, keyOf(intent))
    if (fresh?.metadata.uid !== live.metadata.uid) return false
    const fields = appliedBy(this.#options.fieldManager, fresh?.metadata.managedFields)
    if (!fresh || !isApplied(fields, intent, fresh)) return false
    this.#memo.remember(id, intent, fresh)
    return true
  }

  /** Hands over the fields to release, before the apply that leaves them out. */
  async #release<T extends KubeObject>(request: ApplyRequest<T>, intent: T): Promise<void> {
    const { release = [], cluster, resource } = request
    if (release.length === 0) return
    const key = keyOf(intent)
    const live = await this.#read(request, key)
    if (!live) return
    const { fieldManager, logger } = this.#options
    const body = handOver(live, { fieldManager, paths: release })
    if (!body) return
    logger.info({ object: idOf(request, key), fields: release.join(', ') }, 'handing over fields')
    await cluster.client.patch(resource, key, {
      type: 'apply',
      fieldManager: `${fieldManager}.released`,
      body: { ...body, apiVersion: intent.apiVersion, kind: intent.kind },
    })
  }

  async #send<T extends KubeObject>(
    request: ApplyRequest<T>,
    intent: T,
    precondition: ObjectMeta,
  ): Promise<T> {
    const { cluster, resource, owner, force } = request
    const key = keyOf(intent)
    if (force !== undefined)
      this.#options.logger.info({ object: idOf(request, key), force }, 'taking over fields')
    const sent = cluster.client.patch(resource, key, {
      type: 'apply',
      fieldManager: this.#options.fieldManager,
      force: owner !== undefined || force !== undefined,
      body: { ...intent, metadata: { ...intent.metadata, ...precondition } },
    })
    const answer = await sent.catch(async (error: unknown) => {
      const { uid } = precondition
      const meant = { ...intent, metadata: { ...intent.metadata, uid } } as T
      const wasFor = { client: cluster.client, resource }
      const isGone = uid !== undefined && (await isGoneAfter(error, meant, wasFor))
      if (!isGone) throw fieldConflictError(idOf(request, key), error) ?? error
      throw new WaitError(`${idOf(request, key)} was deleted meanwhile`)
    })
    this.#memo.remember(idOf(request, key), intent, answer)
    return answer
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

/** The precondition of changing the object; throws if it must not be changed. */
function preconditionOf<T extends KubeObject>(request: ApplyRequest<T>, live: T): ObjectMeta {
  const { cluster, owner } = request
  const { uid, resourceVersion, deletionTimestamp } = live.metadata
  const same: ObjectMeta = uid === undefined ? {} : { uid }
  if (!owner) return same
  const ownership = ownershipOf(live, cluster.name, owner)
  const object = idOf(request, keyOf(live))
  if (ownership === 'former')
    throw new WaitError(`${object} belongs to an earlier ${formatKey(owner.key)} and is about to go`)
  if (ownership === 'owned') {
    if (deletionTimestamp)
      throw new WaitError(`${object} is being deleted; it is created again when it is gone`)
    return same
  }
  if (mayAdopt(request, live)) return resourceVersion === undefined ? same : { ...same, resourceVersion }
  throw new NameConflictError(
    `${object} exists and does not belong to ${owner.resource.kind} ${formatKey(owner.key)}: it is left alone. ` +
      'Delete or rename it, or declare how to adopt it with owned(…, { adopt }).',
    keyOf(live),
  )
}

function mayAdopt<T extends KubeObject>({ adopt }: ApplyRequest<T>, live: T): boolean {
  const { ownerReferences = [], deletionTimestamp } = live.metadata
  const isControlled = ownerReferences.some(({ controller }) => controller)
  return adopt !== undefined && !isControlled && !deletionTimestamp && adopt(live)
}
