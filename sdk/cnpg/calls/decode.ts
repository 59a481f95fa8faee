import { parseJson } from '../../engine/kube/json.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { HookError } from './hook-error.js'

/**
 * Reads an object of a request: UTF-8 JSON with a `metadata`. Throws {@link HookError} `INVALID_ARGUMENT`, whose
 * message does not quote the bytes.
 *
 * @param field the name of the field for the message, for example `cluster_definition`
 */
export function decodeObject<T extends KubeObject>(bytes: Uint8Array, field: string): T {
  const object = parseField(bytes, field)
  if (!isJsonObject(object) || !isJsonObject(object.metadata))
    throw new HookError(`${field} must be the JSON of an object with metadata`, { code: 'INVALID_ARGUMENT' })
  // Nothing is filled in or removed: a patch must fit the object that the caller has.
  return object as unknown as T
}

function parseField(bytes: Uint8Array, field: string): unknown {
  try {
    return parseJson(bytes)
  } catch (cause) {
    throw new HookError(`${field} is not JSON: ${(cause as Error).message}`, {
      code: 'INVALID_ARGUMENT',
      cause,
    })
  }
}
