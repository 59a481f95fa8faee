import { type FollowTextsOptions, followTexts } from '../../engine/certificate/follow-texts.js'
import { type CertificateSet, checkCertificates, pathsOf } from './certificate-set.js'
import type { TlsFiles } from './server-options.js'

/** Options of {@link followCertificates}. */
export interface FollowOptions extends Pick<FollowTextsOptions, 'logger' | 'clock' | 'signal'> {
  files: TlsFiles
  /** The set that is served. */
  served: CertificateSet
  /** Serves a new set. Throws if it cannot be served. */
  use: (set: CertificateSet) => void
}

/**
 * Serves new certificates when the files change, until the signal aborts. If a new set is not valid, the old set stays
 * in use.
 */
export function followCertificates({ files, served, use, ...rest }: FollowOptions): Promise<void> {
  const { logger, clock } = rest
  return followTexts({
    ...rest,
    files: pathsOf(files),
    served: [served.certificate, served.key, served.clientAuthority],
    use(texts) {
      const set = checkCertificates(texts, files, clock.date())
      use(set)
      for (const warning of set.warnings) logger.warn({}, warning)
    },
  })
}
