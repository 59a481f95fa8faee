/** Converts JSON to a CEL value: whole numbers become integers. */
export function celValue(json: unknown): unknown {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json
  if (Array.isArray(json)) return json.map(celValue)
  if (typeof json !== 'object' || json === null) return json
  return Object.fromEntries(Object.entries(json).map(([name, member]) => [name, celValue(member)]))
}
