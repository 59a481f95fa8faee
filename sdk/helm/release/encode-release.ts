import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import { parseJson, stringifyJson } from '../../engine/kube/json.js'
import { packContent, packFiles, packText } from './packed-parts.js'
import { type RecordBudget, TooManyRecordsError } from './record-budget.js'
import type { Release } from './release.js'
import { releaseOfJson } from './release-of-json.js'
import { UnreadableReleaseError } from './unreadable-release.js'

/** Below this size, in bytes, compression takes less time than handing it to another thread. */
const smallBytes = 64 * 2 ** 10
/** A packed record below this size, in bytes, is usually small when it is unpacked. */
const smallPackedBytes = 4 * 2 ** 10
const unzipLater = promisify(gunzip)
/**
 * The limit of an unpacked record, in bytes; records of large charts are smaller. Without it, a Secret could hold a
 * record that unpacks to more than the memory of the process.
 */
const maxJsonBytes = 64 * 2 ** 20

/**
 * The text that Helm stores for a revision: base64 of the JSON, compressed with gzip. A step of an operation changes a
 * small part of it: the other parts are members of the gzip file, which are compressed once.
 */
export async function encodeRelease(release: Release): Promise<string> {
  const { chart, config, manifest, ...rest } = release
  const parts = [
    await packFiles(chart),
    await packContent({ chart, config, manifest }),
    await packText(stringifyJson(rest).slice(1)),
  ]
  return Buffer.concat(parts).toString('base64')
}
/**
 * Reads the text of {@link encodeRelease}; old versions of Helm did not compress it. Rejects with {@link
 * UnreadableReleaseError}, which does not quote the text, and with `TooManyRecordsError` if the budget is used up.
 */
export async function decodeRelease(text: string, budget?: RecordBudget): Promise<Release> {
  const read = await readRecord(Buffer.from(text, 'base64'), budget).catch((error: unknown) => {
    if (error instanceof TooManyRecordsError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnreadableReleaseError(`it is not a record of Helm: ${reason}`, { cause: error })
  })
  return releaseOfJson(read)
}

/** Unpacks a record. Its size is unknown: the size at the end of the bytes is that of the last gzip member alone. */
async function unzip(bytes: Buffer, maxOutputLength: number): Promise<Buffer> {
  if (bytes.length < smallPackedBytes)
    try {
      return gunzipSync(bytes, { maxOutputLength: Math.min(smallBytes, maxOutputLength) })
    } catch (error) {
      if (!isTooLong(error)) throw error
    }
  return unzipLater(bytes, { maxOutputLength })
}

async function readRecord(bytes: Buffer, budget?: RecordBudget): Promise<unknown> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08
  if (!isPacked) return parseJson(bytes)
  const left = budget?.left ?? maxJsonBytes
  const unpacked = await unzip(bytes, Math.max(1, Math.min(left, maxJsonBytes))).catch((error: unknown) => {
    if (left < maxJsonBytes && isTooLong(error)) budget?.take(left + 1)
    throw error
  })
  budget?.take(unpacked.length)
  return parseJson(unpacked)
}

const isTooLong = (error: unknown) => (error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE'
