import { writeFile } from 'node:fs/promises'

/** Writes a file. The system's error has its path, which Node leaves out if the disk is full. */
export async function writeNamed(
  path: string,
  content: Parameters<typeof writeFile>[1],
  options: { flag?: 'w' | 'wx' } = {},
): Promise<void> {
  await writeFile(path, content, options).catch((error: NodeJS.ErrnoException) => {
    throw Object.assign(error, { path: error.path ?? path })
  })
}
