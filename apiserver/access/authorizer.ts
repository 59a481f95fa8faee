import type { UserInfo } from '../request/request.js'
import type { Attributes } from './attributes.js'
import type { PolicyRule } from './rbac/policy-rule.js'

/** The decision of an authorizer. */
export interface Decision {
  readonly allowed: boolean
  /** The reason, or `''`. */
  readonly reason: string
}

/** All rules of a user in a namespace, cluster-wide ones included. */
export interface UserRules {
  readonly rules: readonly PolicyRule[]
  /** The roles that could not be found, or `''`. */
  readonly error: string
}

/** Decides which requests are allowed. */
export interface Authorizer {
  authorize(attributes: Attributes): Decision
  rulesFor(user: UserInfo, namespace: string): UserRules
  /** Whether a caller without credentials is `system:anonymous`; otherwise it gets 401. */
  readonly admitsAnonymous: boolean
}

/** The group whose members are allowed everything, whatever the Roles and Bindings say. */
export const masters = 'system:masters'

/** The user of in-process callers and of the server itself. Everything is allowed to this user. */
export const administrator: UserInfo = { name: 'admin', groups: [masters, 'system:authenticated'] }

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/**
 * Allows everything to authenticated callers, as `--authorization-mode=AlwaysAllow` does, which turns anonymous
 * requests off as well.
 */
export const alwaysAllow: Authorizer = {
  admitsAnonymous: false,
  authorize: () => ({ allowed: true, reason: '' }),
  rulesFor: () => ({ rules: everything, error: '' }),
}
