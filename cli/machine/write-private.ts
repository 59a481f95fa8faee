import { rename, writeFile } from 'node:fs/promises'

/** Writes a file that only its owner can read. It is written anew and renamed: a mode applies to new files only, and readers never see half a file. */
export async function writePrivate(file: string, text: string): Promise<string> {
  const fresh = `${file}.${process.pid}`
  await writeFile(fresh, text, { mode: 0o600 })
  await rename(fresh, file)
  return file
}
