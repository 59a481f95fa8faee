import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/**
 * A file is not read because of its type or size. The message is the reason, for example "it is not a regular file".
 */
export class UnfitFileError extends Error {
  override readonly name = 'UnfitFileError'
}

/** Options of {@link readTextFile}. */
export interface ReadTextFileOptions {
  /** The largest file that is read, in bytes. */
  maxBytes: number
}

const mebibyte = 2 ** 20

/**
 * Reads a text file whose path a user gave. Rejects with `UnfitFileError` for a file that is too large, and for a named
 * pipe, a device or a folder: reading a pipe may wait forever, and would keep the process from ending. Rejects with
 * Node's own error for a file that cannot be opened.
 */
export async function readTextFile(file: string | URL, { maxBytes }: ReadTextFileOptions): Promise<string> {
  // Without this flag, opening a named pipe waits for its writer.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    await checkFits(handle, maxBytes)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}

async function checkFits(handle: FileHandle, maxBytes: number): Promise<void> {
  const stat = await handle.stat()
  if (!stat.isFile()) throw new UnfitFileError('it is not a regular file')
  if (stat.size <= maxBytes) return
  const [size, maxMebibytes] = [stat.size, maxBytes].map((bytes) => (bytes / mebibyte).toFixed(1))
  throw new UnfitFileError(`it has ${size} MiB, more than the ${maxMebibytes} MiB that are read`)
}

/** The cure for a file that a program names and that cannot be read. */
export const fileCure = 'correct its path; in an image, the Dockerfile must copy it to this path'

/** Why {@link readTextFile} failed, for a message: the error code of the system, or the reason of `UnfitFileError`. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof UnfitFileError) return error.message
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}
