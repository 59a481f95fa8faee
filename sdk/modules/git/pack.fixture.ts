// Packs that are written by hand, as no git writes them.
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { type GitObject, nameOfObject } from './pack.js'
import { delimiter, flush, packet } from './packets.js'

const types = { commit: 1, tree: 2, blob: 3, tag: 4, change: 6 } as const

/** An object of a pack. */
export interface PackedObject {
  readonly type: keyof typeof types
  readonly data: Buffer
  /** The size that the pack says. Default: that of the content. */
  readonly size?: number
  /** The distance of the base of a change, in bytes; at most 127. */
  readonly distance?: number
}

/** A pack with objects. */
export function packOf(objects: readonly PackedObject[], count = objects.length): Buffer {
  const head = Buffer.from('PACK\0\0\0\u0002\0\0\0\0', 'latin1')
  head.writeUInt32BE(count, 8)
  const content = Buffer.concat([head, ...objects.map(entryOf)])
  return Buffer.concat([content, createHash('sha1').update(content).digest()])
}

/** The bytes of an object in a pack. */
export function entryOf({ type, data, size = data.length, distance }: PackedObject): Buffer {
  const bytes = [(types[type] << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 128
    bytes.push(rest & 127)
  }
  return Buffer.concat([
    Buffer.from(bytes),
    Buffer.from(distance === undefined ? [] : [distance]),
    deflateSync(data),
  ])
}

/** A number of a change. */
export function sizeBytes(size: number): number[] {
  return size < 128 ? [size] : [(size & 127) | 128, ...sizeBytes(Math.floor(size / 128))]
}

/** A folder whose entries are all of one object. */
export function treeOf(names: readonly string[], mode: string, { type, data }: GitObject): GitObject {
  const object = Buffer.from(nameOfObject({ type, data }), 'hex')
  const entries = names.map((name) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), object]))
  return { type: 'tree', data: Buffer.concat(entries) }
}

/** A commit of a folder. */
export function commitOf(tree: GitObject): GitObject {
  const person = 'test <test@test.example> 0 +0000'
  const text = `tree ${nameOfObject(tree)}\nauthor ${person}\ncommitter ${person}\n\nx\n`
  return { type: 'commit', data: Buffer.from(text) }
}

/** The answer of a server to its first request. */
export const advertisement = Buffer.concat([
  packet('version 2'),
  packet('ls-refs'),
  packet('fetch=shallow'),
  flush,
])

/** The answer to a fetch, with a pack or a part of one. */
export function fetchAnswer(pack: Buffer): Buffer {
  const parts: Buffer[] = [packet('shallow-info'), delimiter, packet('packfile')]
  for (let at = 0; at < pack.length; at += 65_000)
    parts.push(contentPacket(1, pack.subarray(at, at + 65_000)))
  return Buffer.concat([...parts, flush])
}

/** A packet of the section with a pack. */
export function contentPacket(band: number, content: Buffer): Buffer {
  const length = (content.length + 5).toString(16).padStart(4, '0')
  return Buffer.concat([Buffer.from(length), Buffer.from([band]), content])
}
