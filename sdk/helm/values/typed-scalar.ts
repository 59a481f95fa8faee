/**
 * A text as `helm --set` types it, the whole text at once: `true`, `false`, `null` and integers without a leading zero;
 * all else stays text, also one with commas and braces.
 */
export function typedScalar(text: string): unknown {
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  return /^(?:0|[1-9]\d*|-[1-9]\d*)$/.test(text) ? integerOf(text) : text
}

const maxInteger = 2n ** 63n

function integerOf(text: string): number | bigint | string {
  const value = BigInt(text)
  if (value >= maxInteger || value < -maxInteger) return text
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
