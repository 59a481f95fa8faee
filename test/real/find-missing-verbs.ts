import type { Test } from 'tap'
import { type CheckAccessOptions, checkAccess } from '../../cli/rbac/check-access.js'
import type { RoleObject } from '../../cli/roles/role-objects.js'
import type { Client } from '../../sdk/engine/client/client.js'
import { until } from '../until.js'
import { rbacKind } from './service-account.js'

/** The roles of an account, and what it needs. */
export interface MissingVerbsOptions extends CheckAccessOptions {
  /** The administrator of the cluster. */
  readonly admin: Client
  readonly roles: readonly RoleObject[]
}

/**
 * Takes each verb of each rule out of the roles of an account, one after the other, and checks that `rbac --check`
 * names exactly this verb. Answers how many there were.
 */
export async function findMissingVerbs(
  t: Test,
  { admin, roles, ...options }: MissingVerbsOptions,
): Promise<number> {
  const missing = async () => {
    const report = await checkAccess(options)
    return report.missing.filter(({ optional }) => !optional)
  }
  t.same(await missing(), [])
  const removals = roles.flatMap((role) =>
    role.rules.flatMap(({ verbs }, at) => verbs.map((verb) => ({ role, at, verb }))),
  )
  for (const { role, at, verb } of removals) {
    const place = { namespace: role.metadata.namespace ?? '', name: role.metadata.name }
    const set = (rules: RoleObject['rules']) =>
      admin.patch(rbacKind(role.kind), place, { type: 'merge', body: { rules } })
    await set(without(role.rules, { at, verb }))
    await until(async () => (await missing()).length > 0)
    const { resources } = role.rules[at] ?? {}
    t.same(
      [...new Set((await missing()).map((one) => `${one.verb} ${one.resource}`))].sort(),
      (resources ?? []).map((resource) => `${verb} ${resource}`).sort(),
    )
    await set(role.rules)
    await until(async () => (await missing()).length === 0)
  }
  return removals.length
}

/** RBAC refuses a rule without verbs. */
function without(
  rules: RoleObject['rules'],
  { at, verb }: { at: number; verb: string },
): RoleObject['rules'] {
  return rules
    .map((rule, index) =>
      index === at ? { ...rule, verbs: rule.verbs.filter((one) => one !== verb) } : rule,
    )
    .filter(({ verbs }) => verbs.length > 0)
}
