// Keeps checked programs as files that can be executed, named by their digest.
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkDigest, digestOf, parseDigest } from './digest.js'
import type { LoadedProgram } from './load-program.js'
import { ProgramError } from './program-error.js'
import { readProgramFile } from './read-program-file.js'
import { programLimitBytes } from './unpack-program.js'

/**
 * A folder of programs, `<sha256 in hex>.mjs`. A program appears under its name only when it is complete, and is
 * compared with its digest each time it is asked for. One process uses a folder at a time.
 *
 * @example
 * ```ts
 * const cache = new ProgramCache('/var/cache/programs')
 * const path = (await cache.find(digest)) ?? (await cache.put(await loadProgram({ url, digest }, { allowList })))
 * ```
 */
export class ProgramCache {
  readonly #folder: string
  readonly #unfinished = new Set<string>()

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * Writes a program and returns its path. Throws `DIGEST_MISMATCH`, and writes nothing, if the digest is another one.
   */
  async put({ content, digest }: LoadedProgram): Promise<string> {
    const file = fileOf(digest)
    checkDigest(`program ${file}`, content, parseDigest(digest))
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await checkOwner(this.#folder)
    const path = join(this.#folder, file)
    const unfinished = `${file}.${randomUUID()}.tmp`
    this.#unfinished.add(unfinished)
    try {
      await writeDurably(join(this.#folder, unfinished), content)
      await rename(join(this.#folder, unfinished), path)
    } finally {
      await rm(join(this.#folder, unfinished), { force: true })
      this.#unfinished.delete(unfinished)
    }
    return path
  }

  /**
   * Returns the path of a program (`sha256-<base64>`); undefined if it is absent. A file that was altered is removed.
   */
  async find(digest: string): Promise<string | undefined> {
    const path = join(this.#folder, fileOf(digest))
    await checkOwner(this.#folder)
    try {
      const content = await readProgramFile(pathToFileURL(path).href, this.#folder, programLimitBytes)
      if (digestOf(content) === digest) return path
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
    }
    await rm(path, { force: true, recursive: true })
    return undefined
  }

  /** Removes a program. */
  async remove(digest: string): Promise<void> {
    await rm(join(this.#folder, fileOf(digest)), { force: true, recursive: true })
  }

  /** Removes all programs except these, and files that a crash left unfinished. */
  async prune(digestsInUse: Iterable<string>): Promise<void> {
    const kept = new Set([...digestsInUse].map(fileOf))
    const files = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    const programs = files.filter((file) => /^[0-9a-f]{64}\.mjs(?:\..*\.tmp)?$/.test(file))
    const removed = programs.filter((file) => !kept.has(file) && !this.#unfinished.has(file))
    await Promise.all(removed.map((file) => rm(join(this.#folder, file), { force: true, recursive: true })))
  }
}

function fileOf(digest: string): string {
  const { algorithm, bytes } = parseDigest(digest)
  if (algorithm === 'sha256') return `${bytes.toString('hex')}.mjs`
  throw new ProgramError(
    'INVALID_DIGEST',
    `${digest}: the cache names programs by sha256; use the digest of loadProgram`,
  )
}

/**
 * Throws if another user owns the folder and could replace a program after the check. Root is allowed: it owns volumes.
 */
async function checkOwner(folder: string): Promise<void> {
  const ownUid = process.getuid?.()
  const folderStat = await stat(folder).catch(() => undefined)
  if (ownUid === undefined || !folderStat || folderStat.uid === ownUid || folderStat.uid === 0) return
  throw new ProgramError(
    'PROGRAM_NOT_STARTED',
    `the folder ${folder} belongs to another user, who could replace programs in it; set programs.cacheFolder to another one`,
  )
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o400)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
