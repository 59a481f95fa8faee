import type { UserInfo } from '../../request/request.js'
import { printQuotedSlice } from '../rbac/policy-rule.js'
import { issuer, type ServiceAccountTokens, type TokenOwner } from './service-account-tokens.js'

/** Authenticates bearer tokens: tokens from the server's options, and tokens of service accounts. */
export class TokenAuthenticator {
  readonly #configured: Readonly<Record<string, UserInfo>>
  readonly #issued: ServiceAccountTokens

  constructor(tokens: Readonly<Record<string, UserInfo>>, issued: ServiceAccountTokens) {
    this.#configured = tokens
    this.#issued = issued
  }

  /** The owner of a token for one of the audiences, or the problem in the words of a TokenReview. */
  authenticate(token: string, audiences: readonly string[] = [issuer]): TokenOwner {
    if (Object.hasOwn(this.#configured, token))
      return { user: withAuthenticatedGroup(this.#configured[token]), audiences }
    const owner = this.#issued.ownerOf(token)
    if (owner === undefined) return { problem: 'invalid bearer token' }
    if ('problem' in owner) return { problem: `[invalid bearer token, ${owner.problem}]` }
    const meant = owner.audiences.filter((audience) => audiences.includes(audience))
    if (meant.length > 0) return { user: owner.user, audiences: meant }
    const why = `token audiences ${printQuotedSlice(owner.audiences)} is invalid for the target audiences ${printQuotedSlice(audiences)}`
    return { problem: `[invalid bearer token, ${why}]` }
  }
}

function withAuthenticatedGroup(user: UserInfo | undefined): UserInfo {
  const { groups = [], ...rest } = user ?? { name: '' }
  return {
    ...rest,
    groups: groups.includes('system:authenticated') ? groups : [...groups, 'system:authenticated'],
  }
}
