/** The lower-case plural of a kind, as Kubernetes guesses it: `Backup` to `backups`, `Policy` to `policies`. */
export function pluralOf(kind: string): string {
  const singular = kind.toLowerCase()
  if (/(s|x|ch|sh)$/.test(singular)) return `${singular}es`
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`
  return `${singular}s`
}
