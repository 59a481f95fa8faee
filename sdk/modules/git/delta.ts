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
  let [from, to] = [after.end, 0]
  while (from < delta.length) {
    const step = stepAt(delta, from)
    const source = step.isCopy ? base : delta
    if (step.start + step.size > source.length || to + step.size > result.length) throw damagedError()
    source.copy(result, to, step.start, step.start + step.size)
    to += step.size
    from = step.end
  }
  if (to !== result.length) throw damagedError()
  return result
}

interface DeltaStep {
  readonly isCopy: boolean
  readonly start: number
  readonly size: number
  /** The beginning of the next step. */
  readonly end: number
}

/** Reads one step of a delta, which copies bytes of the base or inserts its own bytes. */
function stepAt(delta: Buffer, offset: number): DeltaStep {
  const kind = delta[offset] ?? 0
  if (kind === 0) throw damagedError()
  if (kind < 128) return { isCopy: false, start: offset + 1, size: kind, end: offset + 1 + kind }
  let end = offset + 1
  /** The bits of a step say which bytes of its numbers follow. */
  const number = (bits: readonly number[]) =>
    bits.reduce(
      (sum, bit, exponent) => ((kind >> bit) & 1 ? sum + (delta[end++] ?? 0) * 256 ** exponent : sum),
      0,
    )
  const start = number([0, 1, 2, 3])
  const size = number([4, 5, 6]) || 0x10000
  return { isCopy: true, start, size, end }
}

const damagedError = () => new GitError('an object of the repository is damaged')
