import { jsonEqual } from '../../sdk/engine/kube/json.js'
import type { PolicyRule } from '../access/rbac/policy-rule.js'
import { rbacGroup, rulesIn } from '../access/rbac/role-lookup.js'
import { fieldAt, type OpenObject, recordOf } from '../base/object.js'
import { ownEntry } from '../base/own-entry.js'
import type { ServerParts } from '../server/context.js'
import { replaceObject } from '../verbs/update.js'
import { internalRequest } from './internal-request.js'

/** The collection of ClusterRoles. */
export const clusterRoles = `clusterroles.${rbacGroup}`

/**
 * Gives every ClusterRole with an `aggregationRule` the rules of those it selects, as the controller of
 * kube-controller-manager does; https://kubernetes.io/docs/reference/access-authn-authz/rbac/#aggregated-clusterroles
 */
export function aggregateClusterRoles(server: ServerParts): void {
  const resource = server.registry.find(rbacGroup, 'v1', 'clusterroles')
  if (resource === undefined) return
  const roles = [...server.store.collection(clusterRoles).scan()]
  for (const old of roles) {
    const selectors = fieldAt(old.object, 'aggregationRule', 'clusterRoleSelectors')
    if (!Array.isArray(selectors) || old.object.metadata.deletionTimestamp !== undefined) continue
    const others = roles.filter((each) => each !== old).map(({ object }) => object as OpenObject)
    const rules = collectRules(others, selectors)
    if (jsonEqual(rules, rulesIn(old.object))) continue
    const request = internalRequest(server, { resource, name: old.key })
    const metadata = { ...old.object.metadata }
    const next: OpenObject = { ...old.object, metadata, rules: rules.length === 0 ? null : rules }
    replaceObject(request, { old, next, dryRun: false })
  }
}

function collectRules(roles: readonly OpenObject[], selectors: readonly unknown[]): PolicyRule[] {
  const chosen = selectors.flatMap((selector) => roles.filter((role) => isSelected(role, selector)))
  const once = new Map(chosen.flatMap(rulesIn).map((rule) => [JSON.stringify(rule), rule]))
  return [...once.values()]
}

function isSelected({ metadata: { labels = {} } }: OpenObject, selector: unknown): boolean {
  const equal = Object.entries(recordOf(fieldAt(selector, 'matchLabels')))
  const terms = fieldAt(selector, 'matchExpressions')
  const fits = (term: unknown) => matchesExpression(labels, recordOf(term))
  return (
    equal.every(([key, value]) => ownEntry(labels, key) === value) &&
    (!Array.isArray(terms) || terms.every(fits))
  )
}

function matchesExpression(labels: Readonly<Record<string, string>>, term: Record<string, unknown>): boolean {
  const value = ownEntry(labels, String(term.key))
  const isListed = Array.isArray(term.values) && value !== undefined && term.values.includes(value)
  switch (term.operator) {
    case 'In':
      return isListed
    case 'NotIn':
      return !isListed
    case 'Exists':
      return value !== undefined
    default:
      return term.operator === 'DoesNotExist' && value === undefined
  }
}
