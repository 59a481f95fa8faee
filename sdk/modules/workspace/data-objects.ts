// Copies a Secret or a ConfigMap of the release of one Module to that of another. Objects that do not belong to these
// two Modules are neither read nor written.
import type { Client } from '../../engine/client/client.js'
import { configMaps, secrets } from '../../engine/kube/builtin.js'
import { canonicalJson } from '../../engine/kube/canonical-json.js'
import { ApiError, isConflict, isNotFound } from '../../engine/kube/error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { KubeObject, OwnerReference } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import { moduleLabel } from '../manager/client-cluster.js'

/** The source or the target of a copy. */
export interface DataSide {
  readonly client: Client
  /** The UID of the Module. */
  readonly uid: string
  readonly key: Key
}

/** A copy of one object. */
export interface ObjectCopy {
  readonly kind: 'Secret' | 'ConfigMap'
  readonly from: DataSide
  readonly to: DataSide & { readonly ownerReferences: OwnerReference[] }
  readonly signal: AbortSignal
}

/** The members of Secrets and ConfigMaps that are copied. */
type DataObject = KubeObject & {
  readonly type?: string
  readonly data?: Record<string, string>
  readonly binaryData?: Record<string, string>
}

// `as never`: the two kinds have types of their own, of which only the data is used here.
const resources = { Secret: secrets, ConfigMap: configMaps } as never as Record<
  ObjectCopy['kind'],
  Resource<DataObject>
>

/** Copies the data of the source object to the target object, which is created if it is absent. */
export async function copyObject({ kind, from, to, signal }: ObjectCopy): Promise<void> {
  const resource = resources[kind]
  const source = await findObject(resource, from, signal)
  if (!source) throw new Error(`${kind} ${formatKey(from.key)} does not exist`)
  checkBelongsToModule(source, { kind, side: from })
  const live = await findObject(resource, to, signal)
  if (live) checkBelongsToModule(live, { kind, side: to })
  if (live && canonicalJson(dataOf(live)) === canonicalJson(dataOf(source))) return
  const next = { ...(live ? withoutData(live) : newObject(source, to)), ...dataOf(source) }
  const write = live
    ? to.client.update(resource, next, { signal })
    : to.client.create(resource, next, { signal })
  await write.catch((error: unknown) => {
    const reason = error instanceof ApiError ? error.reason || String(error.code) : undefined
    if (reason === undefined || isConflict(error)) throw error
    // The message of an API server may quote values.
    throw new Error(`${kind} ${formatKey(to.key)} cannot be written: ${reason}`)
  })
}

/** The target object without data, as an object of the Module. */
function newObject({ type }: DataObject, { key, uid, ownerReferences }: ObjectCopy['to']): DataObject {
  return { metadata: { ...key, labels: { [moduleLabel]: uid }, ownerReferences }, ...(type && { type }) }
}

/**
 * Throws unless an object carries the label of the Module: users who may create Modules need not be allowed to read
 * others.
 */
function checkBelongsToModule(
  { metadata }: KubeObject,
  { kind, side }: { readonly kind: string; readonly side: DataSide },
): void {
  if (metadata.labels?.[moduleLabel] === side.uid) return
  throw new Error(
    `${kind} ${formatKey(side.key)} does not belong to the Module: its label ${moduleLabel} is not the UID of the Module`,
  )
}

const dataOf = ({ data = {}, binaryData = {} }: DataObject) => ({
  data,
  ...(Object.keys(binaryData).length > 0 && { binaryData }),
})

const withoutData = ({ data: _, binaryData: __, ...rest }: DataObject): DataObject => rest

/** Reads an object; undefined if it does not exist. */
async function findObject(
  resource: Resource<DataObject>,
  { client, key }: DataSide,
  signal: AbortSignal,
): Promise<DataObject | undefined> {
  return client.get(resource, key, { signal }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
    return undefined
  })
}
