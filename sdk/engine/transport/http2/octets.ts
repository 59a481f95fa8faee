/** Reads four octets, which must be there, as a big-endian number. */
export function readUint32(octets: Uint8Array, offset: number): number {
  const high = ((octets[offset] as number) << 8) | (octets[offset + 1] as number)
  const low = ((octets[offset + 2] as number) << 8) | (octets[offset + 3] as number)
  return high * 65_536 + low
}
