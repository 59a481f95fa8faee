import type { ModuleProgram } from '../../kinds/module.js'
import type { PolicyRule } from '../../manager/policy-rule.js'

/** Limits of the rules in the status of a Module: their number, and their characters as JSON. */
const maxRules = 20
const maxCharacters = 4_096

/**
 * The rules of a program as the status of its Modules shows them. Empty for a program that declares no rules: it has
 * all permissions of the operator. A long list is cut, and rules with `*` come first, so that they stay in it.
 */
export function shownPermissions(
  rules: readonly PolicyRule[] | undefined,
): Pick<ModuleProgram, 'permissions' | 'permissionsLeftOut'> {
  if (!rules) return {}
  const allRules = rules.map(ruleOf)
  if (fits(allRules)) return { permissions: allRules }
  const widestFirst = [...allRules.filter(isWide), ...allRules.filter((rule) => !isWide(rule))]
  const permissions: Rule[] = []
  for (const rule of widestFirst) if (fits([...permissions, rule])) permissions.push(rule)
  return { permissions, permissionsLeftOut: allRules.length - permissions.length }
}

type Rule = NonNullable<ModuleProgram['permissions']>[number]

const ruleOf = ({ group, resource, verbs, namespace }: PolicyRule): Rule => ({
  group,
  resource,
  verbs: [...verbs],
  ...(namespace !== undefined && { namespace }),
})

const fits = (rules: readonly Rule[]) =>
  rules.length <= maxRules && JSON.stringify(rules).length <= maxCharacters

const isWide = ({ group, resource, verbs }: Rule) => [group, resource, ...verbs].includes('*')
