import type { PluginDescription, ResourceDescription } from '../../plugin/description.js'
import type { Permission } from '../../syncer/permission.js'

/** One rule of a Role or ClusterRole, see https://kubernetes.io/docs/reference/access-authn-authz/rbac/ */
export interface PolicyRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
}

/** What a plugin may do on the host. */
export interface HostRules {
  /** In the target namespace. */
  role: PolicyRule[]
  /** On cluster-scoped kinds, and in other namespaces. */
  clusterRole: PolicyRule[]
}

const writing = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch']
const reading = ['get', 'list', 'watch']

/** The rules that the registered syncers need on the host, and those they ask for: a rule per API group and set of verbs. */
export function hostRules({ syncers, hostReads, permissions = [] }: PluginDescription): HostRules {
  const needs: Need[] = [
    ...syncers.map(({ resource, everywhere }) => needOf(resource, everywhere, writing)),
    ...hostReads.map((read) => needOf(read, read.everywhere, reading)),
    ...permissions.filter(({ side }) => side === 'host').map(asked),
  ]
  return {
    role: merged(needs.filter(({ isInTarget }) => isInTarget)),
    clusterRole: merged(needs.filter(({ isInTarget }) => !isInTarget)),
  }
}

interface Need {
  group: string
  /** The plural, perhaps with a subresource. */
  resource: string
  /** Whether the target namespace alone is meant. */
  isInTarget: boolean
  verbs: readonly string[]
}

function needOf(
  { group, plural, namespaced }: ResourceDescription,
  everywhere: true | undefined,
  verbs: readonly string[],
): Need {
  return { group, resource: plural, isInTarget: namespaced && !everywhere, verbs }
}

/** The chart has no place for rules in one other namespace. */
function asked({ group, resource, namespace, verbs }: Permission): Need {
  return { group, resource, isInTarget: namespace === undefined, verbs }
}

function merged(needs: readonly Need[]): PolicyRule[] {
  const whole = new Map<string, Need>()
  for (const need of needs) {
    const id = `${need.group}/${need.resource}`
    const verbs = [...new Set([...(whole.get(id)?.verbs ?? []), ...need.verbs])].sort()
    whole.set(id, { ...need, verbs })
  }
  const rules = new Map<string, PolicyRule>()
  for (const { group, resource, verbs } of whole.values()) {
    const id = `${group} ${verbs.join()}`
    const rule = rules.get(id) ?? { apiGroups: [group], resources: [], verbs: [...verbs] }
    rule.resources.push(resource)
    rules.set(id, rule)
  }
  return [...rules.values()]
}
