/** Words that CEL keeps for itself. */
const reserved: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

const escapes: readonly [RegExp, string][] = [
  [/__/g, '__underscores__'],
  [/\./g, '__dot__'],
  [/-/g, '__dash__'],
  [/\//g, '__slash__'],
]

/**
 * The name of a field in a CEL expression; `undefined` if CEL cannot name it.
 *
 * See
 * https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#available-validation-rule-types
 */
export function celName(field: string): string | undefined {
  if (reserved.has(field)) return `__${field}__`
  const name = escapes.reduce((name, [pattern, text]) => name.replace(pattern, text), field)
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : undefined
}
