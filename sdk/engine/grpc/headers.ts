/** The texts of headers and trailers of gRPC calls. */

/** The type of requests and responses. Types with a suffix, such as `application/grpc+proto`, mean the same. */
export const contentType = 'application/grpc'

/** Whether a content type is that of gRPC. */
export function isGrpcType(type: string | undefined): boolean {
  return type !== undefined && /^application\/grpc(\+|;|$)/.test(type)
}

/** The value of `grpc-message`: its UTF-8 bytes, those that are not printable in ASCII as `%XX`. */
export function encodeDetails(details: string): string {
  if (/^[!-$&-~](?:[ -$&-~]*[!-$&-~])?$/.test(details)) return details
  const bytes = Buffer.from(details).toString('latin1')
  // Spaces at the ends of a header do not arrive.
  return bytes.replace(/[^ -$&-~]|^ +|(?<! ) +$/g, percentEncoded)
}

const percentEncoded = (bytes: string) =>
  bytes.replace(/./gs, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)

/** The text of a `grpc-message`. A part that is not encoded correctly stays as it is. */
export function decodeDetails(value: string): string {
  if (!value.includes('%')) return value
  const bytes = value.replace(/%([0-9a-f]{2})/gi, (_all, byte: string) =>
    String.fromCharCode(parseInt(byte, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}

const unitsMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 }

/** The time limit in `grpc-timeout`, such as `10S` or `250m`, in milliseconds; undefined if there is no valid one. */
export function parseTimeout(value: string | undefined): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(value ?? '') ?? []
  return digits === undefined ? undefined : Number(digits) * (unitsMs[unit] ?? 1)
}

/** The value of `grpc-timeout` for a time limit in milliseconds: at most eight digits. */
export function formatTimeout(ms: number): string {
  const wholeMs = Math.max(1, Math.ceil(ms))
  return wholeMs < 1e8 ? `${wholeMs}m` : `${Math.min(Math.ceil(wholeMs / 1000), 99_999_999)}S`
}
