import { type MemberPosition, mayRepeatMembers, memberPositions } from './member-paths.js'

/** The handling of unknown fields: an error, a warning or nothing; https://kep.k8s.io/2885 */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

/** Options for reporting fields that are not kept. */
export interface FieldReport {
  readonly validation: FieldValidation
  /** The parsed JSON text; undefined to skip the check for duplicate names. */
  readonly text?: string | undefined
  /** The value of the text if it is a patch and not the object itself. */
  readonly written?: unknown
  /** Messages about duplicate keys in a YAML body. */
  readonly repeatedKeys?: readonly string[]
  /** Takes the warnings. */
  readonly warnings: string[]
}

/** Reports nothing. */
export const noReport: FieldReport = { validation: 'Ignore', warnings: [] }

/** The problems with the fields of a value: unknown and duplicate ones. */
export function fieldProblems(
  value: unknown,
  unknown: readonly string[],
  { validation, text, written = value, repeatedKeys = [] }: FieldReport,
): string[] {
  if (validation === 'Ignore') return []
  const mayRepeat = text !== undefined && mayRepeatMembers(text, written)
  const positions = mayRepeat ? memberPositions(text) : []
  if (!positions.some(({ isRepeated }) => isRepeated))
    return [...repeatedIn(validation, repeatedKeys), ...unknown.map(unknownField)]
  return orderProblems(positions, unknown)
}

/** The messages about duplicate keys. A strict report combines them into one error, as the YAML parser does. */
function repeatedIn(validation: FieldValidation, keys: readonly string[]): readonly string[] {
  if (keys.length === 0 || validation !== 'Strict') return keys
  return [`yaml: unmarshal errors:\n  ${keys.join('\n  ')}`]
}

const unknownField = (path: string) => `unknown field "${path}"`

/** The problems in the order in which a decoder finds them. It does not look into unknown fields. */
function orderProblems(positions: readonly MemberPosition[], unknown: readonly string[]): string[] {
  const unknownPaths = new Set(unknown)
  const unreported = new Set(unknown)
  const problems: string[] = []
  /** For each position, whether it is an unknown field or in one. */
  const isSkipped: boolean[] = []
  for (const { path, parent, isRepeated } of positions) {
    const skipped = isSkipped[parent] === true || unknownPaths.has(path)
    isSkipped.push(skipped)
    if (unreported.delete(path)) problems.push(unknownField(path))
    else if (isRepeated && !skipped) problems.push(`duplicate field "${path}"`)
  }
  return [...problems, ...[...unreported].map(unknownField)]
}
