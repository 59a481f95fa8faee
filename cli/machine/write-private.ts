import { rename, writeFile } from 'node:fs/promises'

/**
 * Writes a file that only its owner can read. It writes a new file and renames it: a mode applies only to new files,
 * and readers never see half a file.
 */
export async function writePrivate(file: string, text: string): Promise<string> {
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, text, { mode: 0o600 })
  await rename(fresh, file)
  return file
}
