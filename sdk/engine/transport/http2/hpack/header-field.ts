/** A header field of an answer as the compression tables hold it. */
export interface HeaderField {
  readonly name: string
  readonly value: string
  /** The size of the field in a table or a list: its octets plus 32 (RFC 7541, section 4.1). */
  readonly size: number
  /** Whether HTTP/2 allows the name and the value (RFC 9113, section 8.2). */
  readonly isValid: boolean
}

/** The overhead that is added to the octets of each header field. */
export const fieldOverhead = 32

const token = /^:?[!#$%&'*+\-.^_`|~0-9a-z]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that a value must not have
const forbiddenInValue = /[\x00\r\n]|^[\t ]|[\t ]$/

/** The headers that belong to one HTTP/1.1 connection and have no meaning in HTTP/2. */
const connectionSpecific = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

/** Makes a header field, and computes its size and validity. Pass `isValidName` if the name was checked before. */
export function headerField(name: string, value: string, isValidName = isValidHeaderName(name)): HeaderField {
  const isValid = isValidName && !forbiddenInValue.test(value)
  return { name, value, size: name.length + value.length + fieldOverhead, isValid }
}

function isValidHeaderName(name: string): boolean {
  return token.test(name) && !connectionSpecific.has(name)
}
