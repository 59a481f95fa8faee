import type { PeerCertificate, TLSSocket } from 'node:tls'
import type { ApiRequest, UserInfo } from '../request/request.js'

/** The caller of a connection, by its client certificate. */
export type Caller = Pick<ApiRequest, 'user' | 'untrustedCertificate'>

/** The user of the client certificate, if there is one. The TLS layer decides whether the certificate is trusted. */
export function callerOfCertificate(socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>): Caller {
  const certificate = socket.getPeerCertificate()
  if (!socket.authorized) return certificate?.raw ? { untrustedCertificate: true } : {}
  const user = userOf(certificate)
  return user ? { user } : {}
}

function userOf({ subject, fingerprint256 }: PeerCertificate): UserInfo | undefined {
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
