import { type MemberPlace, mayRepeatMembers, memberPlaces } from './member-paths.js'

/** What becomes of fields that a kind does not have: refuse, warn, or say nothing; https://kep.k8s.io/2885 */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** What a write is told of fields that are not kept as they came. */
export interface FieldReport {
  readonly validation: FieldValidation
  /** The JSON text that was read; left out, names that come twice are not looked for. */
  readonly text?: string | undefined
  /** The value of the text, when it is not the object itself but a patch. */
  readonly written?: unknown
  /** Sentences about keys that come twice in a body of YAML. */
  readonly repeatedKeys?: readonly string[]
  /** Takes the warnings. */
  readonly warnings: string[]
}

/** Says nothing of any field. */
export const NO_REPORT: FieldReport = { validation: 'Ignore', warnings: [] }

/** What is wrong with the fields of a value: those without a place in its type, and those that come twice. */
export function fieldProblems(
  value: unknown,
  unknown: readonly string[],
  { validation, text, written = value, repeatedKeys = [] }: FieldReport,
): string[] {
  if (validation === 'Ignore') return []
  const mayRepeat = text !== undefined && mayRepeatMembers(text, written)
  const places = mayRepeat ? memberPlaces(text) : []
  if (!places.some(({ isRepeated }) => isRepeated))
    return [...repeatedIn(validation, repeatedKeys), ...unknown.map(unknownField)]
  return inOrder(places, unknown)
}

/** A refusal has all of them as one error of the parser. */
function repeatedIn(validation: FieldValidation, keys: readonly string[]): readonly string[] {
  if (keys.length === 0 || validation !== 'Strict') return keys
  return [`yaml: unmarshal errors:\n  ${keys.join('\n  ')}`]
}

const unknownField = (path: string) => `unknown field "${path}"`

/** As a decoder meets them. */
function inOrder(places: readonly MemberPlace[], unknown: readonly string[]): string[] {
  const rest = new Set(unknown)
  const strange = [...rest]
  const problems: string[] = []
  for (const { path, isRepeated } of places) {
    if (rest.delete(path)) problems.push(unknownField(path))
    else if (isRepeated && !strange.some((known) => isWithin(path, known))) {
      problems.push(`duplicate field "${path}"`)
    }
  }
  return [...problems, ...[...rest].map(unknownField)]
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`)
}
