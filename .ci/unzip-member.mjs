// Writes one file of a zip archive: node unzip-member.mjs ARCHIVE MEMBER FILE. Only what Node has is needed for it.
import { readFileSync, writeFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER_SIZE = 30

/** The bytes of one member, by the list that stands at the archive's end. */
function readMember(archive, wanted) {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || archive.readUInt32LE(end) !== END)
    throw new Error('the archive is no zip: it has no list at its end')
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new Error(`the archive's list is broken at byte ${at}`)
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset))
    const name = archive.toString('utf8', at + 46, at + 46 + nameSize)
    if (name === wanted) return inflateMember(archive, at)
    at += 46 + nameSize + extraSize + commentSize
  }
  throw new Error(`the archive has no member "${wanted}"`)
}

function inflateMember(archive, entry) {
  const method = archive.readUInt16LE(entry + 10)
  const size = archive.readUInt32LE(entry + 20)
  const local = archive.readUInt32LE(entry + 42)
  const start =
    local + LOCAL_HEADER_SIZE + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
  const bytes = archive.subarray(start, start + size)
  if (method === 0) return bytes
  if (method === 8) return inflateRawSync(bytes)
  throw new Error(`the member is compressed by method ${method}, and only 0 and 8 are known here`)
}

const [, , archive, member, file] = process.argv
writeFileSync(file, readMember(readFileSync(archive), member))
