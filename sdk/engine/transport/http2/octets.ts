/** Reads four octets, which must be there, as a big-endian number. */
export function readUint32(octets: Uint8Array, at: number): number {
  const high = ((octets[at] as number) << 8) | (octets[at + 1] as number)
  const low = ((octets[at + 2] as number) << 8) | (octets[at + 3] as number)
  return high * 65_536 + low
}
