// Programs from files below one folder.
import { constants } from 'node:fs'
import { open, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ProgramError } from './program-error.js'
import { tooLargeError } from './unpack-program.js'

/**
 * Reads the file of a `file:` URL below a folder, without following links. Throws `PROGRAM_NOT_ALLOWED` for a file that
 * is elsewhere or that a link leads to, `PROGRAM_UNREACHABLE` if it cannot be read, `PROGRAM_TOO_LARGE` beyond the
 * limit.
 */
export async function readProgramFile(
  url: string,
  folder: string | undefined,
  limitBytes: number,
): Promise<Buffer> {
  if (folder === undefined)
    throw new ProgramError('PROGRAM_NOT_ALLOWED', `${url}: set programs.folder to load programs from files`)
  const inside = relative(resolve(folder), pathOf(url))
  if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new ProgramError(
      'PROGRAM_NOT_ALLOWED',
      `${url}: the file is not below the folder of programs, ${folder}`,
    )
  try {
    const path = join(await realpath(folder), inside)
    if ((await realpath(path)) !== path)
      throw new ProgramError(
        'PROGRAM_NOT_ALLOWED',
        `${url}: the path contains a link; programs are read from files only`,
      )
    return await readRegularFile(url, path, limitBytes)
  } catch (cause) {
    if (cause instanceof ProgramError) throw cause
    throw new ProgramError(
      'PROGRAM_UNREACHABLE',
      `${url}: the file cannot be read: ${(cause as Error).message}`,
      { cause },
    )
  }
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url)
  } catch (cause) {
    throw new ProgramError(
      'PROGRAM_NOT_ALLOWED',
      `${url}: not the URL of a local file: ${(cause as Error).message}`,
      { cause },
    )
  }
}

async function readRegularFile(url: string, path: string, limitBytes: number): Promise<Buffer> {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new ProgramError('PROGRAM_NOT_ALLOWED', `${url}: this is not a regular file`)
    if (stat.size > limitBytes) throw tooLargeError(url, limitBytes)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
