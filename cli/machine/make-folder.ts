import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing. Throws the system's error where that cannot be. `mkdir` of Node with
 * `recursive` never returns in a file system that refuses with `ENOENT` below a folder that exists, as `/proc` does.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path && !(await isFolder(parent))) await makeFolder(parent)
  await mkdir(path).catch(async (error: unknown) => {
    // Another program may have made it just now.
    if (!(await isFolder(path))) throw error
  })
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
