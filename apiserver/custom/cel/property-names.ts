const RESERVED = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const ESCAPES: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
}

/**
 * A property's name as rules write it: `a-b` is `a__dash__b`, `namespace` is `__namespace__`. Nothing where the name
 * has characters that no escape stands for; rules cannot speak of such a property. Follows
 * `pkg/cel/escaping.go` of k8s.io/apiserver v0.36.3.
 */
export function escapedName(name: string): string | undefined {
  if (!/^[a-zA-Z_.\-/][\w.\-/]*$/.test(name)) return undefined
  if (RESERVED.has(name)) return `__${name}__`
  return name.replaceAll(/__|[.\-/]/g, (found) => ESCAPES[found] ?? found)
}

/** Whether a name is reserved by CEL, but may stand after a dot as it is. */
export function isKeyword(name: string): boolean {
  return RESERVED.has(name) && !['true', 'false', 'null', 'in'].includes(name)
}
