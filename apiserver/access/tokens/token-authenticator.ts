import type { UserInfo } from '../../request/request.js'
import { listed } from '../rbac/policy-rule.js'
import { ISSUER, type ServiceAccountTokens, type TokenOwner } from './service-account-tokens.js'

/** Knows whose a bearer token is: one of the server's own list, or one of a service account. */
export class TokenAuthenticator {
  readonly #listed: Readonly<Record<string, UserInfo>>
  readonly #issued: ServiceAccountTokens

  constructor(tokens: Readonly<Record<string, UserInfo>>, issued: ServiceAccountTokens) {
    this.#listed = tokens
    this.#issued = issued
  }

  /** The owner of a token that is for one of the audiences; the problem is worded as a TokenReview tells it. */
  authenticate(token: string, audiences: readonly string[] = [ISSUER]): TokenOwner {
    if (Object.hasOwn(this.#listed, token)) return { user: withStanding(this.#listed[token]), audiences }
    const owner = this.#issued.ownerOf(token)
    if (owner === undefined) return { problem: 'invalid bearer token' }
    if ('problem' in owner) return { problem: `[invalid bearer token, ${owner.problem}]` }
    const meant = owner.audiences.filter((audience) => audiences.includes(audience))
    if (meant.length > 0) return { user: owner.user, audiences: meant }
    const why = `token audiences ${listed(owner.audiences)} is invalid for the target audiences ${listed(audiences)}`
    return { problem: `[invalid bearer token, ${why}]` }
  }
}

function withStanding(user: UserInfo | undefined): UserInfo {
  const { groups = [], ...rest } = user ?? { name: '' }
  return {
    ...rest,
    groups: groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'],
  }
}
