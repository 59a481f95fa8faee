import { stat } from 'node:fs/promises'
import type { Logger } from '../../observe/logger.js'
import { type Clock, sleep } from '../../time/clock.js'
import { type CertificateSet, readCertificates } from './certificate-set.js'
import type { TlsFiles } from './server-options.js'

/** Options of {@link followCertificates}. */
export interface FollowOptions {
  files: TlsFiles
  /** Serves a new set. Throws if it cannot be served. */
  use: (set: CertificateSet) => void
  logger: Logger
  clock: Clock
  signal: AbortSignal
}

/** How often the files are looked at. A kubelet changes the files of a mounted Secret within a minute or so. */
const pollMs = 5000

/** Serves new certificates when the files change, until the signal aborts. A set that does not fit keeps the old one. */
export async function followCertificates({
  files,
  use,
  logger,
  clock,
  signal,
}: FollowOptions): Promise<void> {
  let served = await timesOf(files)
  let problem: string | undefined
  while (await waited(clock, signal)) {
    const times = await timesOf(files)
    if (times === served) continue
    try {
      const set = await readCertificates(files, clock.date())
      use(set)
      for (const warning of set.warnings) logger.warn({}, warning)
      logger.info({ certificate: files.certificate }, 'new certificates are served')
      served = times
      problem = undefined
    } catch (error) {
      // In the middle of a change the files may not fit together; the next look decides.
      const { message } = error as Error
      if (message !== problem) logger.warn({ error }, 'the certificates changed, but cannot be served yet')
      problem = message
    }
  }
}

function waited(clock: Clock, signal: AbortSignal): Promise<boolean> {
  return sleep(clock, pollMs, signal).then(
    () => true,
    () => false,
  )
}

async function timesOf({ certificate, key, clientAuthority }: TlsFiles): Promise<string> {
  const times = [certificate, key, clientAuthority].map(async (file) => {
    const found = await stat(file).catch(() => undefined)
    return `${found?.ino}:${found?.mtimeMs}`
  })
  return (await Promise.all(times)).join(' ')
}
