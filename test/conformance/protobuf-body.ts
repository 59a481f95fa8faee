/** The media type of bodies in protobuf. */
export const protobufType = 'application/vnd.kubernetes.protobuf'

/** One field of a message: its number, and text, bytes or an integer. */
export type ProtobufField = readonly [number: number, value: string | Uint8Array | number]

/** A message of these fields, for example the object inside {@link protobufBody}. */
export function protobufMessage(...fields: readonly ProtobufField[]): Buffer {
  return Buffer.concat(fields.map(([number, value]) => encodedField(number, value)))
}

/** An object in the format of a Go client: the magic number, then a `runtime.Unknown` around the message. */
export function protobufBody(
  apiVersion: string,
  kind: string,
  message: Uint8Array = Buffer.alloc(0),
): Buffer {
  const type = protobufMessage([1, apiVersion], [2, kind])
  const unknown = protobufMessage([1, type], [2, message], [3, ''], [4, ''])
  return Buffer.concat([Buffer.from('k8s\0'), unknown])
}

function encodedField(number: number, value: ProtobufField[1]): Buffer {
  if (typeof value === 'number') return Buffer.from([...varint(number << 3), ...varint(value)])
  const bytes = Buffer.from(value)
  return Buffer.concat([Buffer.from([...varint((number << 3) | 2), ...varint(bytes.byteLength)]), bytes])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))]
}
