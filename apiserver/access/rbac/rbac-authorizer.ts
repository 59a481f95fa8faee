import type { UserInfo } from '../../request/request.js'
import type { Store } from '../../store/store.js'
import { type Attributes, isPath } from '../attributes.js'
import { type Authorizer, type Decision, masters, type UserRules } from '../authorizer.js'
import { ruleAllows } from './policy-rule.js'
import { type Grant, grantsOf } from './role-lookup.js'

/** Decides by the Roles and Bindings in the store; https://kubernetes.io/docs/reference/access-authn-authz/rbac/ */
export class RbacAuthorizer implements Authorizer {
  readonly admitsAnonymous = true
  readonly #store: Store

  constructor(store: Store) {
    this.#store = store
  }

  authorize(attributes: Attributes): Decision {
    const { user } = attributes
    if (user.groups.includes(masters)) return { allowed: true, reason: '' }
    const unresolved: Grant[] = []
    for (const grant of grantsOf(this.#store, user, isPath(attributes) ? '' : attributes.namespace)) {
      if (grant.rules === undefined) unresolved.push(grant)
      else if (grant.rules.some((rule) => ruleAllows(rule, attributes))) {
        return { allowed: true, reason: `RBAC: allowed by ${grant.describe()}` }
      }
    }
    return { allowed: false, reason: unresolved.length === 0 ? '' : `RBAC: ${notFoundError(unresolved)}` }
  }

  rulesFor(user: UserInfo, namespace: string): UserRules {
    const grants = [...grantsOf(this.#store, user, namespace)]
    const unresolved = grants.filter(({ rules }) => rules === undefined)
    return { rules: grants.flatMap(({ rules = [] }) => rules), error: notFoundError(unresolved) }
  }
}

function notFoundError(grants: readonly Grant[]): string {
  const texts = grants.map(
    ({ role }) => `${role.kind.toLowerCase()}.rbac.authorization.k8s.io "${role.name}" not found`,
  )
  return joinErrors(texts)
}

/** Several errors as one, each text once; `''` for none. */
export function joinErrors(texts: readonly string[]): string {
  const once = [...new Set(texts)]
  return once.length > 1 ? `[${once.join(', ')}]` : (once[0] ?? '')
}
