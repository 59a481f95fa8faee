import { constants, copyFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { HookError } from 'vcluster-plugin-sdk/cnpg'

/** WAL files and history files, as Postgres names them. */
const walName = /^([0-9A-F]{24}(\.partial|\.[0-9A-F]{8}\.backup)?|[0-9A-F]{8}\.history)$/

/** WAL files in a folder. A file is there under its name only if it is complete and on the disk. */
export class WalArchive {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Stores a file. Postgres may ask again for one that is stored; another content under its name is an error. */
  async store(file: string): Promise<void> {
    const target = this.#pathOf(basename(file))
    await mkdir(this.#folder, { recursive: true })
    const stored = await readFile(target).catch(unlessMissing)
    if (stored !== undefined) return checkEqual(target, stored, await readFile(file))
    const unfinished = `${target}.new`
    await copyFile(file, unfinished)
    await flush(unfinished)
    await rename(unfinished, target)
    await flush(this.#folder)
  }

  /**
   * Writes a stored file to `destination`. Throws `HookError` `NOT_FOUND` if there is none: Postgres asks for more than
   * there are.
   */
  async fetch(name: string, destination: string): Promise<void> {
    const path = this.#pathOf(name)
    await rm(destination, { force: true })
    await copyFile(path, destination, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      throw new HookError(`the archive has no file ${name}`, { code: 'NOT_FOUND' })
    })
  }

  #pathOf(name: string): string {
    if (walName.test(name)) return join(this.#folder, name)
    throw new HookError(`${JSON.stringify(name)} is not the name of a WAL file`, { code: 'INVALID_ARGUMENT' })
  }
}

function checkEqual(target: string, stored: Buffer, content: Buffer): void {
  if (stored.equals(content)) return
  throw new HookError(
    `${target} is stored with another content: does another Cluster archive into the folder? Use another one`,
  )
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** A file or folder that was renamed is on the disk only then. */
async function flush(path: string): Promise<void> {
  const opened = await open(path, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
