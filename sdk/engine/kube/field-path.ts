/** Formats the path of a field, such as `spec.ports[0].name` or `data["tls.key"]`. */
export function formatFieldPath(path: readonly (string | number)[]): string {
  const parts = path.map((name) => {
    if (typeof name === 'number') return `[${name}]`
    return /^[\w-]+$/.test(name) ? `.${name}` : `["${name}"]`
  })
  return parts.join('').replace(/^\./, '')
}
