import { type ApiError, isInvalid } from '../../engine/kube/error.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import { isEmpty } from './strip-absent.js'

/** How {@link applyWithEmptyFields} sends its requests. */
export interface EmptyFieldRequests<T> {
  /** Sends an apply. */
  readonly send: (body: object) => Promise<T>
  /**
   * Makes fields of the live object empty, by their paths; default not possible. Only the applying manager owns
   * anything below these fields.
   */
  readonly empty?: (fields: readonly MemberPath[]) => Promise<unknown>
}

/** The names of the members that lead to a field. */
export type MemberPath = readonly string[]

/**
 * Sends a server-side apply, also of fields that become empty. If a map or an associative list had applied entries and
 * is applied empty now, an API server turns the field into `null`, which the schema of a custom resource rejects. Then
 * the field is left out, which removes it; only a schema distinguishes an empty field from an absent one. A required
 * field cannot be left out: another patch makes it empty first, so that the apply has nothing to remove.
 *
 * See `typed/remove.go` of sigs.k8s.io/structured-merge-diff.
 */
export async function applyWithEmptyFields<T>(body: object, requests: EmptyFieldRequests<T>): Promise<T> {
  const omitted: MemberPath[] = []
  for (let remaining = body; ; ) {
    try {
      return await requests.send(remaining)
    } catch (error) {
      const required = omitted.filter((path) => isRequired(error, path))
      if (required.length > 0 && requests.empty) {
        await requests.empty(required)
        return requests.send(body)
      }
      const less = omitNullFields(remaining, error, omitted)
      if (less === remaining) throw error
      // Leaving out the field may have emptied its parent.
      remaining = less
    }
  }
}

/** The body without the empty fields that the error names, whose paths are added to `omitted`. */
function omitNullFields(body: object, error: unknown, omitted: MemberPath[]): object {
  const paths = nullFields(error).flatMap((field) => pathOfEmpty(body, field) ?? [])
  omitted.push(...paths)
  return paths.reduce<object>(omitPath, body)
}

/** The fields that an API server refuses because they are null. */
function nullFields(error: unknown): string[] {
  return causesOf(error)
    .filter(({ message = '' }) => /must be of type (object|array): "null"$/.test(message))
    .map(({ field = '' }) => field)
}

function isRequired(error: unknown, path: MemberPath): boolean {
  return causesOf(error).some(
    ({ field, reason }) => reason === 'FieldValueRequired' && field === path.join('.'),
  )
}

function causesOf(error: unknown) {
  return isInvalid(error) ? ((error as ApiError).status.details?.causes ?? []) : []
}

/** The path of an empty field that an API server names, in a list of at most one. Names may contain dots. */
function pathOfEmpty(object: object, field: string): [MemberPath] | undefined {
  for (const [name, member] of Object.entries(object)) {
    if (name === field && isEmpty(member)) return [[name]]
    if (!field.startsWith(`${name}.`) || !isJsonObject(member)) continue
    const [below] = pathOfEmpty(member, field.slice(name.length + 1)) ?? []
    if (below) return [[name, ...below]]
  }
  return undefined
}

function omitPath(object: object, [name = '', ...below]: MemberPath): object {
  const { [name]: member, ...others } = object as Record<string, unknown>
  return below.length === 0 ? others : { ...object, [name]: omitPath(member as object, below) }
}
