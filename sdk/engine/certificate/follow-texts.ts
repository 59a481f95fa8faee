import { readFile } from 'node:fs/promises'
import type { Logger } from '../observe/logger.js'
import { type Clock, sleep } from '../time/clock.js'

/** Options of {@link followTexts}. */
export interface FollowTextsOptions {
  /** The paths of the files. */
  files: readonly string[]
  /** Serves the contents of the files. Throws if the contents do not belong together, as in the middle of a change. */
  use: (texts: readonly string[]) => void
  /** The contents that are served already; default none. */
  served?: readonly string[]
  logger: Logger
  clock: Clock
  signal: AbortSignal
}

/**
 * How often the files are read, in milliseconds. Kubernetes changes the files of a volume within a minute or so of the
 * Secret.
 */
const pollMs = 5000

/**
 * Serves the certificates of files, and each later version of them, until the signal aborts. Files that cannot be
 * served leave the previous version in use, and are logged once for each reason.
 */
export async function followTexts(options: FollowTextsOptions): Promise<void> {
  const { files, use, logger, clock, signal } = options
  let served = options.served?.join('')
  let problem: string | undefined
  while (!signal.aborted) {
    try {
      const texts = await readTexts(files)
      const joined = texts.join('')
      if (joined !== served) use(texts)
      if (joined !== served) logger.info({ files }, 'new certificates are served')
      served = joined
      problem = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== problem)
        logger.warn({ files, error }, 'the certificate files cannot be used; trying again')
      problem = message
    }
    await sleep(clock, pollMs, signal).catch(() => {})
  }
}

/** Reads the contents of files. */
const readTexts = (files: readonly string[]): Promise<string[]> =>
  Promise.all(files.map((file) => readFile(file, 'utf8')))
