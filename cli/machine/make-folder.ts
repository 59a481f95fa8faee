import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and its missing parents. Throws the system's error. Node's own `mkdir` with `recursive` never
 * returns in a file system like `/proc`, which answers `ENOENT` below an existing folder.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path && !(await isFolder(parent))) await makeFolder(parent)
  await mkdir(path).catch(async (error: unknown) => {
    // Another program may have created it in the meantime.
    if (!(await isFolder(path))) throw error
  })
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (info) => info.isDirectory(),
    () => false,
  )
}
