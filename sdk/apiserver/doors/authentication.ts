import type { TLSSocket } from 'node:tls'
import type { UserInfo } from '../request.js'

/** Who may do everything. */
export const ADMINISTRATOR: UserInfo = { name: 'admin', groups: ['system:masters', 'system:authenticated'] }

/** The user of a client certificate that the TLS layer has verified, if there is one. */
export function userOfCertificate(
  socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>,
): UserInfo | undefined {
  if (!socket.authorized) return undefined
  const { subject } = socket.getPeerCertificate()
  if (!subject?.CN) return undefined
  const organizations: string | string[] | undefined = subject.O
  const groups = organizations === undefined ? [] : [organizations].flat()
  return { name: String(subject.CN), groups: [...groups, 'system:authenticated'] }
}

/** The user of a bearer token, `undefined` for a token nobody has. */
export function userOfToken(
  authorization: string,
  tokens: Readonly<Record<string, UserInfo>>,
): UserInfo | undefined {
  const token = /^Bearer\s+(\S+)$/i.exec(authorization)?.[1]
  if (token === undefined || !Object.hasOwn(tokens, token)) return undefined
  const user = tokens[token]
  return user === undefined ? undefined : { ...user, groups: [...user.groups, 'system:authenticated'] }
}
