import { type ApiError, isInvalid } from '../../kube/error.js'
import { isObject } from './strip-absent.js'

/**
 * Sends a server-side apply. If the manager applied entries of a map or an associative list before and applies an empty one now,
 * an API server makes `null` of it, which the schema of a custom resource refuses. Then the field is left out, which removes
 * it; only a schema tells an empty field from an absent one.
 *
 * See `typed/remove.go` of sigs.k8s.io/structured-merge-diff.
 */
export async function applyEmptied<T>(body: object, send: (body: object) => Promise<T>): Promise<T> {
  try {
    return await send(body)
  } catch (error) {
    const less = withoutEmptied(body, error)
    if (less === undefined) throw error
    // Its parent may have become empty by that.
    return applyEmptied(less, send)
  }
}

/** The body without the empty fields that the error names; undefined if it names none. */
function withoutEmptied(body: object, error: unknown): object | undefined {
  const less = nullFields(error).reduce<object>(withoutEmpty, body)
  return less === body ? undefined : less
}

/** The fields that an API server refuses because they are null. */
function nullFields(error: unknown): string[] {
  if (!isInvalid(error)) return []
  const causes = (error as ApiError).status.details?.causes ?? []
  return causes
    .filter(({ message = '' }) => /must be of type (object|array): "null"$/.test(message))
    .map(({ field = '' }) => field)
}

/** The same object if there is no empty field at the path. Names may contain dots. */
function withoutEmpty(object: object, path: string): object {
  for (const [name, member] of Object.entries(object)) {
    if (name === path && isEmpty(member)) return omitOne(object, name)
    if (!path.startsWith(`${name}.`) || !isObject(member)) continue
    const less = withoutEmpty(member, path.slice(name.length + 1))
    if (less !== member) return { ...object, [name]: less }
  }
  return object
}

function omitOne(object: object, name: string): object {
  return Object.fromEntries(Object.entries(object).filter(([one]) => one !== name))
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}
