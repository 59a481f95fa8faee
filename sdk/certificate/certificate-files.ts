import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeyPair } from '../kube/certificate/certificate-authority.js'
import type { Logger } from '../observe/logger.js'
import { type Clock, sleep } from '../time/clock.js'

/** Options of {@link followFiles}. */
export interface CertificateFilesOptions {
  folder: string
  /** Serves a certificate. Throws if the two files do not belong together, as in the middle of a change. */
  use: (pair: KeyPair) => void
  logger: Logger
  clock: Clock
  signal: AbortSignal
}

/** How often the files are read. Kubernetes changes the files of a volume within a minute or so of the Secret. */
const pollMs = 5000

/** Serves `tls.crt` and `tls.key` of a folder, and each later version of them, until the signal aborts. */
export async function followFiles({
  folder,
  use,
  logger,
  clock,
  signal,
}: CertificateFilesOptions): Promise<void> {
  let served = ''
  let problem: string | undefined
  while (!signal.aborted) {
    try {
      const pair = await readPair(folder)
      const text = pair.certificate + pair.key
      if (text !== served) use(pair)
      if (text !== served) logger.info({ folder }, 'the certificate of the folder is served')
      served = text
      problem = undefined
    } catch (error) {
      const { code = 'INVALID' } = Object(error) as { code?: string }
      if (code !== problem)
        logger.warn({ folder, code }, 'tls.crt and tls.key of the folder cannot be served')
      problem = code
    }
    await sleep(clock, pollMs, signal).catch(() => {})
  }
}

async function readPair(folder: string): Promise<KeyPair> {
  const [certificate, key] = await Promise.all(
    ['tls.crt', 'tls.key'].map((file) => readFile(join(folder, file), 'utf8')),
  )
  return { certificate: certificate ?? '', key: key ?? '' }
}
