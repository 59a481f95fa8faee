import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiServer } from '../../apiserver/api-server.js'
import { readSnapshot, writeSnapshot } from '../../apiserver/snapshot.js'
import { PluginError } from '../../sdk/engine/kube/error.js'
import { makeFolder } from '../machine/make-folder.js'
import { writePrivate } from '../machine/write-private.js'
import { systemReason } from '../terminal/failure-text.js'

/** The delay between a change and its write to disk, in milliseconds. All changes in that time are written together. */
const saveAfterMs = 1000

/** An embedded cluster whose objects are kept in a file. */
export interface KeptState {
  /** Writes the last changes. Rejects with a `PluginError` `CANNOT_WRITE`. */
  close(): Promise<void>
}

/**
 * Gives an embedded cluster the objects of `<folder>/<name>.jsonl`, and writes its changes there. Only the file's owner
 * can read it, because it contains Secrets. Throws a `PluginError` `INVALID_STATE` for a damaged file, which stays as
 * it is, or `CANNOT_WRITE`.
 */
export async function keepState(server: ApiServer, folder: string, name: string): Promise<KeptState> {
  const file = join(folder, `${name}.jsonl`)
  const savedState = await readKept(file)
  if (savedState !== undefined) restore(server, savedState, file)
  await makeFolder(folder).catch((error: unknown) => {
    throw cannotWriteError(file, error)
  })
  return new FileState(server, file)
}

class FileState implements KeptState {
  readonly #server: ApiServer
  readonly #file: string
  readonly #endListening: () => void
  #timer: NodeJS.Timeout | undefined
  #saved: Promise<unknown> = Promise.resolve()

  constructor(server: ApiServer, file: string) {
    this.#server = server
    this.#file = file
    this.#endListening = server.onWrite(() => this.#saveSoon())
  }

  async close(): Promise<void> {
    this.#endListening()
    clearTimeout(this.#timer)
    await this.#saved
    await this.#save()
  }

  /** A failure is reported by {@link close}, which tries again. */
  #saveSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#saved = this.#saved.then(() => this.#save()).catch(() => {})
    }, saveAfterMs).unref()
  }

  async #save(): Promise<void> {
    try {
      await writePrivate(this.#file, writeSnapshot(this.#server.snapshot()))
    } catch (error) {
      throw cannotWriteError(this.#file, error)
    }
  }
}

async function readKept(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(Object(error).code)) return undefined
    throw invalidStateError(file, error)
  }
}

function restore(server: ApiServer, text: string, file: string): void {
  try {
    server.restore(readSnapshot(text))
  } catch (error) {
    throw invalidStateError(file, error)
  }
}

function invalidStateError(file: string, cause: unknown): PluginError {
  const message = `cannot read the kept state ${file}: ${systemReason(cause) ?? messageOf(cause)}; remove the file to begin with an empty cluster, or choose another folder with --state`
  return new PluginError('INVALID_STATE', message, { cause })
}

function cannotWriteError(file: string, cause: unknown): PluginError {
  const message = `cannot write the state of the cluster to ${file}: ${systemReason(cause) ?? messageOf(cause)}; choose another folder with --state`
  return new PluginError('CANNOT_WRITE', message, { cause })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
