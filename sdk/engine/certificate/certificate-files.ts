import { join } from 'node:path'
import type { KeyPair } from '../kube/certificate/certificate-authority.js'
import { type FollowTextsOptions, followTexts } from './follow-texts.js'

/** Options of {@link followCertificateFiles}. */
export interface CertificateFilesOptions extends Pick<FollowTextsOptions, 'logger' | 'clock' | 'signal'> {
  folder: string
  /** Serves a certificate. Throws if its certificate and key do not belong together, as in the middle of a change. */
  use: (pair: KeyPair) => void
}

/** Serves `tls.crt` and `tls.key` of a folder, and each later version of them, until the signal aborts. */
export function followCertificateFiles({ folder, use, ...rest }: CertificateFilesOptions): Promise<void> {
  const files = ['tls.crt', 'tls.key'].map((file) => join(folder, file))
  return followTexts({
    ...rest,
    files,
    use: ([certificate = '', key = '']) => use({ certificate, key }),
  })
}
