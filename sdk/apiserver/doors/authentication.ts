import type { TLSSocket } from 'node:tls'
import type { UserInfo } from '../request.js'

/** Who may do everything. */
export const ADMINISTRATOR: UserInfo = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

/** The user of a client certificate that the TLS layer has verified, if there is one. */
export function userOfCertificate(
  socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>,
): UserInfo | undefined {
  if (!socket.authorized) return undefined
  const { subject, fingerprint256 } = socket.getPeerCertificate()
  if (!subject?.CN) return undefined
  const organizations: string | string[] | undefined = subject.O
  const groups = organizations === undefined ? [] : [organizations].flat()
  const credential = `X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`
  return {
    name: String(subject.CN),
    groups: [...groups, 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [credential] },
  }
}
