/** A DER value (X.690): its tag, its content, all its bytes, and the offset after it. */
export interface DerValue {
  readonly tag: number
  readonly content: Buffer
  readonly bytes: Buffer
  readonly end: number
}

/** The DER value at an offset; undefined if it is cut off or malformed. */
export function derAt(bytes: Buffer, start: number): DerValue | undefined {
  const [tag, first] = [bytes[start], bytes[start + 1]]
  if (tag === undefined || first === undefined || first === 0x80) return undefined
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f
  const from = start + 2 + sizeBytes
  let size = sizeBytes === 0 ? first : 0
  for (const byte of bytes.subarray(start + 2, from)) size = size * 256 + byte
  const end = from + size
  if (end > bytes.length) return undefined
  return { tag, content: bytes.subarray(from, end), bytes: bytes.subarray(start, end), end }
}

/** The members of a DER sequence or set; undefined if it is malformed. */
export function derMembers(content: Buffer): DerValue[] | undefined {
  const members: DerValue[] = []
  for (let index = 0; index < content.length; ) {
    const member = derAt(content, index)
    if (member === undefined) return undefined
    members.push(member)
    index = member.end
  }
  return members
}
