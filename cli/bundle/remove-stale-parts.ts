import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Removes the parts that an earlier run has made for the same bundle, and not this one. Parts lie in a folder of their bundle's name
 * and end in esbuild's hash, so that nothing else is touched, and two bundles may share a folder.
 */
export async function removeStaleParts(outfile: string, written: readonly string[]): Promise<void> {
  const folder = join(dirname(outfile), 'parts', basename(outfile, '.mjs'))
  const kept = new Set(written.map((path) => basename(path)))
  for (const name of await namesIn(folder)) {
    if (endsInHash.test(name) && !kept.has(name)) await rm(join(folder, name))
  }
}

const endsInHash = /-[A-Z2-7]{8}\.mjs(\.LEGAL\.txt)?$/

/** Nothing was late, where there is no folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}
