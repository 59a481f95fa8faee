import type { UserInfo } from '../request/request.js'
import type { Attributes } from './attributes.js'
import type { PolicyRule } from './rbac/policy-rule.js'

/** What an authorizer says. */
export interface Decision {
  readonly allowed: boolean
  /** Why; `''` when there is nothing to say. */
  readonly reason: string
}

/** Everything a user may do in a namespace and outside of all. */
export interface UserRules {
  readonly rules: readonly PolicyRule[]
  /** What could not be looked up; `''` when all could. */
  readonly error: string
}

/** Decides who may do what. */
export interface Authorizer {
  authorize(attributes: Attributes): Decision
  rulesFor(user: UserInfo, namespace: string): UserRules
  /** Whether someone without credentials is `system:anonymous` rather than turned away. */
  readonly admitsAnonymous: boolean
}

/** The group whose members are allowed everything, whatever the Roles and Bindings say. */
export const MASTERS = 'system:masters'

/** The caller in process, and the server itself: allowed everything. */
export const ADMINISTRATOR: UserInfo = { name: 'admin', groups: [MASTERS, 'system:authenticated'] }

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/**
 * Everyone who is known may do everything, as with `--authorization-mode=AlwaysAllow`, which turns anonymous
 * requests off as well.
 */
export const alwaysAllow: Authorizer = {
  admitsAnonymous: false,
  authorize: () => ({ allowed: true, reason: '' }),
  rulesFor: () => ({ rules: EVERYTHING, error: '' }),
}
