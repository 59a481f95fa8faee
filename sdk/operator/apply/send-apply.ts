import { isNamespaceTerminating } from '../../engine/kube/error.js'
import { valueAt } from '../../engine/kube/json-object.js'
import type { JsonPatchOperation } from '../../engine/kube/json-patch/operation.js'
import { formatKey, keyOf } from '../../engine/kube/key.js'
import type { KubeObject, ObjectMeta } from '../../engine/kube/object.js'
import type { Logger } from '../../engine/observe/logger.js'
import { mainCluster } from '../main-cluster.js'
import type { Owner } from '../owner/owner.js'
import { type ApplyRequest, placeId } from './apply-request.js'
import { applyWithEmptyFields, type MemberPath } from './emptied-fields.js'
import { fieldConflictError } from './field-conflict.js'
import { typedPatchError } from './intent-error.js'
import { isGoneAfter } from './other-incarnation.js'
import { refusedReferenceError } from './refused-reference.js'
import { WaitError } from './wait-error.js'

/** The state of the object that an apply requires. */
export interface Precondition<T extends KubeObject = KubeObject> {
  /** The UID or the resourceVersion of the object. */
  readonly metadata: ObjectMeta
  /** The object that is changed; undefined for one that is created. */
  readonly live?: T
}

/** The time to the next attempt in a terminating namespace, whose end no watch shows, in milliseconds. */
const endingNamespaceMs = 10_000

/**
 * Sends an intended object by server-side apply, and returns the answer. The apply is forced for an owned object, and
 * for a shared object if the request gives a reason.
 *
 * @throws `WaitError` if the object was deleted meanwhile, or if its namespace is being deleted
 */
export async function sendApply<T extends KubeObject>(
  request: ApplyRequest<T>,
  { intent, metadata, live }: Precondition<T> & { intent: T },
  { fieldManager, logger }: { fieldManager: string; logger: Logger },
): Promise<T> {
  const { cluster, resource, owner, force } = request
  const { client } = cluster
  const key = keyOf(intent)
  const object = placeId(request, key)
  if (force !== undefined) logger.info({ object, force }, 'taking over fields')
  const options = { type: 'apply', fieldManager, force: owner !== undefined || force !== undefined } as const
  const body = { ...intent, metadata: { ...intent.metadata, ...metadata } }
  const send = (sent: object) => client.patch(resource, key, { ...options, body: sent })
  const empty = (fields: readonly MemberPath[]) =>
    client.patch(resource, key, { type: 'json', body: emptyingPatch(fields, { intent, live }) })
  try {
    return await applyWithEmptyFields(body, { send, ...(live && { empty }) })
  } catch (error) {
    if (isNamespaceTerminating(error))
      throw new WaitError(`${object} is applied when its namespace, which is being deleted, is gone`, {
        againMs: endingNamespaceMs,
      })
    const meant = { ...intent, metadata: { ...intent.metadata, uid: metadata.uid } } as T
    const isGone = metadata.uid !== undefined && (await isGoneAfter(error, meant, { client, resource }))
    if (isGone) throw new WaitError(`${object} was deleted meanwhile`)
    const place = request.cluster.name === mainCluster ? '' : ` of cluster ${request.cluster.name}`
    const what = `${resource.kind} ${formatKey(key)}${place}`
    throw typedPatchError(what, error) ?? explainError(object, owner, error)
  }
}

function explainError(object: string, owner: Owner | undefined, error: unknown): unknown {
  return fieldConflictError(object, error) ?? refusedReferenceError(object, owner, error) ?? error
}

/** The patch that makes fields empty. It is refused with 409 Conflict if the object has changed since it was read. */
function emptyingPatch(
  fields: readonly MemberPath[],
  { intent, live }: { intent: KubeObject; live: KubeObject | undefined },
): JsonPatchOperation[] {
  const emptied = fields.map((path) => ({
    op: 'replace' as const,
    path: path.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    value: valueAt(intent, path),
  }))
  const { resourceVersion } = live?.metadata ?? {}
  return [...emptied, { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion }]
}
