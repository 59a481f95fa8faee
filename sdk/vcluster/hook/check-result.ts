import { stringifyJson } from '../../engine/kube/json.js'
import type { KubeObject } from '../../engine/kube/object.js'

/** The result of a hook is not an object that vcluster can continue with. The message quotes nothing of it. */
export class InvalidResultError extends Error {
  override readonly name = 'InvalidResultError'
}

/** The largest object that an API server accepts, in bytes. */
const maxObjectBytes = 3 * 1024 * 1024

/**
 * Checks the result of a hook. A missing apiVersion or kind is taken from the given object. Throws
 * {@link InvalidResultError}.
 */
export function checkResult(returned: unknown, input: KubeObject): KubeObject {
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned))
    throw new InvalidResultError(`it returned ${typeOf(returned)}; return the object, or nothing`)
  const object = { ...type(input), ...(returned as KubeObject) }
  const field = changedIdentity(object, input)
  if (field !== undefined)
    throw new InvalidResultError(
      `it changed ${field}, by which vcluster finds the object; return it with the ${field} that the hook was given`,
    )
  const bytes = Buffer.byteLength(stringifyJson(object))
  if (bytes > maxObjectBytes)
    throw new InvalidResultError(
      `it returned ${bytes} bytes, and an API server takes at most ${maxObjectBytes}; add less to the object`,
    )
  return object
}

/** The first field that identifies an object and differs; undefined if there is none. */
function changedIdentity(object: KubeObject, input: KubeObject): string | undefined {
  const [after, before] = [identity(object), identity(input)]
  return Object.keys(before).find((field) => after[field] !== before[field])
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`
}

/** The members of an object that name its kind, if it has them. */
const type = ({ apiVersion, kind }: KubeObject) => ({
  ...(apiVersion && { apiVersion }),
  ...(kind && { kind }),
})

/** The fields that identify an object, by their paths. */
const identity = ({ apiVersion, kind, metadata }: KubeObject): Readonly<Record<string, string>> => ({
  apiVersion: apiVersion || '',
  kind: kind || '',
  'metadata.name': metadata?.name ?? '',
  'metadata.namespace': metadata?.namespace ?? '',
})
