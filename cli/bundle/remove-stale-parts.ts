import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Deletes parts of an earlier run for the same bundle. Parts are in a folder with their bundle's name and end in
 * esbuild's hash, so other files and other bundles in the folder are not deleted.
 */
export async function removeStaleParts(outfile: string, written: readonly string[]): Promise<void> {
  const folder = join(dirname(outfile), 'parts', basename(outfile, '.mjs'))
  const writtenNames = new Set(written.map((path) => basename(path)))
  for (const name of await namesIn(folder)) {
    if (endsInHash.test(name) && !writtenNames.has(name)) await rm(join(folder, name))
  }
}

const endsInHash = /-[A-Z2-7]{8}\.mjs(\.LEGAL\.txt)?$/

/** The files of a folder; none if it does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
