const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/**
 * The name of a property in rules: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. Undefined if the
 * name has characters that cannot be escaped; rules cannot use such a property. Follows `pkg/cel/escaping.go`
 * of k8s.io/apiserver v0.36.3.
 */
export function escapedName(name: string): string | undefined {
  if (!/^[a-zA-Z_.\-/][\w.\-/]*$/.test(name)) return undefined
  if (reserved.has(name)) return `__${name}__`
  return name.replaceAll(/__|[.\-/]/g, (special) => escapes[special] ?? special)
}

/** Whether CEL reserves a name, which is nevertheless valid after a dot. */
export function isKeyword(name: string): boolean {
  return reserved.has(name) && !['true', 'false', 'null', 'in'].includes(name)
}
