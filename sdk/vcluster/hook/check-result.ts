import { jsonEqual, stringifyJson } from '../../engine/kube/json.js'
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
  if (!jsonEqual(type(object), type(input))) throw new InvalidResultError('it changed apiVersion or kind')
  if (!jsonEqual(identity(object), identity(input)))
    throw new InvalidResultError(
      'it changed the name or the namespace: vcluster would lose sight of the object',
    )
  const bytes = Buffer.byteLength(stringifyJson(object))
  if (bytes > maxObjectBytes)
    throw new InvalidResultError(`it returned ${bytes} bytes, and an API server takes ${maxObjectBytes}`)
  return object
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

const identity = ({ metadata }: KubeObject) => [metadata?.name ?? '', metadata?.namespace ?? '']
