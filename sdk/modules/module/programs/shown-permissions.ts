import type { ModuleProgram } from '../../kinds/module.js'
import type { PolicyRule } from '../../manager/policy-rule.js'

/** The most rules in the status of a Module, and the most characters of them in all. */
const maxRules = 20
const maxCharacters = 4_096

/**
 * The rules of a program for the status of its Modules; nothing for a program without rules, which may do what the
 * operator may. A long list is cut. The widest rules, those with `*`, come first then, so that a long list does not
 * hide them.
 */
export function shownPermissions(
  rules: readonly PolicyRule[] | undefined,
): Pick<ModuleProgram, 'permissions' | 'permissionsLeftOut'> {
  if (!rules) return {}
  const all = rules.map(ruleOf)
  if (isShort(all)) return { permissions: all }
  const widestFirst = [...all.filter(isWide), ...all.filter((rule) => !isWide(rule))]
  const permissions: Rule[] = []
  for (const rule of widestFirst) if (isShort([...permissions, rule])) permissions.push(rule)
  return { permissions, permissionsLeftOut: all.length - permissions.length }
}

type Rule = NonNullable<ModuleProgram['permissions']>[number]

const ruleOf = ({ group, resource, verbs, namespace }: PolicyRule): Rule => ({
  group,
  resource,
  verbs: [...verbs],
  ...(namespace !== undefined && { namespace }),
})

const isShort = (rules: readonly Rule[]) =>
  rules.length <= maxRules && JSON.stringify(rules).length <= maxCharacters

const isWide = ({ group, resource, verbs }: Rule) => [group, resource, ...verbs].includes('*')
