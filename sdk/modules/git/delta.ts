// Deltas: objects of a pack that are stored as changes of other objects. https://git-scm.com/docs/gitformat-pack
import { GitError } from './git-error.js'

/** Reads a number in groups of seven bits, the lowest first; `end` is the offset of the byte after the number. */
function readSize(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0
  for (let offset = start, factor = 1; offset < start + 7; offset++, factor *= 128) {
    const byte = bytes[offset]
    if (byte === undefined) break
    value += (byte & 127) * factor
    if (byte < 128) return { value, end: offset + 1 }
  }
  throw damagedError()
}

/** The size of an object that a delta makes. */
export function sizeAfter(delta: Uint8Array): number {
  return readSize(delta, readSize(delta, 0).end).value
}

/** The object that results from applying a delta to its base. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  const before = readSize(delta, 0)
  const after = readSize(delta, before.end)
  if (before.value !== base.length) throw damagedError()
  const result = Buffer.alloc(after.value)
  const reader = new StepReader(delta, after.end)
  let to = 0
  while (reader.next()) {
    const { start, size } = reader
    const source = reader.isCopy ? base : delta
    if (start + size > source.length || to + size > result.length) throw damagedError()
    source.copy(result, to, start, start + size)
    to += size
  }
  if (to !== result.length) throw damagedError()
  return result
}

/**
 * Reads the steps of a delta, which copy bytes of the base or insert bytes of the delta. A small pack can contain many
 * millions of steps, so no objects are made for them.
 */
class StepReader {
  readonly #delta: Buffer
  #offset: number
  /** Whether the step copies bytes of the base. */
  isCopy = false
  /** The beginning and the number of the bytes. */
  start = 0
  size = 0

  constructor(delta: Buffer, offset: number) {
    this.#delta = delta
    this.#offset = offset
  }

  /** Reads the next step; `false` at the end of the delta. */
  next(): boolean {
    const kind = this.#delta[this.#offset++]
    if (kind === undefined) return false
    if (kind === 0) throw damagedError()
    this.isCopy = kind >= 128
    if (this.isCopy) this.#readCopy(kind)
    else {
      this.start = this.#offset
      this.size = kind
      this.#offset += kind
    }
    return true
  }

  /** The bits of the step say which bytes of its numbers follow. */
  #readCopy(kind: number): void {
    this.start = this.#readNumber(kind & 15)
    this.size = this.#readNumber((kind >> 4) & 7) || 0x10000
  }

  #readNumber(bits: number): number {
    let value = 0
    for (let left = bits, factor = 1; left > 0; left >>= 1, factor *= 256)
      if (left & 1) value += (this.#delta[this.#offset++] ?? 0) * factor
    return value
  }
}

const damagedError = () => new GitError('an object of the repository is damaged')
