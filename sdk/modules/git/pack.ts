/**
 * Reads a pack: a sequence of compressed objects, many of them stored as deltas of an earlier object. The size of each
 * object is checked before it is unpacked, because a small pack can contain gigabytes.
 * https://git-scm.com/docs/gitformat-pack
 */
import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { systemClock } from '../../engine/time/clock.js'
import { TimeSlice } from '../../engine/time/time-slice.js'
import { applyDelta, sizeAfter } from './delta.js'
import { GitError } from './git-error.js'

/** An object of a repository. */
export interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag'
  readonly data: Buffer
}

/** The limits of what is read of a repository. */
export interface PackLimits {
  /** The maximum number of objects. */
  readonly objects: number
  /** The maximum size of all unpacked objects together, in bytes; also that of one delta. */
  readonly bytes: number
}

const types = ['', 'commit', 'tree', 'blob', 'tag'] as const
const offsetDelta = 6
const nameDelta = 7
const headerBytes = 12
const checksumBytes = 20

/** The name of an object: the SHA-1 of its type, its size and its content. */
export function nameOfObject({ type, data }: GitObject): string {
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex')
}

/**
 * The objects of a pack by their names. Rejects with a {@link GitError} for one that is damaged, or larger than the
 * limits.
 */
export async function readPack(pack: Buffer, limits: PackLimits): Promise<Map<string, GitObject>> {
  const count = checkPack(pack, limits)
  const reader = new PackReader(pack, limits)
  const slice = new TimeSlice(systemClock)
  for (let read = 0; read < count; read++) {
    reader.next()
    if (slice.isOver) await slice.pause()
  }
  return reader.objects
}

function checkPack(pack: Buffer, limits: PackLimits): number {
  const end = pack.length - checksumBytes
  if (end < headerBytes || pack.toString('latin1', 0, 4) !== 'PACK' || pack.readUInt32BE(4) !== 2)
    throw damagedError()
  const checksum = createHash('sha1').update(pack.subarray(0, end)).digest()
  if (!checksum.equals(pack.subarray(end))) throw damagedError()
  const count = pack.readUInt32BE(8)
  if (count > limits.objects)
    throw new GitError(
      `the repository has ${count} objects at this commit; at most ${limits.objects} are read`,
    )
  return count
}

/** The head of an object in a pack. */
interface Entry {
  readonly type: number
  readonly size: number
  readonly base: GitObject | undefined
  /** The beginning of its compressed content. */
  readonly start: number
}

class PackReader {
  readonly objects = new Map<string, GitObject>()
  readonly #pack: Buffer
  readonly #limits: PackLimits
  readonly #byOffset = new Map<number, GitObject>()
  #offset = headerBytes
  #bytes = 0

  constructor(pack: Buffer, limits: PackLimits) {
    this.#pack = pack
    this.#limits = limits
  }

  next(): void {
    const offset = this.#offset
    const entry = this.#entryAt(offset)
    const content = this.#inflate(entry)
    const object = this.#objectOf(entry, content)
    this.#byOffset.set(offset, object)
    this.objects.set(nameOfObject(object), object)
  }

  #objectOf({ type, base }: Entry, content: Buffer): GitObject {
    const plain = types[type]
    if (plain) return { type: plain, data: content }
    if (!base) throw damagedError()
    this.#count(sizeAfter(content))
    return { type: base.type, data: applyDelta(base.data, content) }
  }

  /** Its first byte has the type and the lowest four bits of the size. */
  #entryAt(offset: number): Entry {
    let byte = this.#byte(offset)
    let end = offset + 1
    const type = (byte >> 4) & 7
    let size = byte & 15
    for (let factor = 16; byte >= 128; factor *= 128) {
      byte = this.#byte(end++)
      size += (byte & 127) * factor
    }
    if (type === offsetDelta) return { type, size, ...this.#baseBefore(offset, end) }
    if (type !== nameDelta) return { type, size, base: undefined, start: end }
    const name = this.#pack.toString('hex', end, end + 20)
    return { type, size, base: this.objects.get(name), start: end + 20 }
  }

  #baseBefore(offset: number, start: number) {
    let end = start
    let byte = this.#byte(end++)
    let distance = byte & 127
    while (byte >= 128) {
      byte = this.#byte(end++)
      distance = (distance + 1) * 128 + (byte & 127)
    }
    return { base: this.#byOffset.get(offset - distance), start: end }
  }

  #inflate({ size, start }: Entry): Buffer {
    this.#count(size)
    const { buffer, bytesRead } = inflateUpTo(this.#pack.subarray(start, -checksumBytes), size)
    if (buffer.length !== size) throw damagedError()
    this.#offset = start + bytesRead
    return buffer
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.bytes)
      throw new GitError(
        `the repository has more than ${this.#limits.bytes} bytes at this commit; package the chart, and use chart.repo or chart.configMap`,
      )
  }

  #byte(offset: number): number {
    const byte = this.#pack[offset]
    if (byte === undefined) throw damagedError()
    return byte
  }
}

/** Unpacks at most `size` bytes. `bytesRead` is the number of input bytes used; the input may be longer. */
function inflateUpTo(input: Buffer, size: number): { buffer: Buffer; bytesRead: number } {
  try {
    const options = { info: true, maxOutputLength: Math.max(size, 1), chunkSize: chunkOf(size) }
    const { buffer, engine } = inflateSync(input, options) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    return { buffer, bytesRead: engine.bytesWritten }
  } catch (cause) {
    throw new GitError('an object of the repository is damaged', { cause })
  }
}

/** The chunk size for a content: one byte more, so that the end is reached within the first chunk. */
const chunkOf = (size: number) => Math.min(Math.max(size + 1, 64), 65_536)

const damagedError = () => new GitError('the objects of the repository are damaged')
