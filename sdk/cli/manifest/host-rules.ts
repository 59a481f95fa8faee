import type { PluginDescription, ResourceDescription } from '../../plugin/description.js'

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

/** The rules that the registered syncers need on the host, a rule per API group and set of verbs. */
export function hostRules({ syncers, hostReads }: PluginDescription): HostRules {
  const needs: Need[] = [
    ...syncers.map(({ resource, everywhere }) => ({ resource, everywhere, verbs: writing })),
    ...hostReads.map((resource) => ({ resource, everywhere: resource.everywhere, verbs: reading })),
  ]
  return {
    role: merged(needs.filter(isInTarget)),
    clusterRole: merged(needs.filter((need) => !isInTarget(need))),
  }
}

interface Need {
  resource: ResourceDescription
  /** Set where other namespaces than the target namespace are meant. */
  everywhere: true | undefined
  verbs: string[]
}

const isInTarget = ({ resource, everywhere }: Need) => resource.namespaced && !everywhere

function merged(needs: readonly Need[]): PolicyRule[] {
  const widest = new Map<string, Need>()
  for (const need of needs) {
    const id = `${need.resource.group}/${need.resource.plural}`
    const known = widest.get(id)
    if (known === undefined || known.verbs.length < need.verbs.length) widest.set(id, need)
  }
  const rules = new Map<string, PolicyRule>()
  for (const { resource, verbs } of widest.values()) {
    const id = `${resource.group} ${verbs.length}`
    const rule = rules.get(id) ?? { apiGroups: [resource.group], resources: [], verbs }
    rule.resources.push(resource.plural)
    rules.set(id, rule)
  }
  return [...rules.values()]
}
