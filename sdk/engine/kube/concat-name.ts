import { createHash } from 'node:crypto'

/** The longest name that is valid as a DNS label and as a label value, in bytes. */
const maxBytes = 63
/** The length of the kept part of a longer name, before the hash, in bytes. */
const keptBytes = 52

/**
 * Joins the parts with `-`. A result of more than 63 bytes is cut to 52 and ended with the first 10 hex
 * digits of its sha256; only then each `.-` becomes `-`, because a name must not have a label that ends with
 * a dot (`SafeConcatName` in `pkg/util/translate/translate.go` @ vcluster v0.20.1).
 */
export function safeConcatName(...parts: string[]): string {
  const full = parts.join('-')
  if (Buffer.byteLength(full) <= maxBytes) return full
  const kept = Buffer.from(full).toString('utf8', 0, keptBytes)
  return `${kept}-${sha256Hex(full).slice(0, 10)}`.replaceAll('.-', '-')
}

/** A name of at most `limit` bytes; a longer name is cut, and ends with the first 10 hex digits of its sha256. */
export function shortenedName(name: string, limit: number): string {
  if (Buffer.byteLength(name) <= limit) return name
  const kept = Buffer.from(name).toString('utf8', 0, limit - 11)
  return `${kept}-${sha256Hex(name).slice(0, 10)}`.replaceAll('.-', '-')
}

/** The sha256 of a text, in lower-case hex digits. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
