import { rbacGroup } from '../access/rbac/role-lookup.js'
import type { OpenObject } from '../base/object.js'
import type { ServerParts } from '../server/context.js'
import { createObject } from '../verbs/create.js'
import { authentication } from './bootstrap-cluster.js'
import { type BootstrapRole, bootstrapBindings, bootstrapRoles } from './bootstrap-roles.js'
import { internalRequest } from './internal-request.js'

const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }
const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' }

/**
 * Creates the default roles and bindings: full access for administrators, and reviews of one's own access for everyone.
 */
export function bootstrapRbac(server: ServerParts): void {
  for (const role of bootstrapRoles) createBootstrapObject(server, 'clusterroles', clusterRole(role))
  for (const [name, groups] of Object.entries(bootstrapBindings)) {
    const subjects = groups.map((group) => ({ kind: 'Group', apiGroup: rbacGroup, name: group }))
    const roleRef = { apiGroup: rbacGroup, kind: 'ClusterRole', name }
    createBootstrapObject(server, 'clusterrolebindings', { metadata: metadataOf(name), subjects, roleRef })
  }
  bootstrapReader(server)
}

/** Lets the components of a control plane read the certificate with which clients are checked. */
function bootstrapReader(server: ServerParts): void {
  const { namespace, name } = authentication
  const reader = `${name}-reader`
  const rules = [
    { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'], resourceNames: [name] },
  ]
  createBootstrapObject(server, 'roles', { metadata: { ...metadataOf(reader), namespace }, rules })
  const users = ['system:kube-controller-manager', 'system:kube-scheduler']
  createBootstrapObject(server, 'rolebindings', {
    metadata: { ...metadataOf(`system::${reader}`), namespace },
    subjects: users.map((user) => ({ kind: 'User', apiGroup: rbacGroup, name: user })),
    roleRef: { apiGroup: rbacGroup, kind: 'Role', name: reader },
  })
}

function clusterRole({ name, aggregatesTo, aggregates, rules }: BootstrapRole): OpenObject {
  const mark = aggregatesTo === undefined ? {} : { [labelFor(aggregatesTo)]: 'true' }
  const metadata = { ...metadataOf(name), labels: { ...labels, ...mark } }
  if (aggregates === undefined) return { metadata, rules }
  const clusterRoleSelectors = [{ matchLabels: { [labelFor(aggregates)]: 'true' } }]
  return { metadata, rules: null, aggregationRule: { clusterRoleSelectors } }
}

const labelFor = (role: string) => `${rbacGroup}/aggregate-to-${role}`

function metadataOf(name: string): OpenObject['metadata'] {
  return { name, labels: { ...labels }, annotations: { ...annotations } }
}

function createBootstrapObject(server: ServerParts, plural: string, object: OpenObject): void {
  const resource = server.registry.find(rbacGroup, 'v1', plural)
  if (resource === undefined) return
  const { namespace = '' } = object.metadata
  createObject(internalRequest(server, { resource, namespace }), object, { dryRun: false })
}
