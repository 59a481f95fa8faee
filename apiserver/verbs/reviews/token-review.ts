import { recordOf, textAt } from '../../base/object.js'
import type { UserInfo } from '../../request/request.js'
import { badRequest } from '../../request/status.js'
import type { ResourceRequest } from '../../server/context.js'

/** The status of a TokenReview: the owner and the audiences of a token. Throws 400 if there is no token. */
export function reviewToken({ server }: ResourceRequest, body: Record<string, unknown>): object {
  const token = textAt(body, 'spec', 'token')
  if (token === '') throw badRequest('token is required for TokenReview in authentication')
  const { audiences: requested } = recordOf(body.spec)
  const audiences = Array.isArray(requested) && requested.length > 0 ? requested.map(String) : undefined
  const owner = server.tokens.authenticate(token, audiences)
  if ('problem' in owner) {
    const { authenticated: _authenticated, ...otherStatus } = recordOf(body.status)
    return { user: {}, ...otherStatus, error: owner.problem }
  }
  return { authenticated: true, user: userInfo(owner.user), audiences: owner.audiences }
}

/** A user as `authentication.k8s.io/v1 UserInfo`. */
export function userInfo({ name, uid, groups, extra = {} }: UserInfo): object {
  const sorted = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    username: name,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(sorted.length === 0 ? {} : { extra: Object.fromEntries(sorted) }),
  }
}
