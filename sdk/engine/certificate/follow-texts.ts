import { readFile } from 'node:fs/promises'
import type { Logger } from '../observe/logger.js'
import { type Clock, sleep } from '../time/clock.js'

/** Options of {@link followTexts}. */
export interface FollowTextsOptions {
  /** Paths. */
  files: readonly string[]
  /** Serves the texts of the files. Throws if they do not belong together, as in the middle of a change. */
  use: (texts: readonly string[]) => void
  /** The texts that are served already; default none. */
  served?: readonly string[]
  logger: Logger
  clock: Clock
  signal: AbortSignal
}

/** How often the files are read. Kubernetes changes the files of a volume within a minute or so of the Secret. */
const pollMs = 5000

/**
 * Serves the certificates of files, and each later version of them, until the signal aborts. Files that cannot be
 * served keep the version before, and are logged once for each reason.
 */
export async function followTexts(options: FollowTextsOptions): Promise<void> {
  const { files, use, logger, clock, signal } = options
  let served = options.served?.join('')
  let problem: string | undefined
  while (!signal.aborted) {
    try {
      const texts = await textsOf(files)
      const joined = texts.join('')
      if (joined !== served) use(texts)
      if (joined !== served) logger.info({ files }, 'new certificates are served')
      served = joined
      problem = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== problem) logger.warn({ files, error }, 'certificate files cannot be served yet')
      problem = message
    }
    await sleep(clock, pollMs, signal).catch(() => {})
  }
}

/** The texts of files. */
export const textsOf = (files: readonly string[]): Promise<string[]> =>
  Promise.all(files.map((file) => readFile(file, 'utf8')))
