import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BoundaryKind } from './boundary.js'

/** A folder of one process, and the file of its program. */
export interface RunFolder {
  readonly folder: string
  readonly file: string
  remove(): Promise<void>
}

/**
 * Makes the folder in which a process starts. Another user cannot reach the files of the operator, so it gets a copy of
 * the program that it cannot change, outside of the cache.
 */
export async function makeRunFolder(kind: BoundaryKind, program: string): Promise<RunFolder> {
  const parent = kind === 'user' ? tmpdir() : dirname(program)
  const folder = await mkdtemp(join(parent, 'run-'))
  const remove = () => rm(folder, { recursive: true, force: true }).catch(() => {})
  try {
    return { folder, file: kind === 'user' ? await readableCopy(program, folder) : program, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function readableCopy(program: string, folder: string): Promise<string> {
  const file = join(folder, 'program.mjs')
  await copyFile(program, file)
  await chmod(file, 0o444)
  await chmod(folder, 0o711)
  return file
}
