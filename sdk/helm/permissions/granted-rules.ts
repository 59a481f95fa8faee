import { everyUrl } from '../../engine/kube/access-target.js'
import { isJsonObject } from '../../engine/kube/json-object.js'
import type { KubeObject } from '../../engine/kube/object.js'
import type { Resource } from '../../engine/kube/resource.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import type { JsonObject } from '../chart/json-object.js'

const group = 'rbac.authorization.k8s.io'
const roles: Resource = { group, version: 'v1', kind: 'Role', plural: 'roles', namespaced: true }
const clusterRoles: Resource = {
  group,
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
}

/**
 * The permissions that creating a role or a binding needs in addition: those that a role grants, and `bind` for the
 * role of a binding
 * (https://kubernetes.io/docs/reference/access-authn-authz/rbac/#privilege-escalation-prevention-and-bootstrapping).
 */
export function grantedBy(object: KubeObject): ControllerPermission[] {
  const { kind = '', apiVersion = '' } = object
  if (!apiVersion.startsWith(`${group}/`)) return []
  const { rules, roleRef } = object as { rules?: unknown; roleRef?: unknown }
  if (kind.endsWith('RoleBinding')) return isJsonObject(roleRef) ? [boundRole(roleRef)] : []
  const isCluster = kind === 'ClusterRole'
  return (Array.isArray(rules) ? rules.filter(isJsonObject) : []).flatMap((rule) =>
    permissionsIn(rule, isCluster),
  )
}

function boundRole({ kind, name }: JsonObject): ControllerPermission {
  const resource = kind === 'ClusterRole' ? clusterRoles : roles
  return { resource, verbs: ['bind'], ...(typeof name === 'string' && { names: [name] }) }
}

function permissionsIn(rule: JsonObject, isCluster: boolean): ControllerPermission[] {
  const { apiGroups, resources, nonResourceURLs, verbs, resourceNames } = rule
  const names = textsIn(resourceNames)
  // An API server refuses URLs in a Role. One without a slash matches nothing.
  const urls = isCluster ? textsIn(nonResourceURLs).filter((url) => /^(?:\*$|\/)/.test(url)) : []
  const ofUrls = urls.map((url) => ({ resource: urlResource(url), verbs: textsIn(verbs) }))
  const ofResources = textsIn(apiGroups).flatMap((group) =>
    textsIn(resources).map((path) => {
      const [plural = '', subresource] = path.split('/')
      return {
        resource: { group, version: '', kind: plural, plural, namespaced: !isCluster },
        verbs: textsIn(verbs),
        ...(subresource !== undefined && { subresource }),
        ...(names.length > 0 && { names }),
      }
    }),
  )
  return [...ofResources, ...ofUrls]
}

function urlResource(url: string): Resource {
  const plural = url === '*' ? everyUrl : url
  return { group: '', version: '', kind: plural, plural, namespaced: false }
}

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
