import type { PolicyRule } from '../../access/rbac/policy-rule.js'
import { textAt } from '../../base/object.js'
import { badRequest } from '../../request/status.js'
import type { ResourceRequest } from '../../server/context.js'

/** In the order of Go's struct. */
function ruleInGoOrder({ verbs, apiGroups, resources, resourceNames }: PolicyRule): object {
  const rule = { verbs, apiGroups, resources }
  return resourceNames === undefined ? rule : { ...rule, resourceNames }
}

/**
 * The status of a SelfSubjectRulesReview: all permissions of the caller in a namespace. Throws 400 without
 * one.
 */
export function reviewRules({ server, user }: ResourceRequest, body: Record<string, unknown>): object {
  const namespace = textAt(body, 'spec', 'namespace')
  if (namespace === '') throw badRequest('no namespace on request')
  const { rules, error } = server.authorizer.rulesFor(user, namespace)
  const about = (field: 'resources' | 'nonResourceURLs') =>
    rules.filter((rule) => (rule[field] ?? []).length > 0)
  return {
    resourceRules: about('resources').map(ruleInGoOrder),
    nonResourceRules: about('nonResourceURLs').map(({ verbs, nonResourceURLs }) => ({
      verbs,
      nonResourceURLs,
    })),
    incomplete: false,
    ...(error === '' ? {} : { evaluationError: error }),
  }
}
