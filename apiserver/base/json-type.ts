/** The type of a JSON value as messages of Go's decoder name it. */
export function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'bigint' ? 'number' : typeof value
}

/** The message of Go's decoder for a value that a field cannot hold; `go` is Go's name of the field's type. */
export function fieldMismatch(value: unknown, path: string, go: string): string {
  const type = jsonTypeOf(value)
  const form = type === 'number' && /^u?int\d+$/.test(go) ? `number ${value}` : type
  return `json: cannot unmarshal ${form} into Go struct field ${path} of type ${go}`
}
