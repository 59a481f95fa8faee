/**
 * Writes the part of DER (ITU-T X.690) that an X.509 certificate needs. It is written here because it is short, and
 * libraries for DER take longer to load than the embedded API server takes to start.
 */

/** One value: its tag, its length, its content. */
export function der(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.byteLength), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.byteLength]), bytes])
}

/** Values in a fixed order. */
export const sequence = (...items: readonly Uint8Array[]): Buffer => der(0x30, ...items)
/** Values without an order. */
export const set = (...items: readonly Uint8Array[]): Buffer => der(0x31, ...items)
/** A byte string. */
export const octets = (content: Uint8Array): Buffer => der(0x04, content)
/** A text. */
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text))
/** `true`; DER leaves out defaults, and the default is `false` in every field here. */
export const derTrue: Buffer = der(0x01, Buffer.from([0xff]))

/** A positive integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return der(0x02, Buffer.from(isNegative ? [0] : []), bytes)
}

/** A bit string; the last `unused` bits of the last byte do not count. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), content)
}

/** A value with the tag of its place in an explicitly tagged (constructed) or implicitly tagged (primitive) choice. */
export function tagged(tagNumber: number, content: Uint8Array, form: 'explicit' | 'implicit'): Buffer {
  return der((form === 'explicit' ? 0xa0 : 0x80) | tagNumber, content)
}

/** An object identifier from its dotted numbers. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f]
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80)
  return bytes
}

/** A time before 2050, as certificates write it. */
export function utcTime(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]/g, '')
  return der(0x17, Buffer.from(`${text.slice(2, 14)}Z`))
}
